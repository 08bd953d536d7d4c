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
ASKED = "Infraction 3 of LEFT: director decides on a minute"
OUT_HELD = (*RUN, "95 out_play", "97 press left")


def at(t: str, *lines: str, rulebook: str = "naspa-2017", frozen: bool = False) -> Face:
    now = parse_instant(t)
    table = ClockState(play(rulebook, *lines).record, setup(two_button=False))
    return face(replace(table, frozen=now) if frozen else table, now)


def test_a_hold_that_stands_over_a_stop_is_said_after_its_window_is_gone() -> None:
    stopped = at("150", *RUN, "95 hold", "97 neutralise reason=x")
    assert stopped.window is None
    assert "HOLD stands: LEFT holds" in stopped.details
    assert not any("HOLD" in detail for detail in at("150", *RUN, "97 neutralise").details)


@pytest.mark.parametrize(
    ("rulebook", "t", "details"),
    [
        ("naspa-2017", "119.9", ()),  # the window says it
        ("naspa-2017", "120", ("may draw now, tiles apart",)),
        ("nzasp-2022", "120", ()),  # no courtesy draw
    ],
)
def test_in_a_long_hold_the_courtesy_draw_stays_allowed_when_its_window_is_gone(rulebook: str, t: str, details: tuple[str, ...]) -> None:
    assert at(t, *RUN, "95 hold", rulebook=rulebook).details == details


def test_a_held_out_play_is_said_to_both_with_what_ends_it() -> None:
    held = at("100", *OUT_HELD)
    assert [half.status for _, half in held.halves.items()] == ["OUT PLAY HELD", "OUT PLAY HELD"]
    assert [half.prompt for _, half in held.halves.items()] == ["Your opponent holds your out play", "Press to accept the play"]
    assert held.details == ("A press or a release ends the game; or challenge",)


def test_in_new_zealand_an_out_play_on_which_the_opponents_clock_was_started_is_called_not_accepted_and_not_held() -> None:
    started = at("120", *RUN, "95 out_play", "105 press left", rulebook="nzasp-2022")
    assert [half.status for _, half in started.halves.items()] == ["OUT PLAY NOT ACCEPTED", "OUT PLAY NOT ACCEPTED"]
    assert started.halves.left.prompt == "Your opponent has not accepted your out play"


@pytest.mark.parametrize("lines", [(), RUN, (*RUN, "95 hold"), (*RUN, "95 neutralise"), (*RUN, "95 challenge"), (*RUN, "95 end reason=x")])
def test_until_the_times_are_confirmed_no_half_and_no_line_asks_a_player_to_press(lines: tuple[str, ...]) -> None:
    shown = at("100", *lines, frozen=True)
    assert {half.prompt for _, half in shown.halves.items()} == {"The director confirms the times first"}
    assert not any(word in detail.lower() for detail in shown.details for word in ("press", "state your reason"))
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
    assert "Infraction 3 of RIGHT: director decides on a minute" in swapped.details
    assert ASKED in at("93", *RUN, minute, *THIRD).details


def test_before_the_start_nothing_is_said_twice_and_after_an_out_play_the_reason_is_a_sentence_of_its_own() -> None:
    assert at("1").details == ()
    assert at("130", *RUN, "95 out_play").details[0] == "Out play"
