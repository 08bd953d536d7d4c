"""The out play: 20 s under NASPA and club end the game (2017 V.E), 5 s in New Zealand let the opponent's clock start (NZ 8.2)."""

import pytest

from tests.firmware.saying import RULEBOOKS, play

ENDS = [rulebook for rulebook in RULEBOOKS if rulebook != "nzasp-2022"]
OUT = ("0 press right", "10 out_play")


@pytest.mark.parametrize("rulebook", ENDS)
def test_the_game_is_over_at_exactly_twenty_seconds_whether_anybody_looks_or_not(rulebook: str) -> None:
    told = play(rulebook, *OUT)
    assert told.states("10") == ("out_play", None, "left")
    assert told.window("10") == ("out_play", "0:20", False)
    assert told.states("29.999999999")[0] == "out_play"
    face = told.face("30")
    assert (face["phase"], face["reason"], face["turn"], face["loser"]) == ("over", "out play", "left", None)
    assert told.then("30 challenge").refused == ("30 challenge",)


@pytest.mark.parametrize("rulebook", ENDS)
def test_a_challenge_a_nanosecond_before_is_in_time(rulebook: str) -> None:
    assert play(rulebook, *OUT, "29.999999999 challenge").states("100") == ("adjudication", None, "left")


def test_in_new_zealand_the_end_of_the_window_ends_nothing() -> None:
    told = play("nzasp-2022", *OUT)
    assert told.window("12") == ("out_play", "0:03", False)
    assert told.states("1000") == ("out_play", None, "left")


def test_in_new_zealand_the_opponents_clock_starts_only_once_five_seconds_are_over() -> None:
    told = play("nzasp-2022", *OUT)
    assert told.then("14.999999999 press left").refused
    held = told.then("15 press left")
    assert held.refused == ()
    assert held.states("15") == ("hold", "right", "right")


def test_in_new_zealand_a_hold_is_noted_no_clock_starts_and_the_window_goes_on() -> None:
    told = play("nzasp-2022", *OUT, "12 hold")
    assert told.states("13") == ("out_play", None, "left")
    assert told.window("13") == ("out_play", "0:02", False)
    assert told.then("15 press left").states("15") == ("hold", "right", "right")
    assert told.then("13 release").states("13")[0] == "over"


def test_in_new_zealand_a_stop_after_the_challenge_was_withdrawn_waits_for_no_window() -> None:
    told = play("nzasp-2022", *OUT, "11 challenge", "12 withdraw by=director", "12.5 press left")
    assert told.states("12.5") == ("hold", "right", "right")


def test_in_new_zealand_the_opponents_running_clock_is_no_hold_unless_one_was_called() -> None:
    started = play("nzasp-2022", *OUT, "15 press left", "20 neutralise")
    assert started.face("16")["holder"] is None
    assert started.face("21")["holder"] is None
    assert started.then("22 release").face("22")["reason"] == "out play"
    called = play("nzasp-2022", *OUT, "12 hold", "15 press left", "20 neutralise", "21 press left")
    assert called.face("16")["holder"] == called.face("21")["holder"] == "right"


@pytest.mark.parametrize("how", ["press left", "hold"])
def test_a_hold_inside_the_window_runs_the_opponents_clock_and_the_game_goes_on_past_it(how: str) -> None:
    told = play("naspa-2017", *OUT, f"25 {how}")
    assert told.states("25") == ("hold", "right", "right")
    assert told.window("25") is None
    assert told.states("100") == ("hold", "right", "right")
    assert told.face("100")["right"]["used_ns"] == 75_000_000_000


@pytest.mark.parametrize("start", [(), ("11 hold",), ("11 hold", "12 neutralise"), ("11 challenge", "12 withdraw")])
def test_the_opponents_press_accepts_the_out_play(start: tuple[str, ...]) -> None:
    face = play("naspa-2017", *OUT, *start, "13 press right").face("13")
    assert (face["phase"], face["reason"]) == ("over", "out play")


@pytest.mark.parametrize("start", [(), ("11 hold",), ("11 hold", "12 neutralise"), ("11 challenge", "12 withdraw")])
def test_a_release_accepts_the_out_play(start: tuple[str, ...]) -> None:
    face = play("naspa-2017", *OUT, *start, "13 release").face("13")
    assert (face["phase"], face["reason"]) == ("over", "out play")


def test_after_a_stop_the_out_players_press_runs_the_opponents_clock_again_still_pending() -> None:
    told = play("naspa-2017", *OUT, "11 hold", "12 neutralise", "13 press left")
    assert told.states("13") == ("hold", "right", "right")
    assert told.then("14 release").face("14")["reason"] == "out play"


def test_a_withdrawn_challenge_leaves_the_out_play_pending_with_no_window_to_end_the_game() -> None:
    told = play("naspa-2017", *OUT, "11 challenge", "12 withdraw")
    assert told.states("1000") == ("neutral", None, "left")
    assert told.then("1001 out_play").refused == ("1001 out_play",)
    assert told.then("1001 press right").face("1001")["reason"] == "out play"


@pytest.mark.parametrize("rulebook", ENDS)
def test_an_out_play_named_after_a_stop_counts_from_the_stop(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "10 neutralise", "22 out_play")
    assert told.window("22") == ("out_play", "0:08", False)
    assert told.states("29.999999999")[0] == "out_play"
    assert told.face("30")["reason"] == "out play"


@pytest.mark.parametrize("named", ["30", "31.000000001", "500"])
def test_an_out_play_named_after_its_window_is_over_ends_the_game_at_once(named: str) -> None:
    told = play("naspa-2014", "0 press right", "10 neutralise", f"{named} out_play")
    assert told.face(named)["reason"] == "out play"
    assert told.window(named) == ("recount", "1:00", False)


def test_a_stop_that_was_for_something_else_leaves_the_opponent_the_whole_twenty_seconds() -> None:
    # 2017 V.E: the clock is stopped after the final play; this one was stopped before it.
    for stop in (
        ("10 challenge", "20 withdraw"),
        ("10 challenge", "20 verdict acceptable=false"),
        ("10 end reason=x", "20 reopen reason=x"),
    ):
        assert play("naspa-2017", "0 press right", *stop, "25 out_play").window("25") == ("out_play", "0:20", False)
    assert play("naspa-2017", "0 press right", "10 neutralise reason=overdraw", "25 out_play").window("25") == ("out_play", "0:20", False)


def test_in_new_zealand_an_out_play_named_late_lets_the_clock_start_at_once() -> None:
    told = play("nzasp-2022", "0 press right", "10 neutralise", "30 out_play")
    assert told.states("30") == ("out_play", None, "left")
    assert told.then("30 press left").states("30") == ("hold", "right", "right")


def test_a_resume_takes_the_out_play_off() -> None:
    told = play("naspa-2017", *OUT, "12 resume left")
    assert told.states("500") == ("running", "left", "left")
