"""The round's forecast: the earliest overtime that is possible, and none by pace before enough time is used."""

from __future__ import annotations

from pathlib import Path

from game.events import End
from hall.desk.cards.round import RoundView, round_view
from hall.desk.cards.seating import TableSeat
from hall.store.events import StoredEvent
from rules.side import BySide, Side
from tests.hall.desk.trial_hall import NS, TrialHall

NOW = 1_000_000 * NS


def view(hall: TrialHall) -> RoundView:
    hall.desk.changes(NOW)
    return round_view(tuple(hall.desk.cards.values()), hall.desk.seats, None, NOW)


def test_early_in_a_round_only_the_earliest_overtime_is_said(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 2, lambda: NOW)
    assert view(hall).earliest is None
    hall.begin(1, ago_s=30)
    hall.begin(2, ago_s=60)
    found = view(hall)
    assert (found.too_early, found.forecast) == (True, ())
    assert found.earliest is not None
    # 25 minutes, and -0:00 is no overtime.
    assert (found.earliest.card.table, found.earliest.side, found.earliest.earliest) == (2, Side.LEFT, NOW + (1500 + 1 - 60) * NS)


def test_later_a_pace_is_known_and_after_all_games_there_is_no_forecast(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: NOW)
    hall.begin(1, ago_s=400)
    assert not view(hall).too_early
    hall.say(1, End("x"))
    assert (view(hall).earliest, view(hall).playing) == (None, 0)


def test_after_the_next_round_is_current_the_games_of_the_last_one_are_not_its_games(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 3, lambda: NOW)
    hall.desk.seats = {table: TableSeat(clock.names) for table, clock in hall.clocks.items()}
    for table in hall.clocks:
        hall.begin(table, ago_s=400)
    hall.say(1, End("x"))
    hall.say(2, End("x"))
    before = view(hall)
    assert (before.playing, before.elsewhere, before.over, before.not_started) == (1, 0, 2, ())
    # Table 2 has the same players again: their game may be either round's.
    others = {table: TableSeat(BySide(f"Cy {table}", f"Di {table}")) for table in (1, 3)}
    hall.desk.begin_round(NOW - 60 * NS)
    hall.desk.take_event(StoredEvent(hall.desk.event, 2, 1, {}), {**hall.desk.seats, **others})
    after = view(hall)
    assert (after.playing, after.elsewhere, after.over) == (0, 1, 1)
    assert [card.table for card in after.not_started] == [1]
    assert {card.table: [need.words for need in card.needs] for card in hall.desk.cards.values()} == {1: ["not started"], 2: [], 3: []}
