"""Time given, taken and erased, sides swapped, infractions counted (2017 II.D, II.F, V.D)."""

from pathlib import Path

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


def test_what_a_side_owes_counts_in_the_penalty_while_the_game_goes_on_and_not_in_the_reading() -> None:
    told = play("naspa-2017", "0 press right", "10 adjust left seconds=-1551 when=end reason=x")
    left = told.face("10")["left"]
    assert (left["reading"], left["penalty"]) == ("24:50", 20)
    assert told.then("10 end reason=x").face("10")["left"]["penalty"] == 20


def test_overtime_is_erased_back_to_the_reading_that_the_director_names() -> None:
    told = play("naspa-2017", "0 press right", "1570.25 neutralise")
    left = told.then("1571 erase_overtime left to_seconds=-30 reason=x").face("1571")["left"]
    assert (left["reading"], left["penalty"], left["used_ns"]) == ("-0:30", 10, 1_570_250_000_000)
    nothing = told.then("1571 erase_overtime left to_seconds=-71 reason=x")
    assert (nothing.refused, nothing.readings("1571")) == ((), ("-1:10", "25:00"))


def test_the_director_gives_and_takes_points() -> None:
    told = play("naspa-2017", "0 press right", "1 points left points=-10 reason=x", "2 points right points=30 reason=x")
    assert (told.face("3")["left"]["points"], told.face("3")["right"]["points"]) == (-10, 30)
    assert told.then("4 end reason=x", "5 points right points=-30 reason=x").face("5")["right"]["points"] == 0
    assert told.then("4 undo reason=x event=3").face("4")["left"]["points"] == 0


def test_players_agree_on_a_minute_where_the_rules_let_them() -> None:
    agreed = "10 adjust right seconds=60 when=now reason=x by=players"
    for rulebook in ("naspa-2012", "naspa-2014", "naspa-2017", "naspa-2017-collins-5", "club"):
        assert play(rulebook, "0 press right", agreed).readings("10") == ("24:50", "26:00")
    assert play("nzasp-2022", "0 press right").then(agreed).refused == (agreed,)


def test_another_rulebook_changes_the_allowed_times_but_not_an_allowance_of_ones_own_nor_what_was_charged(tmp_path: Path) -> None:
    shorter = tmp_path / "shorter.toml"
    shorter.write_text(
        'id = "shorter"\ntitle = "Shorter"\nsummary = "Shorter"\nextends = "nzasp-2022"\n[regulation]\nclause = "x"\ntime = "22:00"\n'
    )
    told = play(
        "naspa-2017 left_seconds=1800", "0 press right", "10 press left", "20 hold", "25 neutralise", "26 points left points=5 reason=x"
    )
    changed = told.then("30 window name=mixing", f"31 rulebook rulebook={shorter} reason=x")
    assert changed.refused == ()
    face = changed.face("32")
    assert changed.readings("32") == ("29:50", "21:45")
    assert (face["left"]["points"], face["right"]["used_ns"], face["window"]) == (5, 15_000_000_000, None)
    assert (face["holder"], face["draw"]) == ("right", None)
    assert changed.then("33 resume right").states("33") == ("hold", "right", "right")
    back = changed.then("40 swap reason=x", "41 rulebook rulebook=naspa-2017 reason=x")
    assert back.readings("41") == ("24:45", "29:50")


def test_a_rulebook_that_takes_a_stopped_side_past_the_limit_ends_the_game_only_when_its_clock_runs(tmp_path: Path) -> None:
    shorter = tmp_path / "shorter.toml"
    shorter.write_text(
        'id = "shorter"\ntitle = "Shorter"\nsummary = "Shorter"\nextends = "naspa-2017"\n[regulation]\nclause = "x"\ntime = "5:00"\n'
    )
    told = play("naspa-2017", "0 press right", "1000 neutralise", f"1001 rulebook rulebook={shorter} reason=x")
    assert told.states("2000") == ("neutral", None, "left")
    assert told.readings("2000")[0] == "-11:40"
    assert told.then("2001 resume left").face("2001")["reason"] == "overtime limit"
