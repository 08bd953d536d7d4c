"""The recount after the end (2014 V.I, 2017 V.I), and a game that the director opens again (2017 V.C.3)."""

import pytest

from tests.firmware.saying import play

BY_ITSELF = ["naspa-2012", "naspa-2014", "naspa-2014-collins-5", "naspa-2014-collins-10"]
BY_EVENT = ["naspa-2017", "naspa-2017-collins-5", "naspa-2017-collins-10", "club"]


@pytest.mark.parametrize("rulebook", BY_ITSELF)
@pytest.mark.parametrize("end", [["20 end reason=x"], ["0 out_play"], ["20 out_play", "20 press right"]])
def test_the_recount_starts_by_itself_at_the_instant_of_the_end(rulebook: str, end: list[str]) -> None:
    told = play(rulebook, "0 press right", *end)
    assert told.window("20") == ("recount", "1:00", False)
    assert told.window("80") == ("recount", "0:00", True)
    assert told.window("90") is None


@pytest.mark.parametrize("rulebook", BY_ITSELF)
def test_no_recount_after_the_limit_or_a_forfeit(rulebook: str) -> None:
    assert play(rulebook, "0 press right").face("2101")["window"] is None
    assert play(rulebook, "0 late_start left").face("1501")["window"] is None
    assert play(rulebook, "0 late_start both").face("1501")["window"] is None


@pytest.mark.parametrize("rulebook", BY_EVENT)
def test_the_recount_waits_for_the_agreed_score(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "20 end reason=x")
    assert told.window("20") is None
    assert told.then("50 window name=recount").window("51") == ("recount", "0:59", False)


def test_new_zealand_has_no_recount() -> None:
    told = play("nzasp-2022", "0 press right", "20 end reason=x")
    assert told.window("20") is None
    assert told.then("21 window name=recount").refused


def test_an_acceptable_out_play_starts_the_recount_at_the_verdict() -> None:
    told = play("naspa-2014", "0 press right", "5 out_play", "6 challenge", "60 verdict acceptable=true")
    assert told.window("61") == ("recount", "0:59", False)


def test_a_reopened_game_is_stopped_with_who_was_on_turn_and_credits_are_credits_again() -> None:
    told = play("naspa-2017", "0 press right", "10 adjust left seconds=60 when=end reason=x", "20 end reason=x")
    assert told.readings("20")[0] == "25:40"
    again = told.then("30 reopen reason=tiles")
    assert again.states("30") == ("neutral", None, "left")
    assert again.readings("30")[0] == "24:40"
    assert again.face("30")["left"]["credit"] == 60
    assert again.then("31 end reason=x").readings("31")[0] == "25:40"


def test_a_reopened_game_has_nothing_pending() -> None:
    told = play("naspa-2017", "0 press right", "10 out_play", "30 reopen reason=x")
    assert told.states("31") == ("neutral", None, "right")
    assert told.then("31 press left").states("31") == ("running", "right", "right")


def test_what_ended_before_the_start_reopens_with_nobody_on_turn() -> None:
    told = play("naspa-2017", "0 end reason=x", "1 reopen reason=x")
    assert told.states("1") == ("neutral", None, None)
    assert told.then("2 challenge", "2 out_play", "2 decide left").refused == ("2 challenge", "2 out_play", "2 decide left")
    assert told.then("2 press left").states("2") == ("running", "right", "right")


def test_a_forfeited_game_reopens_with_its_times() -> None:
    told = play("naspa-2017", "0 late_start left", "1600 reopen reason=x")
    face = told.face("1600")
    assert (face["phase"], face["loser"], face["left"]["reading"], face["left"]["penalty"]) == ("neutral", None, "-0:01", 10)


def test_a_new_game_starts_fresh_with_its_own_numbers_and_rulebook() -> None:
    told = play("naspa-2017", "0 press right", "10 infraction left", "20 end reason=x", "30 new_game rulebook=nzasp-2022 right_seconds=60")
    assert told.states("30") == ("ready", None, None)
    assert told.readings("30") == ("25:00", "1:00")
    assert told.record.number == 1
    assert told.then("31 undo reason=x").refused == ("31 undo reason=x",)
