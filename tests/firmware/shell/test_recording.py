import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.clocks import Clocks
from appliance.crash.record import CrashRecord, read_record
from appliance.errors import RecordError
from firmware.gestures.clock_state import ClockState
from firmware.journal.recovery import MIN_NS, SERVED_NS, CrashMemory, parse_memory, record_path, recover
from firmware.journal.writer import JournalRecorder, JournalWriter, Progress, stamped
from firmware.settings import merge
from firmware.shell.assemble import setup_of
from firmware.shell.resume import start
from game import events as ev
from game.event_table import format_event
from game.game import Phase
from game.history import History, accept, begin
from records.journal import Kind, read_mark, reading
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.appliance.records.refusing import no_file_larger
from tests.firmware.gestures.trains import setup
from tests.firmware.journal.short_game import NoSentinel, rows_whole
from tests.firmware.saying import new_game
from tests.firmware.shell.processes import ready, running, said_in
from tests.firmware.shell.rig import BEGAN, PATIENCE_S, Hand, Rig, Step, ns, rig, rows_in
from tests.processes import until
from tests.some import some

pytestmark = pytest.mark.waits(16)

LATE = "RECORDING IS LATE: "
UNRECORDED = "The game is not being recorded: "


def test_a_damaged_journal_is_set_aside_and_said_until_the_game_begins(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"not a journal")
    (tmp_path / "journal.db-lock").touch()
    with rig(tmp_path) as table:
        table.play(table.press("5", "right"), until="10")
        (aside,) = tmp_path.glob("*.damaged")
        said = f"The journal cannot be used (it is not an SQLite file) and is kept as {aside.name}; a new one was begun"
        assert table.notices("4", "9") == [(said,), ()]
    assert aside.read_bytes() == b"not a journal"
    assert [kept.row.number for kept in rows_in(table.path) if kept.row.kind == Kind.EVENT] == [1, 2]


def _wait_until_written(table: Rig, at: str) -> list[Step]:
    def do() -> None:
        well = False
        while not well:
            assert table.screen.woken.wait(PATIENCE_S)
            table.screen.woken.clear()
            heard = table.loop.inbox.wait(0)
            well = any(isinstance(item, Progress) and item.trouble is None for item in heard)
            for item in heard:
                table.loop.inbox.put(item)

    return [(table.at(at), do)]


def test_a_journal_that_cannot_be_written_stops_no_game_and_holds_all_of_it_once_it_can(tmp_path: Path) -> None:
    folder = tmp_path / "card"
    folder.write_text("no folder yet")
    with rig(folder) as table:
        written = [(table.at("20"), folder.unlink), *_wait_until_written(table, "21")]
        table.play(table.press("5", "right"), table.press("15.5", "left"), written, table.press("30", "centre"), until="40")
        (notice,) = table.face("19").notices
        assert notice.startswith(f"{UNRECORDED}{table.path}: ")
        assert table.face("29").notices == ()
        # It is reported at the next stop, however short it was.
        (notice,) = table.face("39").notices
        assert notice.startswith("Recording was interrupted and goes on")
        assert table.used() == (ns("10.5"), ns("14.5"))
    assert [kept.row.at - BEGAN for kept in rows_in(table.path) if kept.row.kind == Kind.EVENT] == [0, ns("5"), ns("15.5"), ns("30")]


def test_a_clock_that_stops_on_a_full_disk_logs_that_not_all_is_in_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with no_file_larger(0), rig(tmp_path) as table:
        table.play(until="1")
    assert "not everything is in the journal" in "".join(capsys.readouterr())


