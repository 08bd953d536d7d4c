"""The lines under the banner: what stands though no window shows it, what only the director can do, and for how long a decision is asked for."""

from dataclasses import replace

import pytest

from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from rules.duration import parse_instant
from tests.firmware.gestures.trains import setup
from tests.firmware.saying import play

RUN = ("0 press right", "60 press left", "90 press right")
THIRD = tuple(f"{t} infraction left" for t in (91, 92, 93))
ASKED = "Minor infraction 3: the director decides on a minute"
OUT_HELD = (*RUN, "95 out_play", "97 press left")


def at(t: str, *lines: str, rulebook: str = "naspa-2017", frozen: bool = False) -> Face:
    now = parse_instant(t)
    table = ClockState(play(rulebook, *lines).record, setup(two_button=False))
    return face(replace(table, frozen=now) if frozen else table, now)


def test_a_hold_that_stands_over_a_stop_is_said_after_its_window_is_gone() -> None:
    stopped = at("150", *RUN, "95 hold", "97 neutralise reason=x")
    assert stopped.window is None
    assert "The hold stands" in stopped.details
    assert not any("hold" in detail for detail in at("150", *RUN, "97 neutralise").details)


def test_a_hold_that_stands_is_said_while_a_player_decides() -> None:
    for side in ("left", "right"):
        deciding = at("150", *RUN, "95 hold", "97 neutralise reason=x", f"98 decide {side}")
        assert "The hold stands" in deciding.details, side
    assert at("150", *RUN, "97 neutralise reason=x", "98 decide right").details == ()


@pytest.mark.parametrize(
    ("rulebook", "t", "holder", "on_hold"),
    [
        ("naspa-2017", "109.5", "You hold: your clock runs · 0:01 and your opponent may draw", "Wait 0:01, then you may draw, tiles apart"),
        ("naspa-2017", "110", "Your opponent may draw, tiles apart", "You may draw now, tiles apart"),
        ("naspa-2017", "500", "Your opponent may draw, tiles apart", "You may draw now, tiles apart"),
        # No courtesy draw.
        ("nzasp-2022", "110", "You hold: your clock runs", "Wait · hold your button 1\u00a0s when it is released"),
    ],
)
def test_a_hold_names_who_may_draw_and_when(rulebook: str, t: str, holder: str, on_hold: str) -> None:
    assert [half.prompt for _, half in at(t, *RUN, "95 hold", rulebook=rulebook).halves.items()] == [holder, on_hold]


def test_the_courtesy_draw_counts_on_in_the_instructions_under_another_window() -> None:
    mixing = at("106", *RUN, "95 hold", "105 window name=mixing")
    assert mixing.window is not None
    assert (mixing.window.title, mixing.halves.right.prompt) == ("MIXING", "Wait 0:04, then you may draw, tiles apart")


def test_a_held_out_play_is_said_to_both_with_what_accepts_and_challenges_it() -> None:
    held = at("100", *OUT_HELD)
    assert [half.status for _, half in held.halves.items()] == ["OUT PLAY HELD", "OUT PLAY HELD"]
    assert [half.prompt for _, half in held.halves.items()] == [
        "Your opponent holds your out play",
        "Accept: hold your button 1\u00a0s. Challenge: hold the\u00a0bar 2\u00a0s",
    ]


def test_in_new_zealand_an_out_play_on_which_the_opponents_clock_was_started_is_called_not_accepted_and_not_held() -> None:
    started = at("120", *RUN, "95 out_play", "105 press left", rulebook="nzasp-2022")
    assert [half.status for _, half in started.halves.items()] == ["OUT PLAY NOT ACCEPTED", "OUT PLAY NOT ACCEPTED"]
    assert [half.prompt for _, half in started.halves.items()] == [
        "Your opponent has not accepted your out play",
        "Accept: hold your button 1\u00a0s. Challenge: hold the\u00a0bar 2\u00a0s",
    ]


@pytest.mark.parametrize("lines", [(), RUN, (*RUN, "95 hold"), (*RUN, "95 neutralise"), (*RUN, "95 challenge"), (*RUN, "95 end reason=x")])
def test_until_the_times_are_confirmed_no_half_and_no_line_asks_a_player_to_press(lines: tuple[str, ...]) -> None:
    shown = at("100", *lines, frozen=True)
    assert {half.prompt for _, half in shown.halves.items()} == {"The director confirms the times first"}
    assert not any(word in detail.lower() for detail in shown.details for word in ("press", "say why"))
    assert shown.hint == ""
    assert {half.prompt for _, half in at("100", *lines).halves.items()} != {"The director confirms the times first"}


