"""The overtime limit: reached in 2012 (V.F.3), exceeded in 2014 and 2017 (V.G.3), unknown in New Zealand and the club."""

import pytest

from tests.cells import each_cell
from tests.firmware.saying import play

REACHED = ["naspa-2012"]
EXCEEDED = ["naspa-2014", "naspa-2014-collins-5", "naspa-2014-collins-10", "naspa-2017", "naspa-2017-collins-5", "naspa-2017-collins-10"]
WITH_LIMIT = [(rulebook, 2100) for rulebook in REACHED] + [(rulebook, 2101) for rulebook in EXCEEDED]


@pytest.mark.parametrize(("rulebook", "used"), WITH_LIMIT)
def test_the_game_is_lost_the_instant_the_reading_is_there_at_exactly_a_hundred_points(rulebook: str, used: int) -> None:
    told = play(rulebook, "0 press right")
    assert told.states(f"{used - 1}.999999999") == ("running", "left", "left")
    face = told.face(str(used))
    assert (face["phase"], face["reason"], face["loser"], face["turn"]) == ("over", "overtime limit", "left", "left")
    assert (face["left"]["penalty"], face["left"]["used_ns"]) == (100, used * 10**9)
    assert told.face("9999")["left"] == face["left"]
    assert face["window"] is None


@pytest.mark.parametrize("rulebook", ["nzasp-2022", "club"])
def test_without_a_limit_the_clock_runs_on(rulebook: str) -> None:
    face = play(rulebook, "0 press right").face("3000")
    assert (face["phase"], face["left"]["reading"], face["left"]["penalty"]) == ("running", "-25:00", 250)


def test_the_other_player_keeps_their_own_penalty() -> None:
    told = play("naspa-2017", "0 press left", "1561 press right")
    face = told.face("3662")
    assert (face["loser"], face["left"]["penalty"], face["right"]["penalty"]) == ("left", 100, 20)


@pytest.mark.parametrize(("rulebook", "used"), WITH_LIMIT)
def test_a_credit_counts_towards_the_limit(rulebook: str, used: int) -> None:
    for cell in each_cell([60, -60]):
        with cell as seconds:
            told = play(rulebook, "0 press right", f"1 adjust left seconds={seconds} when=end reason=x")
            assert told.states(f"{used + seconds - 1}.999999999")[0] == "running"
            assert told.face(str(used + seconds))["reason"] == "overtime limit"


def test_a_running_side_that_is_taken_past_the_limit_loses_at_that_instant() -> None:
    told = play("naspa-2017", "0 press right", "50 adjust left seconds=-2200 when=now reason=x")
    face = told.face("50")
    assert (face["reason"], face["loser"], face["left"]["penalty"], face["left"]["used_ns"]) == ("overtime limit", "left", 100, 50 * 10**9)


def test_a_stopped_side_that_is_taken_past_the_limit_loses_only_when_its_clock_runs() -> None:
    told = play("naspa-2017", "0 press right", "50 adjust right seconds=-2200 when=now reason=x")
    assert told.states("99") == ("running", "left", "left")
    face = told.then("100 press left").face("100")
    assert (face["reason"], face["loser"], face["right"]["used_ns"]) == ("overtime limit", "right", 0)


def test_overtime_is_not_erased_after_the_limit_unless_the_game_is_reopened() -> None:
    told = play("naspa-2017", "0 press right")
    assert told.then("2200 erase_overtime left reason=x").refused
    reopened = told.then("2200 reopen reason=x", "2201 erase_overtime left reason=x")
    assert reopened.refused == ()
    assert reopened.states("2202") == ("neutral", None, "left")
    left = reopened.face("2202")["left"]
    assert (left["reading"], left["penalty"]) == ("0:00", 0)


def test_a_reopened_game_has_no_loser_and_the_ordinary_penalty() -> None:
    face = play("naspa-2017", "0 press right", "2200 reopen reason=x").face("2200")
    assert (face["loser"], face["left"]["reading"], face["left"]["penalty"]) == (None, "-10:01", 110)
