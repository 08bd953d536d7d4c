"""A table's page: each event says whose it was, each turn what its clock was charged."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from game.events import Hold, Neutralise, OutPlay, Release, Resume, StartWindow, Undo
from hall.desk.cards.history import TurnUse, history, turns, turns_now
from rules.side import BySide, Side
from tests.firmware.saying import play
from tests.hall.desk.trial_hall import NS, TrialHall


def test_each_event_says_whose_it_was(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    hall.say(1, Hold(), 40)
    hall.say(1, Neutralise("spilled tiles"), 30)
    hall.say(1, Resume(Side.LEFT), 20)
    hall.desk.changes(hall.now())
    card = hall.desk.card("1")
    assert card is not None
    game = hall.desk.game(card)
    assert game is not None
    said = [line.what for line in history(game, BySide("Ann", ""))]
    assert said[1:] == [
        "Right pressed",
        "Hold by Ann (left)",
        "Clock of Ann (left) stopped: spilled tiles",
        "Clock of Ann (left) started",
    ]


def test_a_release_after_an_out_play_says_that_this_is_accepted(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    for ago_s, event in ((40, Hold()), (35, Release()), (30, Hold()), (20, OutPlay()), (10, Release())):
        hall.say(1, event, ago_s)
    hall.desk.changes(hall.now())
    game = hall.desk.game(hall.desk.cards[hall.clocks[1].device.id])
    assert game is not None
    said = [line.what for line in history(game, BySide("Ann", "Bo"))]
    assert said[3:] == ["Hold released", "Hold by Ann (left)", "Out play by Ann (left)", "Out play accepted by Bo (right)"]


def test_a_new_game_says_the_times_that_are_not_its_rulebooks(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, left_s=1200)
    hall.desk.changes(hall.now())
    game = hall.desk.game(hall.desk.cards[hall.clocks[1].device.id])
    assert game is not None
    assert history(game, BySide("", ""))[0].what == "New game: naspa-2017, left 20:00"


def test_a_time_frame_says_how_long_ago_it_began_and_how_long_a_break_is(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    hall.say(1, StartWindow("missed_press", ago=10 * NS), 40)
    hall.say(1, StartWindow("between_rounds", length=300 * NS), 30)
    hall.desk.changes(hall.now())
    game = hall.desk.game(hall.desk.cards[hall.clocks[1].device.id])
    assert game is not None
    said = [line.what for line in history(game, BySide("", ""))]
    assert said[2:] == ["Time frame: missed_press, 10 s ago", "Time frame: between_rounds, 300 s"]


def test_an_event_that_was_struck_still_says_whose_it_was(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    hall.say(1, Hold(), 40)
    hall.say(1, Undo("a slip", 3), 30)
    hall.desk.changes(hall.now())
    game = hall.desk.game(hall.desk.cards[hall.clocks[1].device.id])
    assert game is not None
    said = [(line.what, line.row.fate) for line in history(game, BySide("Ann", ""))]
    assert said[2:] == [("Hold by Ann (left)", "struck by event 4"), ("Undone: event 3: a slip", "")]


@pytest.mark.parametrize(
    ("lines", "used"),
    [
        (("0 press right", "11.2 hold", "13.8 press left", "20 press right"), "left 13.8, right 6.2, left 10"),
        (("0 press right", "11.2 hold", "12 release", "12.5 hold", "13.8 press left"), "left 13.8, right 16.2"),
        (("0 press right", "4 hold", "5 neutralise reason=x", "9 resume left", "10 release"), "left 26"),
        (("0 press right", "4 hold", "5 challenge", "9 verdict acceptable=false", "10 press right"), "left 25"),
        (("0 press right", "4 call on=true", "5 neutralise reason=x", "6 decide right", "8 press right"), "left 5, right 2, left 22"),
        (("0 press right", "7 press left", "7 press right"), "left 7, right 0, left 23"),
        (("0 press right", "7 press left", "9 neutralise reason=x", "10 swap reason=x", "11 resume left"), "right 7, left 21"),
        (("0 late_start both", "9 arrive left", "12 arrive right", "15 press right"), "right 12, left 15"),
        (("0 press right", "7 hold", "9 undo reason=x", "10 press left"), "left 10, right 20"),
    ],
)
def test_a_turn_is_what_the_clock_charged_in_it(lines: tuple[str, ...], used: str) -> None:
    told = play("naspa-2017", *lines)
    assert words_of(turns(told.record, 30 * NS)) == used


def test_a_turn_ends_where_the_limit_ends_the_game() -> None:
    told = play("naspa-2017 left_seconds=40", "0 press right", "5 hold")
    assert words_of(turns(told.record, 5000 * NS)) == "left 641"


def test_a_turn_that_runs_lasts_until_now_after_a_hold(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 1_000_000 * NS)
    hall.begin(1, ago_s=60)
    hall.say(1, Hold(), 40)
    hall.desk.changes(hall.now())
    device = hall.clocks[1].device
    game = hall.desk.game(hall.desk.cards[device.id])
    assert game is not None
    assert words_of(turns_now(game, device, hall.now())) == "left 60"
    # The clock reports an event whose row is still on its way.
    assert device.clock is not None
    device.clock = device.clock.model_copy(update={"number": 9})
    assert words_of(turns_now(game, device, hall.now())) == "left 20"


def words_of(found: tuple[TurnUse, ...]) -> str:
    assert [turn.number for turn in found] == list(range(1, len(found) + 1))
    return ", ".join(f"{turn.side.value} {(Decimal(turn.used) / NS).normalize():f}" for turn in found)
