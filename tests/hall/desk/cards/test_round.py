"""The round's forecast: the earliest overtime that is possible, and none by pace before enough time is used."""

from __future__ import annotations

from pathlib import Path

from firmware.core.events import End
from hall.desk.cards.round import RoundView, round_view
from rules.side import Side
from tests.hall.desk.trial_hall import NS, TrialHall

NOW = 1_000_000 * NS


def view(hall: TrialHall) -> RoundView:
    hall.desk.changes(NOW)
    return round_view(tuple(hall.desk.cards.values()), None, NOW)


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
