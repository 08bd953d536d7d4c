"""Late arrivals and forfeits (2017 III.C, NZ 4.2)."""

import pytest

from rules.side import BySide
from tests.firmware.saying import RULEBOOKS, play

NASPA_AND_CLUB = [rulebook for rulebook in RULEBOOKS if rulebook != "nzasp-2022"]


def test_the_absent_players_clock_runs_and_what_it_used_stays_used() -> None:
    told = play("naspa-2017", "300 late_start left")
    assert told.states("310") == ("late", "left", None)
    there = told.then("400.000000001 arrive left")
    assert there.states("500") == ("ready", None, None)
    assert there.face("500")["left"]["used_ns"] == 100_000_000_001
    assert there.then("500 press right").states("500") == ("running", "left", "left")


def test_with_both_absent_time_counts_and_nobody_is_charged_yet() -> None:
    told = play("naspa-2017", "300 late_start both")
    assert told.states("900") == ("late", None, None)
    assert told.readings("900") == ("25:00", "25:00")


def test_of_both_absent_the_first_owes_the_time_at_the_end_and_the_other_is_charged_from_the_start() -> None:
    told = play("naspa-2017", "300 late_start both", "600.5 arrive right")
    face = told.face("600.5")
    assert told.states("600.5") == ("late", "left", None)
    assert (face["left"]["used_ns"], face["right"]["used_ns"]) == (300_500_000_000, 0)
    assert (str(face["right"]["credit"]), face["left"]["credit"]) == ("-300.5", 0)
    ready = told.then("900 arrive left")
    assert ready.states("900") == ("ready", None, None)
    assert ready.face("900")["left"]["used_ns"] == 600_000_000_000
    assert ready.then("901 end reason=x").readings("901") == ("15:00", "20:00")


def test_in_new_zealand_the_first_of_both_absent_starts_with_what_is_left_and_owes_nothing() -> None:
    # NZ 4.2: each late player's clock runs from the adjudicator's call, and "a player arriving late must start with whatever time is left".
    told = play("nzasp-2022", "0 late_start both", "480 arrive right")
    face = told.face("480")
    assert told.states("480") == ("late", "left", None)
    assert told.readings("480") == ("17:00", "17:00")
    assert (face["left"]["used_ns"], face["right"]["used_ns"]) == (480 * 10**9, 0)
    assert (face["left"]["credit"], face["right"]["credit"]) == (0, 0)
    ready = told.then("600 arrive left")
    assert ready.readings("700") == ("15:00", "17:00")
    assert ready.then("701 end reason=x").readings("701") == ("15:00", "17:00")


def test_time_left_of_a_first_arrival_is_kept_to_the_nanosecond_and_given_back_by_an_undo() -> None:
    told = play("nzasp-2022", "300 late_start both", "600.000000001 arrive left")
    assert told.game("700").allowed == BySide(1_199_999_999_999, 1500 * 10**9)
    assert told.then("601 undo reason=x").game("601").allowed == BySide(1500 * 10**9, 1500 * 10**9)


def test_both_arriving_at_one_instant_owe_and_are_charged_the_same() -> None:
    told = play("naspa-2017", "0 late_start both", "60 arrive left", "60 arrive right", "61 end reason=x")
    assert told.readings("61") == ("24:00", "24:00")
    told = play("nzasp-2022", "0 late_start both", "60 arrive left", "60 arrive right")
    assert told.readings("61") == ("24:00", "24:00")


def test_a_player_who_is_there_cannot_arrive_again() -> None:
    told = play("naspa-2017", "0 late_start both", "60 arrive left")
    assert told.then("61 arrive left").refused == ("61 arrive left",)


@pytest.mark.parametrize("rulebook", NASPA_AND_CLUB)
def test_naspa_forfeits_the_instant_the_reading_is_minus_one_second(rulebook: str) -> None:
    told = play(rulebook, "300 late_start right")
    assert told.states("1800.999999999") == ("late", "right", None)
    face = told.face("1801")
    assert (face["phase"], face["reason"], face["loser"]) == ("over", "forfeit", "right")
    assert (face["left"]["penalty"], face["right"]["penalty"]) == (0, 0)
    assert (face["right"]["reading"], face["right"]["used_ns"], face["window"]) == ("-0:01", 1501 * 10**9, None)


def test_new_zealand_forfeits_the_instant_nothing_remains() -> None:
    told = play("nzasp-2022", "300 late_start right")
    assert told.states("1799.999999999") == ("late", "right", None)
    face = told.face("1800")
    assert (face["reason"], face["loser"], face["right"]["reading"]) == ("forfeit", "right", "0:00")


@pytest.mark.parametrize(
    ("rulebook", "last", "instant"), [("naspa-2017", "1800.999999999", "1801"), ("nzasp-2022", "1799.999999999", "1800")]
)
def test_both_absent_for_good_is_a_double_forfeit_with_no_loser_and_nobody_charged(rulebook: str, last: str, instant: str) -> None:
    told = play(rulebook, "300 late_start both")
    assert told.states(last) == ("late", None, None)
    face = told.face(instant)
    assert (face["phase"], face["reason"], face["loser"]) == ("over", "double forfeit", None)
    assert (face["left"]["penalty"], face["right"]["penalty"]) == (0, 0)


def test_a_double_forfeit_counts_from_the_larger_allowed_time() -> None:
    told = play("naspa-2017 left_seconds=1800", "0 late_start both")
    assert told.states("1800.999999999")[0] == "late"
    assert told.face("1801")["reason"] == "double forfeit"


def test_the_second_of_two_absent_forfeits_by_their_own_allowed_time() -> None:
    told = play("naspa-2017 left_seconds=1800", "0 late_start both", "100 arrive left")
    assert told.states("1500.999999999") == ("late", "right", None)
    assert (told.face("1501")["reason"], told.face("1501")["loser"]) == ("forfeit", "right")


def test_a_first_arrival_after_the_others_time_ran_out_makes_the_other_forfeit_at_once() -> None:
    told = play("naspa-2017 left_seconds=1800", "0 late_start both", "1700 arrive left")
    assert (told.face("1700")["reason"], told.face("1700")["loser"]) == ("forfeit", "right")


def test_an_arrival_at_the_instant_of_the_forfeit_is_too_late() -> None:
    assert play("naspa-2017", "0 late_start left").then("1501 arrive left").refused == ("1501 arrive left",)
    assert play("naspa-2017", "0 late_start left", "1500.999999999 arrive left").states("1501")[0] == "ready"


def test_a_late_player_starts_with_what_is_left_and_may_be_late_again() -> None:
    told = play("nzasp-2022", "0 late_start left", "900 arrive left", "1000 late_start left")
    assert told.states("1599.999999999")[0] == "late"
    assert told.face("1600")["reason"] == "forfeit"
