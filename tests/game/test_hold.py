"""Holds and the courtesy draw (2017 IV.I): the holder's clock goes on, and stopping it does not end the hold."""

import pytest

from tests.firmware.saying import RULEBOOKS, play

NASPA_AND_CLUB = [rulebook for rulebook in RULEBOOKS if rulebook != "nzasp-2022"]


@pytest.mark.parametrize("rulebook", NASPA_AND_CLUB)
def test_a_hold_keeps_the_clock_running_and_starts_fifteen_seconds_to_the_courtesy_draw(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "10 hold")
    assert told.states("12") == ("hold", "left", "left")
    assert told.window("12") == ("courtesy_draw", "0:13", False)
    assert told.face("12")["left"]["used_ns"] == 12_000_000_000


def test_new_zealand_has_a_hold_without_a_courtesy_draw() -> None:
    told = play("nzasp-2022", "0 press right", "10 hold")
    assert told.states("12") == ("hold", "left", "left")
    assert told.window("12") is None


def test_the_end_of_the_courtesy_draw_changes_nothing_but_the_window() -> None:
    told = play("naspa-2017", "0 press right", "10 hold")
    assert told.states("24.999999999") == told.states("25") == told.states("40") == ("hold", "left", "left")
    assert told.window("25") == ("courtesy_draw", "0:00", True)


def test_a_release_goes_on_with_the_same_clock_and_ends_the_window() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 release")
    assert told.states("12") == ("running", "left", "left")
    assert told.window("12") is None


def test_the_holders_press_ends_the_hold_with_the_turn() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 press left")
    assert told.states("12") == ("running", "right", "right")
    assert told.window("12") is None
    assert told.then("13 neutralise", "14 release").refused == ("14 release",)


def test_a_stop_keeps_the_hold_and_its_courtesy_draw_counts_on() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise")
    assert told.states("12") == ("neutral", None, "left")
    assert told.window("14") == ("courtesy_draw", "0:11", False)


@pytest.mark.parametrize("back", ["resume left", "press right"])
def test_the_holders_clock_again_is_a_hold_again_with_its_courtesy_draw(back: str) -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", f"14 {back}")
    assert told.states("14") == ("hold", "left", "left")
    assert told.window("14") == ("courtesy_draw", "0:11", False)


@pytest.mark.parametrize("back", ["resume left", "press right"])
def test_a_courtesy_draw_that_went_by_during_the_stop_does_not_come_back(back: str) -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", f"60 {back}")
    assert told.states("60") == ("hold", "left", "left")
    assert told.window("60") is None


def test_a_courtesy_draw_counts_from_the_hold_through_other_windows_stops_and_decisions() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", "13 window name=mixing", "14 resume left")
    assert told.states("14") == ("hold", "left", "left")
    assert told.window("13") == ("mixing", "0:10", False)
    assert told.window("14") == ("courtesy_draw", "0:11", False)
    decided = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", "13 decide right")
    assert (decided.states("14"), decided.window("14")) == (("running", "right", "left"), ("courtesy_draw", "0:11", False))
    stopped = decided.then("16 neutralise", "18 resume left")
    assert (stopped.states("18"), stopped.window("18")) == (("hold", "left", "left"), ("courtesy_draw", "0:07", False))


def test_the_draw_is_shown_beside_another_window_and_after_its_ten_seconds() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "13 window name=mixing")
    face = told.face("15")
    assert (face["window"]["name"], face["holder"], face["draw"]) == ("mixing", "left", {"reading": "0:10", "expired": False})
    assert told.face("60")["window"] is None
    assert told.face("60")["draw"] == {"reading": "0:00", "expired": True}
    released = told.then("61 release")
    assert (released.face("61")["holder"], released.face("61")["draw"]) == (None, None)


def test_a_window_of_its_own_is_followed_by_the_courtesy_draw_that_still_stands() -> None:
    told = play("naspa-2017", "0 press right", "1 hold", "2 window name=return_to_table")
    assert told.window("16.5") == ("return_to_table", "0:00", True)
    assert told.window("17") == ("courtesy_draw", "0:00", True)
    assert told.window("26") is None


def test_the_hold_of_an_out_play_has_no_courtesy_draw() -> None:
    told = play("naspa-2017", "0 press right", "5 hold", "10 out_play", "12 hold")
    assert told.states("12") == ("hold", "right", "right")
    assert (told.face("12")["holder"], told.face("12")["draw"], told.window("12")) == ("right", None, None)


def test_a_hold_stands_while_the_opponent_decides_and_ends_with_its_own_turn() -> None:
    decided = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", "13 decide right")
    assert decided.face("14")["holder"] == "left"
    assert decided.then("14 hold").refused == ("14 hold",)
    assert decided.then("15 press right").states("15") == ("hold", "left", "left")
    own = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", "13 decide left", "14 press left")
    assert (own.states("14"), own.face("14")["holder"]) == (("running", "right", "right"), None)


@pytest.mark.parametrize("other", ["resume right", "press left"])
def test_the_other_players_clock_ends_the_hold_for_good(other: str) -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", f"14 {other}", "16 neutralise", "18 resume left")
    assert told.states("14.5")[0] == "running"
    assert told.states("18") == ("running", "left", "left")


def test_a_release_during_the_stop_ends_the_hold_and_stays_stopped() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", "13 release")
    assert told.states("13") == ("neutral", None, "left")
    assert told.window("13") is None
    assert told.then("14 resume left").states("14") == ("running", "left", "left")


def test_a_challenge_ends_the_hold_even_when_it_is_withdrawn() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 challenge", "13 withdraw", "14 resume left")
    assert told.states("14") == ("running", "left", "left")


def test_an_out_play_ends_the_hold() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 out_play", "13 resume left")
    assert told.states("13") == ("running", "left", "left")


def test_the_end_of_the_game_ends_the_hold() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 end reason=x", "13 reopen reason=x", "14 resume left")
    assert told.states("14") == ("running", "left", "left")


def test_sides_swapped_during_the_stop_take_the_hold_along() -> None:
    told = play("naspa-2017", "0 press right", "10 hold", "12 neutralise", "13 swap reason=x", "14 resume right")
    assert told.states("14") == ("hold", "right", "right")
