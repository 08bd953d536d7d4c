"""What the desk shows is what the clock shows: after every event of random games, and at any instant between two."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.gestures.clock_state import ClockState
from firmware.hall.report import ReportStamp, clock_report
from firmware.menu.setup import Setup
from firmware.texts import load_texts
from game.journal.row import GameStamp, covered, rows_of
from game.record import Record, accept, begin
from game.script import show_line
from game.table import Assignment
from hall.desk.cards.folded import FoldedGame, folded, stored_rows
from hall.desk.cards.history import turns_now
from hall.desk.cards.live import agrees
from hall.desk.cards.table import Known, table_card
from hall.desk.web.pages import card_reading
from hall.picture.hall import RemoteDevice
from hall.picture.remote_clock import Exchange, Offsets
from rules.duration import reading
from rules.side import BySide, Side
from tests.examples import examples
from tests.firmware.random_games import Played, played
from wire.reports import WireRow

NS = 1_000_000_000
SETUP = Setup(two_button=False, rulebooks=(), texts=load_texts("en"), reasons={})
PLACE = Assignment(12, BySide("Ann", "Bo"))
STAMP = ReportStamp("boot", "0011223344556677")


class Journal:
    """A clock's rows, as its journal makes them and the network brings them."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.rows: list[WireRow] = []
        self._record: Record | None = None

    def take(self, record: Record, at: int) -> FoldedGame:
        stamp = GameStamp(at, at - self.offset, "boot", "2026-01-01T00:00:00.000+00:00")
        for row in rows_of(self._record, record, 1, stamp):
            seq = len(self.rows) + 1
            self.rows.append((f"{seq:064x}", json.loads(json.dumps(covered(seq, row)))))
        self._record = record
        found = folded(tuple(stored_rows(self.rows)))
        assert found is not None
        return found


def records(game: Played) -> Iterator[tuple[Record, int]]:
    """Yield the record after the beginning and after each event, and that instant."""
    beginning, script = game
    record = begin(beginning, 0)
    yield record, 0
    for line in script:
        record = accept(record, line.event, line.at)
        yield record, line.at


def steps(game: Played, restarted: int) -> Iterator[tuple[FoldedGame, ClockState, int]]:
    """Yield after each event what the desk has folded, the clock, and the instant of the clock's machine (ns)."""
    journal = Journal(restarted)
    for record, at in records(game):
        yield journal.take(record, at), ClockState(record, SETUP, offset=restarted), at - restarted


@given(played(), st.integers(-(10**14), 10**14), st.integers(-(10**13), 10**13), st.integers(0, 2000 * NS))
@settings(max_examples=examples(600), deadline=None)
def test_desk_and_clock_have_one_face(game: Played, restarted: int, apart: int, later: int) -> None:
    for seen, clock, hands in steps(game, restarted):
        for now in (hands, hands + later):
            own, instant = clock.game_at(now), clock.instant(now)
            desk = seen.at(now)
            assert desk is not None
            assert show_line(desk, seen.instant(now), "") == show_line(own, instant, "")
            device = device_of(clock, now, apart)
            assert device.clock is not None
            # A report is of the instant at which a change is seen, also one without an event.
            assert agrees(seen, device.clock)
            shown = table_card(device, Known(seen), now + apart)
            # A remote clock never shows more than it knows: here its machine's time is known exactly.
            assert {side: card_reading(shown, side, now + apart) for side in Side} == {
                side: reading(own.remaining(side, instant)) for side in Side
            }
            assert shown.phase == own.phase.value
            assert shown.sides is not None
            assert all(shown.sides.of(side).penalty == own.penalty(side, instant) for side in Side)


@given(played(), st.integers(-(10**14), 10**14), st.integers(-(10**13), 10**13), st.integers(0, 2000 * NS))
@settings(max_examples=examples(200), deadline=None)
def test_the_turns_of_a_side_make_up_what_its_clock_has_used(game: Played, restarted: int, apart: int, later: int) -> None:
    for seen, clock, hands in steps(game, restarted):
        for now in (hands, hands + later):
            bars = turns_now(seen, device_of(clock, now, apart), now + apart)
            own, instant = clock.game_at(now), clock.instant(now)
            assert {side: sum(bar.used for bar in bars if bar.side is side) for side in Side} == {
                side: own.used_at(side, instant) for side in Side
            }
            assert all(bar.used >= 0 for bar in bars)


@given(played(), st.integers(0, 24), st.integers(1, 10**9))
@settings(max_examples=examples(100), deadline=None)
def test_rows_that_say_something_else_than_the_clock_are_noticed(game: Played, place: int, more: int) -> None:
    journal, last = Journal(0), None
    for record, at in records(game):
        seen, last = journal.take(record, at), (record, at)
    assert last is not None
    record, at = last
    report = device_of(ClockState(record, SETUP), at, 0).clock
    assert report is not None
    lying = report.model_copy(update={"left": report.left.model_copy(update={"remaining_ns": report.left.remaining_ns + more})})
    assert not agrees(seen, lying)
    assert agrees(seen, report)


def device_of(clock: ClockState, now: int, apart: int) -> RemoteDevice:
    """Return a device that has just reported; its machine's time lies ``apart`` (ns) from the listener's."""
    here = now + apart
    device = RemoteDevice("c-aaaaaaaaaaaaaaaa", here)
    device.clock = clock_report(clock, PLACE, 1, STAMP, now)
    device.beat_at = here
    device.offsets = Offsets("boot", (Exchange(apart, 0, here),))
    return device
