"""Time given, taken and erased, sides swapped, infractions counted (2017 II.D, II.F, V.D)."""

import pytest

from tests.firmware.saying import play


def test_time_given_now_stands_on_the_reading_at_once_and_changes_nothing_that_was_used() -> None:
    told = play(
        "naspa-2017", "0 press right", "10 adjust left seconds=60 when=now reason=x", "10 adjust right seconds=-0.5 when=now reason=x"
    )
    assert told.states("10") == ("running", "left", "left")
    assert told.readings("10") == ("25:50", "25:00")
    assert told.face("10.000000001")["left"]["used_ns"] == 10_000_000_001
    assert told.readings("10.5")[1] == "25:00"
    assert play("naspa-2017", "0 adjust right seconds=-0.5 when=now reason=x", "0 press left").readings("0.5") == ("25:00", "24:59")


def test_time_owed_stands_beside_the_reading_and_is_added_the_instant_the_game_is_over() -> None:
    told = play(
        "naspa-2017", "0 press right", "10 adjust left seconds=-90 when=end reason=x", "11 adjust left seconds=30 when=end reason=x"
    )
    face = told.face("12")
    assert (face["left"]["reading"], face["left"]["credit"]) == ("24:48", -60)
    over = told.then("20 end reason=x").face("20")
    assert (over["left"]["reading"], over["left"]["credit"]) == ("23:40", -60)


def test_time_owed_after_the_end_is_added_at_once() -> None:
    told = play("naspa-2017", "0 press right", "1560 end reason=x", "1561 adjust left seconds=59.5 when=end reason=x")
    left = told.face("1561")["left"]
    assert (left["reading"], left["penalty"], str(left["credit"])) == ("-0:00", 0, "59.5")


def test_a_credit_makes_or_removes_a_penalty_only_when_the_game_is_over() -> None:
    told = play("naspa-2017", "0 press right", "1570 adjust left seconds=60 when=end reason=x")
    assert told.face("1570")["left"]["penalty"] == 20
    assert told.then("1570 end reason=x").face("1570")["left"]["penalty"] == 10


@pytest.mark.parametrize("phase", ["running", "neutral", "over"])
def test_erased_overtime_leaves_exactly_nothing_remaining(phase: str) -> None:
    stop = {"running": [], "neutral": ["1570.25 neutralise"], "over": ["1570.25 end reason=x"]}[phase]
    told = play("naspa-2017", "0 press right", *stop, "1570.25 erase_overtime left reason=x")
    left = told.face("1570.25")["left"]
    assert (left["reading"], left["penalty"], left["used_ns"]) == ("0:00", 0, 1_570_250_000_000)
    assert told.readings("1570.250000001")[0] == ("-0:00" if phase == "running" else "0:00")


def test_erasing_takes_a_credit_into_account_once_the_game_is_over() -> None:
    told = play("naspa-2017", "0 adjust left seconds=-100 when=end reason=x", "0 press right", "1450 end reason=x")
    assert told.readings("1450")[0] == "-0:50"
    assert told.then("1451 erase_overtime left reason=x").readings("1451")[0] == "0:00"


def test_erasing_where_no_overtime_is_changes_no_time() -> None:
    told = play("naspa-2017", "0 press right", "10 erase_overtime left reason=x", "1500 erase_overtime left reason=x")
    assert told.readings("1500") == ("0:00", "25:00")


def test_a_swap_takes_all_that_is_the_players_to_the_other_side() -> None:
    told = play(
        "naspa-2017-collins-5 left_seconds=1800",
        "0 press right",
        "100 challenge",
        "101 verdict acceptable=true words=2",
        "102 adjust left seconds=-30 when=end reason=x",
    )
    before, after = told.face("103"), told.then("103 swap reason=x").face("103")
    assert (after["left"], after["right"]) == (before["right"], before["left"])
    assert (after["phase"], before["turn"], after["turn"]) == ("neutral", "left", "right")


def test_a_swap_takes_a_pending_out_play_along() -> None:
    told = play("naspa-2017", "0 press right", "10 out_play", "11 challenge", "12 withdraw", "13 swap reason=x")
    assert told.then("14 press left").face("14")["reason"] == "out play"
    assert told.then("14 press right").states("14") == ("hold", "left", "left")


def test_a_swap_before_the_start_has_no_turn_to_change() -> None:
    told = play("naspa-2017 right_seconds=1800", "1 swap reason=x")
    assert told.states("1") == ("ready", None, None)
    assert told.readings("1") == ("30:00", "25:00")


def test_infractions_are_counted_for_each_side_and_cost_nothing_by_themselves() -> None:
    told = play("naspa-2017", "0 infraction left", "1 infraction right", "2 press right", "3 infraction left", "4 infraction left")
    game = told.game("4")
    assert (game.infractions.left, game.infractions.right) == (3, 1)
    assert told.readings("5") == ("24:57", "25:00")
    assert told.face("5")["left"]["points"] == 0


def test_medical_extra_time_stands_on_the_face_before_the_start() -> None:
    told = play("naspa-2017 left_seconds=1800.5")
    assert told.readings("0") == ("30:01", "25:00")
