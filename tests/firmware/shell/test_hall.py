"""A live clock and its link: state on every event, rows from the journal, and nothing at all without a hall."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from appliance.clocks import Clocks
from appliance.records.chain import GENESIS, chained
from firmware.journal.store import Store
from firmware.journal.writer import JournalWriter
from firmware.screens.screen import Quit
from firmware.settings.model import HallSettings
from firmware.settings.places import merge
from firmware.shell.assemble import assembled
from firmware.shell.hall import HallDesk
from firmware.shell.notices import Notices
from game.events import NewGame
from game.journal.reading import reading, verify
from game.journal.row import GameStamp, Kind, Row
from game.table import OfferedGame, next_game
from hardware.boards.board import load_board
from hardware.pins.mock import MockBoard
from rules.duration import NS
from rules.side import Side
from tests.firmware.gestures.trains import setup, table
from tests.firmware.shell.live_clock import PRESS_NS, LiveClock, live
from tests.firmware.shell.rig import rows_in
from tests.processes import PATIENCE_S, until
from tests.wire.local.served import greet, packets
from wire.keys import load_key
from wire.local.client import DeviceClient
from wire.reports import CardHealth, ClockReport, DeviceBeat, OpenCall, Presence, ProposalAnswer, RowBatch
from wire.topics import CLOCK

ORDER = '{"v": 1, "body": "{\\"id\\": \\"' + "0a" * 16 + '\\", \\"do\\": \\"resume\\"}", "signature": ""}'


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[LiveClock]:
    with live(tmp_path) as clock:
        yield clock


def _rows(clock: LiveClock, after: int = 0) -> RowBatch:
    clock.client.write({"t": "rows", "after": after, "limit": 100})
    return RowBatch.model_validate(packets(clock.client, "rows")[0])


def _beat(clock: LiveClock) -> DeviceBeat:
    clock.client.write({"t": "beat"})
    packet = packets(clock.client, "beat")[0]
    return DeviceBeat.model_validate({**packet, "sent": 1, "echo": None, "lag": 0, "dropped": 0})


def test_presence_says_who_and_where(clock: LiveClock) -> None:
    until(lambda: clock.value("up") is not None, "presence")
    presence = Presence.model_validate(clock.value("up"))
    assert (presence.up, presence.kind, presence.table, presence.name) == (True, "clock", 12, "Red case")
    assert presence.versions.keys() == {"tileclock"}
    assert load_key(clock.folder / "device.pem", CLOCK).public == presence.key


def test_a_press_makes_one_state_and_a_running_clock_none(clock: LiveClock) -> None:
    began = clock.state("ready", None)
    # A state that is sent before the journal has a row names no epoch; it is sent again with the next beat.
    until(lambda: clock.value("state")["epoch"] is not None, "the epoch")
    clock.press("right")
    ran = clock.state("running", "left")
    assert ran.number == began.number + 1
    assert ran.epoch == rows_in(clock.journal)[0].hash[:16]
    game = clock.loop._clock.table.game_at(time.monotonic_ns())
    now = time.monotonic_ns()
    assert abs(ran.left.remaining_ns - (now - ran.at) - game.remaining(Side.LEFT, now)) < 5_000_000
    before = len(clock.heard)
    clock.press("left")
    clock.state("running", "right")
    assert [each["name"] for each in clock.heard[before:] if each["t"] == "set"] == ["state"]


def test_rows_come_live_and_fit_the_chain(clock: LiveClock) -> None:
    until(lambda: any(link.row.kind == Kind.SIGNED for link in rows_in(clock.journal)), "the start's signature")
    batch = _rows(clock)
    head, after = GENESIS, batch.last
    for own, fields in batch.rows:
        assert fields is not None
        head = chained(head, fields)
        assert head == own
    clock.client.write({"t": "rows", "after": after, "limit": 100})
    clock.press("right")
    live_batch = RowBatch.model_validate(packets(clock.client, "rows")[0])
    assert (live_batch.first, live_batch.previous) == (after + 1, head)
    fields = live_batch.rows[0][1]
    assert fields is not None
    assert json.loads(fields[-1]) == {"do": "press", "side": "right"}


def test_a_beat_has_the_head_of_the_journal_and_a_nonce_of_its_own(clock: LiveClock) -> None:
    until(lambda: any(link.row.kind == Kind.SIGNED for link in rows_in(clock.journal)), "the start's signature")
    batch = _rows(clock)
    nonces = set()
    for _ in range(2):
        beat = _beat(clock)
        assert (beat.seq, beat.head, beat.epoch, beat.power) == (batch.last, batch.rows[-1][0], batch.epoch, "ok")
        assert beat.card is not None
        assert (beat.card.free or 0) > 0
        assert (beat.card.slowest_ns > 0, beat.card.fault) == (True, None)
        nonces.add(beat.nonce)
    assert len(nonces) == 2


def test_a_card_that_hangs_is_told_while_it_hangs(clock: LiveClock, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, append = threading.Event(), Store.append

    def slow(store: Store, rows: Sequence[Row], stamp: GameStamp | None) -> None:
        assert hangs.wait(PATIENCE_S)
        append(store, rows, stamp)

    def slowest() -> int:
        card = _beat(clock).card
        assert card is not None
        return card.slowest_ns

    before = slowest()
    monkeypatch.setattr(Store, "append", slow)
    clock.press("right")
    until(lambda: slowest() > before + NS, "a commit that lasts")
    hangs.set()


def test_the_players_call_is_open_until_the_director_comes(tmp_path: Path) -> None:
    settings = HallSettings(enabled=True, table=12, socket=str(tmp_path / "hall.sock"), key=str(tmp_path / "device.pem"))
    client, notices = DeviceClient(tmp_path / "hall.sock"), Notices(setup().texts)
    with closing(HallDesk(settings, tmp_path / "journal.db", Clocks(), lambda _: None)) as desk:
        desk.begin()
        greet(client)
        calls = []
        for lines in (["5 press right"], ["5 press right", "20 call on=true"], ["5 press right", "20 call on=true", "30 call on=false"]):
            desk.show(table("naspa-2017", *lines), 1, 40 * NS, notices)
            desk.show(table("naspa-2017", *lines), 1, 41 * NS, notices)
            calls.append(_values(client, "call"))
        client.close()
    assert (calls[0], calls[2]) == ([], [None])
    call = OpenCall.model_validate(calls[1][0])
    assert (call.since, call.table, call.from_, len(calls[1])) == (40 * NS, 12, "players", 1)


def test_a_set_up_that_is_offered_is_reported_at_once(tmp_path: Path) -> None:
    settings = HallSettings(enabled=True, socket=str(tmp_path / "hall.sock"), key=str(tmp_path / "device.pem"))
    ready, new = table("naspa-2017"), next_game(table("naspa-2017").record)
    began = ready.record.event
    assert isinstance(began, NewGame)
    offers = replace(ready, setup=replace(ready.setup, offered=OfferedGame(new, began)))
    client, notices = DeviceClient(tmp_path / "hall.sock"), Notices(setup().texts)
    with closing(HallDesk(settings, tmp_path / "journal.db", Clocks(), lambda _: None)) as desk:
        desk.begin()
        greet(client)
        said = []
        for state in (ready, offers):
            desk.show(state, 1, 40 * NS, notices)
            said.append([ClockReport.model_validate(each).offered is not None for each in _values(client, "state")])
        client.close()
    assert said == [[False], [True]]


def _values(client: DeviceClient, name: str) -> list[Any]:
    """Return all values of that name that have come so far. A beat goes before values, so the second one follows them all."""
    found: list[dict[str, Any]] = []
    for beats in (1, 2):
        client.write({"t": "beat"})
        until(partial(_came, client, found, beats), "a beat")
    return [each["value"] for each in found if each["t"] == "set" and each["name"] == name]


def _came(client: DeviceClient, found: list[dict[str, Any]], beats: int) -> bool:
    found += client.read()
    return len([each for each in found if each["t"] == "beat"]) >= beats


def test_an_order_is_answered_and_changes_nothing(clock: LiveClock) -> None:
    before = clock.state("ready", None)
    clock.client.write({"t": "in", "topic": "order", "payload": ORDER, "retained": False})
    until(lambda: clock.value("ack/" + "0a" * 16) is not None, "the answer")
    answer = ProposalAnswer.model_validate(clock.value("ack/" + "0a" * 16))
    assert (answer.accepted, answer.reason) == (False, "not_enrolled")
    # The epoch may have become known since.
    assert ClockReport.model_validate(clock.value("state")).model_copy(update={"epoch": before.epoch}) == before


def test_a_journal_that_is_lost_begins_a_new_epoch(clock: LiveClock) -> None:
    first = _rows(clock).epoch
    for suffix in ("", "-wal", "-shm"):
        Path(f"{clock.journal}{suffix}").unlink(missing_ok=True)
    clock.press("right")

    def anew() -> bool:
        clock.client.write({"t": "rows", "after": 0, "limit": 1})
        clock.heard += clock.client.read()
        return any(each["epoch"] != first for each in clock.heard if each["t"] == "rows")

    until(anew, "the new journal's rows")
    until(lambda: clock.value("state") is not None and clock.value("state")["epoch"] not in (None, first), "the new epoch in the state")


def test_a_clock_whose_socket_cannot_be_made_plays(tmp_path: Path) -> None:
    board = MockBoard(load_board("full"))
    chosen = {
        "journal.path": str(tmp_path / "journal.db"), "board.pins": "mock", "screen.kind": "none", "hall.enabled": True,
        "hall.socket": str(tmp_path / "missing" / "hall.sock"), "hall.key": str(tmp_path / "missing" / "device.pem"),
    }  # fmt: skip
    with assembled(merge([("test", chosen)]).settings, Clocks(), board.factory) as loop:
        loop.begin()
        thread = threading.Thread(target=loop.run)
        thread.start()
        board.press("right", time.monotonic_ns(), PRESS_NS)
        until(lambda: loop._clock.table.game_at(time.monotonic_ns()).running is not None, "the press")
        until(lambda: "cannot be made" in loop._hall._source.link_state.why, "the reason")  # type: ignore[union-attr]  # the clock's own end
        loop.inbox.put(Quit())
        thread.join()
    with reading(tmp_path / "journal.db") as connection:
        assert verify(connection).fault is None


def test_a_beat_says_why_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "journal.db"
    folder.mkdir()
    writer = JournalWriter(folder, lambda _: None)
    desk = HallDesk(HallSettings(), folder, Clocks(), lambda _: None)
    desk.watch(writer)
    until(lambda: writer.trouble is not None, "the trouble")
    card = CardHealth.model_validate(desk.beat()["card"])
    assert ((card.free or 0) > 0, "The game is not being recorded" in (card.fault or "")) == (True, True)
    writer.close()


def test_without_a_hall_nothing_of_it_is_imported(tmp_path: Path) -> None:
    program = (
        "import sys; from firmware.shell.assemble import assembled; from firmware.settings.places import merge; from appliance.clocks import Clocks\n"
        f"settings = merge([('test', {{'journal.path': {str(tmp_path / 'journal.db')!r}, 'board.pins': 'none', 'screen.kind': 'terminal'}})]).settings\n"
        "import firmware.shell.machine as o; from firmware.screens.screen import BlankScreen; o.open_screen = lambda _: BlankScreen()\n"
        "with assembled(settings, Clocks()) as loop: loop.begin()\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('wire', 'hall', 'cryptography', 'paho') or 'firmware.hall' in name))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ},
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"
