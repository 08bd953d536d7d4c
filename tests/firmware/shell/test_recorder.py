"""The loop's signs of life in memory: what they say to the next program if this one is ended right after a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.crash.record import CrashRecord, read_record
from firmware.gestures.clock_state import ClockState
from firmware.journal.memory import SERVED_NS, CrashMemory, parse_memory
from firmware.journal.writer import JournalRecorder, JournalWriter
from game import events as ev
from game.record import accept, begin
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from tests.firmware.gestures.trains import setup
from tests.firmware.shell.rig import BEGAN, Hand


class _NoSentinel:
    def __init__(self, record: int, offset: int) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("late", "goes_on", "served"), [(SERVED_NS, False, True), (SERVED_NS + 1, False, False), (SERVED_NS + 1, True, True)]
)
def test_a_loop_that_hung_is_back_only_once_it_sleeps_again(tmp_path: Path, *, late: int, goes_on: bool, served: bool) -> None:
    new_game = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), BEGAN)
    table = ClockState(accept(new_game, ev.Press(Side.LEFT), BEGAN), setup())
    hand, path = Hand(), tmp_path / "record"
    memory = CrashMemory(CrashRecord(path, _NoSentinel), lambda error: pytest.fail(str(error)))
    memory.settle()
    writer = JournalWriter(tmp_path / "journal.db", lambda progress: None)
    recorder = JournalRecorder(writer, hand.clocks(), 1, None, memory)
    due = BEGAN + NS
    recorder.asleep(table, BEGAN, due)
    woken = due + late
    recorder.awake(table, woken)
    if goes_on:
        recorder.asleep(table, woken, woken + NS)
    writer.close()
    memory.close(keep=True)
    found = parse_memory(read_record(path), hand.boot)
    assert found is not None
    assert found.beat is not None
    assert found.beat.served_until(woken + late - SERVED_NS, BEGAN) == served
