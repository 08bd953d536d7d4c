"""Pressing, stopping and starting: a player's own button starts the other player's clock, always."""

from itertools import product

import pytest

from tests.cells import each_cell
from tests.firmware.saying import RULEBOOKS, play


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_press_before_the_start_starts_the_other_players_clock_and_turn(rulebook: str) -> None:
    for cell in each_cell([("left", "right"), ("right", "left")]):
        with cell as (side, other):
            assert play(rulebook).states("1") == ("ready", None, None)
            assert play(rulebook, f"1 press {side}").states("1") == ("running", other, other)


def test_a_press_by_the_side_that_runs_ends_its_turn_and_charges_it_to_the_nanosecond() -> None:
    told = play("naspa-2017", "1.000000007 press right", "3.000000011 press left")
    assert told.states("3.000000011") == ("running", "right", "right")
    face = told.face("4")
    assert (face["left"]["used_ns"], face["right"]["used_ns"]) == (2_000_000_004, 999_999_989)


@pytest.mark.parametrize("phase", ["neutralise", "challenge"])
def test_a_press_after_a_stop_or_in_an_adjudication_starts_the_other_clock_whoever_was_on_turn(phase: str) -> None:
    for side, other in (("left", "right"), ("right", "left")):
        assert play("naspa-2017", "0 press right", f"5 {phase}", f"9 press {side}").states("9") == ("running", other, other)


def test_a_press_in_an_adjudication_records_no_verdict_and_clears_a_pending_out_play() -> None:
    told = play("naspa-2017-collins-5", "0 press right", "5 out_play", "6 challenge", "9 press right", "12 out_play")
    assert told.states("12") == ("out_play", None, "left")
    assert told.face("12")["left"]["points"] == told.face("12")["right"]["points"] == 0


def test_neutralising_stops_both_clocks_and_keeps_the_turn_and_its_reason_while_it_lasts() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise reason=overdraw")
    face = told.face("100")
    assert told.states("100") == ("neutral", None, "left")
    assert (face["reason"], face["left"]["used_ns"], face["right"]["used_ns"]) == ("overdraw", 5_000_000_000, 0)
    assert told.then("101 resume left").face("101")["reason"] is None


@pytest.mark.parametrize("what", ["challenge", "out_play", "withdraw", "verdict", "reopen"])
def test_the_reason_of_a_stop_is_gone_once_something_else_came_of_it(what: str) -> None:
    told = play("nzasp-2022", "0 press right", "5 neutralise reason=overdraw")
    further = {
        "challenge": ["6 challenge"],
        "out_play": ["6 out_play"],
        "withdraw": ["6 challenge", "7 withdraw by=director"],
        "verdict": ["6 challenge", "7 verdict acceptable=false"],
        "reopen": ["6 end reason=x", "7 reopen reason=y"],
    }
    after = told.then(*further[what])
    assert after.refused == ()
    assert after.face("8")["reason"] is None


def test_a_stop_without_a_reason_shows_none_and_a_swap_or_a_window_keeps_the_one_given() -> None:
    assert play("naspa-2017", "0 press right", "5 neutralise").face("5")["reason"] is None
    told = play("naspa-2017", "0 press right", "5 neutralise reason=underdraw", "6 swap reason=x", "7 window name=tile_decision")
    assert told.face("8")["reason"] == "underdraw"


def test_resume_starts_that_sides_clock_and_turn_and_leaves_nothing_pending() -> None:
    for cell in each_cell(
        product(
            [[], ["0 press right", "1 neutralise"], ["0 press right", "1 out_play"], ["0 press right", "1 challenge"]], ["left", "right"]
        )
    ):
        with cell as (start, side):
            told = play("naspa-2017", *start, f"2 resume {side}")
            assert told.states("2") == ("running", side, side)
            assert told.then("3 out_play").states("3") == ("out_play", None, side)


def test_a_clock_that_runs_for_a_decision_leaves_the_turn_and_play_goes_on_with_it() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise", "6 decide right")
    assert told.states("6") == ("running", "right", "left")
    stopped = told.then("20 neutralise")
    assert stopped.states("21") == ("neutral", None, "left")
    assert stopped.face("21")["right"]["used_ns"] == 14_000_000_000


def test_the_press_of_the_side_that_decides_starts_the_other_players_clock_and_turn() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise", "6 decide right", "8 press right")
    assert told.states("8") == ("running", "left", "left")


def test_the_clock_may_run_for_the_decision_of_the_player_on_turn_too() -> None:
    assert play("naspa-2017", "0 press right", "5 neutralise", "6 decide left").states("6") == ("running", "left", "left")


def test_a_hold_out_play_or_challenge_during_a_decision_is_that_of_the_player_on_turn() -> None:
    deciding = ("0 press right", "5 neutralise", "6 decide right")
    assert play("naspa-2017", *deciding, "7 hold", "8 neutralise", "9 resume left").states("9") == ("hold", "left", "left")
    assert play("naspa-2017", *deciding, "7 out_play", "8 press left").states("8") == ("hold", "right", "right")
    lost = play("naspa-2017", *deciding, "7 challenge", "8 verdict acceptable=true").face("8")
    assert (lost["lost_turn"], lost["turn"]) == ("left", "right")