@pytest.mark.parametrize(
    "after",
    [
        "94 adjust left seconds=-60 when=now reason=x",
        "94 adjust right seconds=60 when=end reason=x",
        "94 press left",
    ],
)
def test_the_director_is_asked_about_a_minute_until_it_is_given_or_the_next_turn_begins(after: str) -> None:
    assert ASKED in at("93", *RUN, *THIRD).details
    assert ASKED not in at("95", *RUN, *THIRD, after).details


@pytest.mark.parametrize(
    "after",
    [
        ("94 neutralise",),
        ("94 neutralise", "95 resume left"),  # still the same turn
        ("94 adjust left seconds=60 when=now reason=x", "95 undo event=8 reason=x"),
    ],
)
def test_a_stop_in_the_same_turn_and_a_minute_that_was_struck_leave_the_question_open(after: tuple[str, ...]) -> None:
    assert ASKED in at("96", *RUN, *THIRD, *after).details


def test_a_minute_before_the_third_infraction_is_not_its_answer_and_the_question_follows_a_swap() -> None:
    minute = "90.5 adjust left seconds=60 when=now reason=x"
    swapped = at("96", *RUN, minute, *THIRD, "94 neutralise", "95 swap reason=x")
    assert ASKED in swapped.details
    assert ASKED in at("93", *RUN, minute, *THIRD).details


def test_before_the_start_nothing_is_said_twice_and_a_reason_begins_with_a_capital() -> None:
    assert at("1").details == ("Menu: hold the\u00a0bar 1\u00a0s",)
    assert at("130", *RUN, "95 out_play").details[0] == "Out play"


@pytest.mark.parametrize(
    ("lines", "t", "details"),
    [
        (("95 end reason=x",), "100.9", ("X", "Disconnected tiles? 0:15", "Since the end: 0:05")),
        (("95 end reason=x",), "115", ("X", "Since the end: 0:20")),
        (("95 end reason=forfeit loser=left",), "200", ("Forfeit", "No recount", "Since the end: 1:45")),
    ],
)
def test_the_end_says_for_how_long_tiles_may_be_called_disconnected_and_whether_there_is_a_recount(
    lines: tuple[str, ...], t: str, details: tuple[str, ...]
) -> None:
    assert at(t, *RUN, *lines).details == details


@pytest.mark.parametrize(
    ("lines", "t"),
    [
        (("0 press right",), "2105"),  # the limit
        (("0 late_start left",), "1505"),  # a forfeit by itself
        (("0 late_start both",), "1505"),
        ((*RUN, "95 end reason=resignation loser=left"), "100"),
        (("95 end reason=x",), "100"),  # nothing was played
    ],
)
def test_an_end_that_disconnected_tiles_do_not_change_asks_for_none(lines: tuple[str, ...], t: str) -> None:
    assert not any("Disconnected" in line for line in at(t, *lines).details)


def test_after_the_limit_there_is_no_recount_and_the_loser_reads_that_the_opponent_wins() -> None:
    limit = at("2110", "0 press right")
    assert limit.details[:2] == ("Overtime limit", "No recount")
    assert [half.prompt for _, half in limit.halves.items()] == [
        "Your opponent wins by one point at least",
        "You win by one point at least",
    ]


def test_with_both_absent_the_elapsed_time_is_shown() -> None:
    assert at("65.9", "0 late_start both").details == ("Both absent for 1:05",)


def test_a_stop_without_a_reason_asks_for_one_on_the_strip_and_after_a_hold_says_that_it_is_a_challenge() -> None:
    assert at("100", *RUN, "95 neutralise").hint == "Say why: hold the\u00a0bar 1\u00a0s"
    assert (
        at("100", *RUN, "95 hold", "97 neutralise").hint == "After HOLD a stop is a challenge. Another reason? Hold the\u00a0bar 1\u00a0s"
    )
    assert at("100", *RUN, "95 neutralise reason=x").hint == ""


def test_after_the_end_the_strip_says_how_the_next_game_begins() -> None:
    assert at("100", *RUN, "95 end reason=x").hint == "Slip signed? Next game: hold the\u00a0bar 2\u00a0s"


def test_the_call_for_the_director_stands_on_the_strip_until_it_is_answered() -> None:
    lines = (*RUN, "95 neutralise", "96 call on=true")
    assert at("97", *lines).called == "DIRECTOR PLEASE"
    assert at("98", *lines, "97.5 call on=false").called == ""