def test_a_journal_that_another_program_held_at_the_start_numbers_the_new_game_after_the_old_ones(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        table.play(table.press("5", "right"), until="10", cut=True)
    holder = sqlite3.connect(table.path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    with rig(tmp_path, Hand(BEGAN + ns("3600"), boot="second boot")) as table:
        table.play([(table.at("2"), holder.close)], _wait_until_written(table, "3"), until="4")
    assert [kept.row.game for kept in rows_in(table.path) if kept.row.number == 1] == [1, 2]


def _held(table: Rig, seconds: str, until: str) -> list[Step]:
    """Return the steps of another program that holds the journal for so long: the clock's time goes on, its commits do not."""
    held = sqlite3.connect(table.path, isolation_level=None, check_same_thread=False)
    settled = table.screen.settled

    def hold() -> None:
        held.execute("BEGIN IMMEDIATE")
        table.screen.settled = lambda: True

    def release() -> None:
        held.execute("ROLLBACK")
        held.close()
        table.screen.settled = settled

    return [(table.at(seconds), hold), (table.at(until), release)]


def test_marks_that_come_late_are_said_and_kept_and_widen_what_a_power_cut_would_state(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        table.play(table.press("5", "right"), _held(table, "10.5", "14.2"), until="20", cut=True)
        # The mark of 10 s and a promise of a second more: until 12 s there is no notice.
        said = [any(notice.startswith(LATE) for notice in notices) for notices in table.notices("11.9", "13.9", "16")]
        assert (said, table.notices("16")) == ([False, True, False], [()])
    assert [note.keys() for note in table.notes()] == [{"marks_late_s"}]
    with reading(table.path) as connection:
        mark = read_mark(connection)
    # Due at 11 s or so, through at 14: the next promises are twice that, but for what is forgotten.
    assert some(mark).commit_ns > max(2 * ns("2.5"), MIN_NS)


def test_a_clock_that_stands_is_never_late(table: Rig) -> None:
    table.play(table.press("5", "right"), table.press("8", "centre"), table.press("600", "right"), until="605", cut=True)
    assert not any(notice.startswith(LATE) for _, face in table.screen.faces for notice in face.notices)


@pytest.mark.parametrize(
    ("late", "goes_on", "served"), [(SERVED_NS, False, True), (SERVED_NS + 1, False, False), (SERVED_NS + 1, True, True)]
)
def test_a_loop_that_hung_is_back_only_once_it_sleeps_again(tmp_path: Path, *, late: int, goes_on: bool, served: bool) -> None:
    table = ClockState(accept(begin(new_game("naspa-2017"), BEGAN), ev.Press(Side.LEFT), BEGAN), setup())
    hand, path = Hand(), tmp_path / "record"
    memory = CrashMemory(CrashRecord(path, NoSentinel), lambda error: pytest.fail(str(error)))
    memory.settle()
    writer = JournalWriter(tmp_path / "journal.db", lambda progress: None)
    recorder = JournalRecorder(writer, hand.clocks(), 1, None, memory)
    recorder.asleep(table, BEGAN, BEGAN + NS)
    woken = BEGAN + NS + late
    recorder.awake(table, woken)
    if goes_on:
        recorder.asleep(table, woken, woken + NS)
    writer.close()
    memory.close(keep=True)
    found = some(parse_memory(read_record(path), hand.boot))
    assert some(found.beat).served_until(woken + late - SERVED_NS, BEGAN) == served


BEGUN = ("press right",)
STOP = "neutralise program restarted"


@pytest.mark.parametrize(
    ("endings", "pins"),
    [
        ((signal.SIGINT,), "mock"),
        # A session that is dropped ends a clock without pins in order, and none that has pins: were it ended by itself, the process would have died of it.
        ((signal.SIGHUP,), "none"),
        ((signal.SIGHUP, signal.SIGTERM), "mock"),
    ],
)
def test_a_signal_ends_the_clock_cleanly_and_leaves_a_whole_journal(tmp_path: Path, endings: tuple[signal.Signals, ...], pins: str) -> None:
    path = tmp_path / "journal.db"
    with ready(tmp_path, "--journal", str(path), "--pins", pins) as process:
        for ending in endings:
            process.send_signal(ending)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert said_in(path) == ["new_game"]
    assert rows_whole(path)


def test_a_clock_that_is_killed_leaves_a_record_in_memory_for_the_next_and_one_that_ends_in_order_leaves_none(tmp_path: Path) -> None:
    path, session = tmp_path / "journal.db", Path(os.environ["XDG_RUNTIME_DIR"]) / "tileclock"
    before = set(session.glob("*")) if session.exists() else set()
    with ready(tmp_path, "--journal", str(path)) as process:
        (record,) = set(session.glob("*.crash")) - before
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert record.exists()
    with ready(tmp_path, "--journal", str(path)) as process:
        process.terminate()
        process.communicate(timeout=20)
    assert not record.exists()
    assert said_in(path) == ["new_game"]
    assert rows_whole(path)


def test_a_second_clock_on_the_same_journal_is_turned_away_and_leaves_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with ready(tmp_path, "--journal", str(path)) as first:
        with running("run", "--pins", "mock", "--screen", "none", "--journal", str(path)) as second:
            _, errors = second.communicate(timeout=20)
        assert second.returncode == 2
        assert f"in use by process {first.pid}" in errors
        assert "Traceback" not in errors
        first.terminate()
        first.communicate(timeout=20)
    assert said_in(path) == ["new_game"]
    assert rows_whole(path)


def _words(history: History) -> tuple[str, ...]:
    bodies = [format_event(link.event) for link in history.oldest_first()][1:]
    return tuple(" ".join(str(body[key]) for key in ("do", "side", "reason") if key in body) for body in bodies)


class PressedClock:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        command = [sys.executable, "-m", "tests.firmware.shell.pressed_clock", str(folder)]
        self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def do(self, *lines: str) -> None:
        for line in lines:
            some(self._process.stdin).write(f"{line}\n")
            some(self._process.stdin).flush()
            assert some(self._process.stdout).readline() == f"{line}\n"

    def said(self) -> tuple[str, ...]:
        try:
            recovered = recover(self.path, load_rulebook)
        except RecordError:
            return ()
        return () if recovered is None or recovered.history is None else _words(recovered.history)

    def decides(self, events: tuple[str, ...]) -> None:
        """Wait until the disk has these events, and no others."""
        self.do("slow 1")
        until(lambda: self.said() == events, "the events did not come")
        self.do("slow 20")

    def kill(self) -> None:
        self._process.kill()
        assert self._process.wait() in (0, -signal.SIGKILL)
        self._process.communicate()


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[PressedClock]:
    pressed = PressedClock(tmp_path)
    try:
        # A short press stays short on a busy machine.
        pressed.do("slow 20", "down right", "up right")
        pressed.decides(BEGUN)
        yield pressed
    finally:
        pressed.kill()


@pytest.mark.parametrize(
    ("done", "decided", "held", "shown", "phase"),
    [
        # The bar in a running turn leaves the stop; the opponent's press leaves the out play pending and the game not over.
        ("", "", "down centre", "neutralise", Phase.NEUTRAL),
        (
            "down centre,up centre,down left,slow 1,page open,slow 20,up left,down left,up left",
            "neutralise,out_play",
            "down right",
            "",
            Phase.OUT_PLAY,
        ),
    ],
)
def test_killed_in_a_held_press_memory_has_its_short_meaning_and_the_disk_nothing_of_it(  # noqa: PLR0913, PLR0917 - a row of the table
    clock: PressedClock, done: str, decided: str, held: str, shown: str, phase: Phase
) -> None:
    clock.do(*filter(None, done.split(",")))
    recorded = (*BEGUN, *filter(None, decided.split(",")))
    clock.decides(recorded)
    clock.do(*filter(None, [held]))
    clock.kill()
    now, boot = time.monotonic_ns(), Clocks().boot()
    record = record_path(clock.path.parent, clock.path, boot)
    crashed = some(parse_memory(read_record(record), boot))
    for memory, events in ((crashed, (*recorded, *filter(None, [shown]))), (None, recorded)):
        begun = start(clock.path, setup_of(merge([]).settings), new_game("naspa-2017"), stamped(Clocks(), now, now), memory)
        (*_, table) = begun.tables
        assert table.table_menu is None
        assert table.frozen is not None, "players do nothing before the director has confirmed the times"
        assert _words(table.history) in (events, (*events, STOP)), "a clock that ran comes back stopped"
        assert memory is None or table.game_at(now).phase is phase
