"""Time frames, ends and reopenings, time, points and seats (2017 II.D, II.F, III to V)."""

from pathlib import Path

import pytest

from game.game import EventNotAllowed
from game.history import accept
from rules.duration import NS
from tests.firmware.saying import NASPA, NZ, RULEBOOKS, check, event_of, own_rulebook, play

# --- time frames: their lengths under each rulebook, when they have expired, when they are gone, and what ends them

LENGTHS = {
    "missed_press": 20,
    "return_to_table": 5,
    "overdraw_decision": 15,
    "tiles_returned": 15,
    "tile_decision": 60,
    "mixing": 10,
    "recount": 60,
    "recount_warning": 60,
    "late_start": 300,
    "between_rounds": 600,
}
AGO = {"missed_press": (20, "0 press right, 30 press left, "), "late_start": (300, "")}


@pytest.mark.parametrize("rulebook", [rulebook for rulebook in RULEBOOKS if rulebook != NZ])
def test_a_window_has_expired_at_exactly_its_length_and_is_gone_ten_seconds_later(rulebook: str) -> None:
    for name, usual in LENGTHS.items():
        s = 60 if (rulebook, name) == ("naspa-2012", "overdraw_decision") else usual
        check(
            f"""1 window name={name} > 1 ready - -, {name} {s // 60}:{s % 60:02d} > {s}.999999999 ready - -, {name} 0:01
            > {s + 1} ready - -, {name} 0:00 over > {s + 10}.999999999 ready - -, {name} 0:00 over > {s + 11} ready - -""",
            rulebook,
        )


def test_a_window_touches_no_clock_and_ends_with_what_starts_or_ends_one() -> None:
    check("""0 press right, 5 window name=missed_press > 6 running left left, missed_press 0:19; left.used_ns=6000000000
        # Another window ends it.
        0 window name=mixing, 5 window name=tile_decision > 5 ready - -, tile_decision 1:00
        # What starts or ends a clock ends it.
        0 press right, 5 window name=tile_decision, 6 press left > 6 running right right
        0 press right, 5 window name=tile_decision, 6 neutralise > 6 neutral - left
        0 press right, 5 window name=tile_decision, 6 hold > 6 hold left left, courtesy_draw 0:15
        0 press right, 5 window name=tile_decision, 6 out_play > 6 out_play - left, out_play 0:20
        0 press right, 5 window name=tile_decision, 6 challenge > 6 adjudication - left
        0 press right, 5 window name=tile_decision, 6 end reason=x > 6 over - left
        0 press right, 0 challenge, 5 window name=tile_decision, 6 withdraw > 6 neutral - left
        0 press right, 0 challenge, 5 window name=tile_decision, 6 verdict acceptable=false > 6 neutral - left
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 resume left > 6 running left left
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 decide left > 6 running left left
        0 press right, 0 hold, 0 neutralise, 5 window name=tile_decision, 6 release > 6 neutral - left
        5 window name=tile_decision, 6 swap reason=x > 6 ready - -
        5 window name=tile_decision, 6 late_start left > 6 late left -
        0 window name=mixing, 15 press right > 14 ready - -, mixing 0:00 over > 15 running left left
        [naspa-2014] 0 press right, 5 end reason=x, 6 reopen reason=x > 6 neutral - left
        # So does an end that comes by itself.
        0 press right, 2090 window name=tile_decision > 2101 over - left
        0 press right, 5 out_play > 25 over - left
        # What starts no clock leaves it alone.
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 adjust left seconds=60 when=now reason=x > 6 window=tile_decision 0:59
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 erase_overtime left reason=x > 6 window=tile_decision 0:59
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 points left points=-10 reason=x > 6 window=tile_decision 0:59
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 rulebook rulebook=naspa-2014 reason=x > 6 window=tile_decision 0:59
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 reason reason=overdraw > 6 window=tile_decision 0:59
        0 press right, 0 neutralise, 5 window name=tile_decision, 6 call on=true, 6 call on=false > 6 window=tile_decision 0:59
        0 infraction left, 0 press right, 0 neutralise, 5 window name=tile_decision, 6 undo reason=x event=2 > 6 window=tile_decision 0:59
        0 press right, 5 window name=tile_decision, 6 infraction left > 6 window=tile_decision 0:59""")


@pytest.mark.parametrize("name", AGO)
def test_a_missed_press_and_a_late_start_count_from_as_long_before_as_the_players_say(name: str) -> None:
    length, before = AGO[name]
    left = length - 15
    check(f"""{before}40 window name={name} ago=15 > 40 window={name} {left // 60}:{left % 60:02d} > {39 + left}.999999999 window={name} 0:01
        > {40 + left} window={name} 0:00 over > {50 + left} window=none
        # One that would be over at its event is refused.
        {before}!40 window name={name} ago={length}, 40 window name={name} ago={length - 1} > 40 window={name} 0:01""")
    with pytest.raises(EventNotAllowed, match=f"{name} is over"):
        accept(play(NASPA).history, event_of(f"window name={name} ago={length}"), 40 * NS)


def test_each_key_of_a_window_is_refused_with_the_windows_that_it_does_not_belong_to() -> None:
    takes = {"side=left": {"overdraw_decision", "tiles_returned", "tile_decision"}, "ago=0": set(AGO), "seconds=300": {"between_rounds"}}
    for key, names in takes.items():
        check("\n".join(f"{'' if name in names else '!'}1 window name={name} {key}" for name in LENGTHS))
    # A decision says who decides.
    for name in takes["side=left"]:
        assert play(NASPA, "0 press right", "5 neutralise", f"6 window name={name} right").face("7")["window"]["side"] == "right"
        assert "side" not in play(NASPA, f"6 window name={name}").face("7")["window"]
    # The director limits a break to five minutes and more; without it the rulebook's length holds.
    check("""1 window name=between_rounds seconds=300 > 1 window=between_rounds 5:00
        1 window name=between_rounds seconds=421 > 1 window=between_rounds 7:01
        1 window name=between_rounds > 1 window=between_rounds 10:00
        0 press right, 5 end reason=x, 9 window name=between_rounds seconds=300
        > 304.5 window=between_rounds 0:01 > 305 window=between_rounds 0:00 over""")


# --- ends, and the recount after them (2014 V.I, 2017 V.I)


@pytest.mark.parametrize("reason", ["resignation", "forfeit"])
def test_a_resignation_and_a_forfeit_name_their_loser_and_keep_the_penalties_as_they_stand(reason: str) -> None:
    # 2017 I.B, V.K.2.
    check(f"""0 press right, 1570 press left, 1580 neutralise, !1590 end reason={reason}, 1590 end reason={reason} loser=right, 1610 reopen reason=x
        > 1600 phase=over; reason={reason}; loser=right; left.penalty=20; right.penalty=0 > 1610 loser=none""")


def test_an_end_has_no_loser_unless_it_names_one_and_shows_the_time_since() -> None:
    check("""# Only a resignation or a forfeit names a loser.
        0 press right, !5 end reason=x loser=left, 5 end reason=x > 5 loser=none
        # The time since the end and since both were late is shown rounded down.
        0 press right, 10 end reason=x > 9 elapsed=none > 10 elapsed=0:00 > 10.999999999 elapsed=0:00 > 71 elapsed=1:01
        5 late_start both, 66 arrive left > 65.5 elapsed=1:00 > 70 elapsed=none""")


@pytest.mark.parametrize("rulebook", ["naspa-2012", "naspa-2014", "naspa-2014-collins-5", "naspa-2014-collins-10"])
def test_the_recount_starts_by_itself_at_the_instant_of_the_end(rulebook: str) -> None:
    shown = "> 20 window=recount 1:00 > 80 window=recount 0:00 over > 90 window=none"
    check(
        f"""0 press right, 20 end reason=x {shown}
        0 press right, 0 out_play {shown}
        0 press right, 20 out_play, 20 press right {shown}""",
        rulebook,
    )


@pytest.mark.parametrize("rulebook", ["naspa-2012", "naspa-2014", "naspa-2017"])
def test_no_recount_after_the_limit_or_a_forfeit(rulebook: str) -> None:
    refused = "!3000 window name=recount, !3000 window name=recount_warning"
    check(
        f"""0 press right, {refused} > 2101 window=none > 3000 phase=over
        0 late_start left, {refused} > 1501 window=none > 3000 phase=over
        0 late_start both, {refused} > 1501 window=none > 3000 phase=over
        0 press right, 5 end reason=forfeit loser=left, {refused} > 5 window=none > 3000 phase=over""",
        rulebook,
    )


@pytest.mark.parametrize("rulebook", ["naspa-2017", "naspa-2017-collins-5", "naspa-2017-collins-10", "club"])
def test_the_recount_waits_for_the_agreed_score(rulebook: str) -> None:
    check("0 press right, 20 end reason=x, 50 window name=recount > 20 over - left > 51 over - left, recount 0:59", rulebook)


def test_the_recount_starts_once_an_end_is_hidden_by_a_break_and_is_none_in_new_zealand() -> None:
    check("""# An acceptable out play starts it at the verdict.
        [naspa-2014] 0 press right, 5 out_play, 6 challenge, 60 verdict acceptable=true > 61 window=recount 0:59
        # It starts once.
        0 press right, 10 end reason=x, 20 window name=recount, !30 window name=recount, !200 window name=recount
        0 press right, 10 end reason=x, 20 window name=recount, 40 reopen reason=x, 50 end reason=x, 60 window name=recount
        > 61 window=recount 0:59
        # One that started by itself is not started again.
        [naspa-2014] 0 press right, 10 end reason=x, !20 window name=recount, 20 window name=recount_warning
        # One that a break hides is shown again and has run on.
        [naspa-2014] 0 press right, 5 end reason=x, 10 window name=between_rounds, 20 window name=recount > 60 window=recount 0:05
        [naspa-2014] 0 press right, 5 end reason=x, 10 window name=between_rounds, !65 window name=recount
        0 press right, 5 end reason=x, 5 window name=recount, 10 window name=between_rounds, 20 window name=recount > 60 window=recount 0:05
        0 press right, 5 end reason=x, 5 window name=recount, 10 window name=between_rounds, !65 window name=recount
        [nzasp-2022] 0 press right, 20 end reason=x, !21 window name=recount > 20 window=none""")


def test_disconnected_tiles_reopen_a_game_that_was_played_to_its_end_until_twenty_seconds_after_it() -> None:
    check("""0 press right, 10 end reason=x, 17 window name=disconnected > 17 window=disconnected 0:13
        0 press right, 10 end reason=x, 29.999999999 window name=disconnected > 30 window=disconnected 0:00 over
        0 press right, 10 end reason=x, !30 window name=disconnected
        0 press right, !5 window name=disconnected
        # One that ended by a play or by zeros.
        0 press right, 10 end reason=zeros, 13 window name=disconnected
        0 press right, 10 out_play, 12 release, 13 window name=disconnected
        # Not one that is lost, given up or never began.
        # 2017 III.G.5.7 speaks of the end of a game that was played to it.
        0 press right, !2102 window name=disconnected > 2101 reason=overtime limit
        0 late_start left, !1502 window name=disconnected > 1501 reason=forfeit
        0 late_start both, !1502 window name=disconnected > 1501 reason=double forfeit
        0 press right, 10 end reason=forfeit loser=left, !11 window name=disconnected
        0 press right, 10 end reason=resignation loser=left, !11 window name=disconnected
        10 end reason=x, !11 window name=disconnected
        5 late_start left, 10 end reason=x, !11 window name=disconnected""")


# --- a game that the director opens again (2017 V.C.3), and a new one


def test_a_reopened_game_is_stopped_with_who_was_on_turn_and_nothing_pending() -> None:
    check("""0 press right, 10 adjust left seconds=60 when=end reason=x, 20 end reason=x, 30 reopen reason=tiles, 31 end reason=x
        > 20 25:40 25:00 > 30 neutral - left; 24:40 25:00; left.credit=60 > 31 25:40 25:00
        # A reopened game has nothing pending.
        0 press right, 10 out_play, 30 reopen reason=x, 32 press left > 31 neutral - right > 32 running right right
        # What ended before the start has no player on turn; a forfeited one has its times.
        0 end reason=x, 1 reopen reason=x, !2 challenge, !2 out_play, !2 decide left, 2 press left > 1 neutral - - > 2 running right right
        0 late_start left, 1600 reopen reason=x > 1600 phase=neutral; loser=none; left.reading=-0:01; left.penalty=10""")


def test_a_new_game_starts_fresh_with_its_own_numbers_and_rulebook() -> None:
    check("""0 press right, 10 infraction left, 20 end reason=x, 30 new_game rulebook=nzasp-2022 right_seconds=60, !31 undo reason=x
        > 30 ready - -; 25:00 1:00""")
    assert play(NASPA, "20 end reason=x", "30 new_game rulebook=nzasp-2022").history.number == 1


# --- time given, taken and erased


def test_time_is_given_now_or_owed_until_the_end() -> None:
    check("""0 press right, 10 adjust left seconds=60 when=now reason=x, 10 adjust right seconds=-0.5 when=now reason=x
        > 10 running left left; 25:50 25:00 > 10.000000001 left.used_ns=10000000001 > 10.5 25:50 25:00
        0 adjust right seconds=-0.5 when=now reason=x, 0 press left > 0.5 25:00 24:59
        # Time owed stands beside the reading and is added the instant the game is over.
        0 press right, 10 adjust left seconds=-90 when=end reason=x, 11 adjust left seconds=30 when=end reason=x, 20 end reason=x
        > 12 left.reading=24:48; left.credit=-60 > 20 left.reading=23:40; left.credit=-60
        0 press right, 1560 end reason=x, 1561 adjust left seconds=59.5 when=end reason=x
        > 1561 left.reading=-0:00; left.penalty=0; left.credit=59.5
        # A credit makes or removes a penalty only when the game is over; what is owed counts in it at once, but not in the reading.
        0 press right, 1570 adjust left seconds=60 when=end reason=x, 1570.5 end reason=x > 1570 left.penalty=20 > 1570.5 left.penalty=10
        0 press right, 10 adjust left seconds=-1551 when=end reason=x, 11 end reason=x
        > 10 left.reading=24:50; left.penalty=20 > 11 left.penalty=20""")


@pytest.mark.parametrize(("stop", "later"), [("", "-0:00"), ("1570.25 neutralise, ", "0:00"), ("1570.25 end reason=x, ", "0:00")])
def test_erased_overtime_leaves_exactly_nothing_remaining(stop: str, later: str) -> None:
    check(f"""0 press right, {stop}1570.25 erase_overtime left reason=x
        > 1570.25 left.reading=0:00; left.penalty=0; left.used_ns=1570250000000 > 1570.250000001 left.reading={later}""")


def test_overtime_is_erased_back_to_the_reading_that_the_director_names() -> None:
    check("""0 press right, 1570.25 neutralise, 1571 erase_overtime left to_seconds=-30 reason=x
        > 1571 left.reading=-0:30; left.penalty=10; left.used_ns=1570250000000
        0 press right, 1570.25 neutralise, 1571 erase_overtime left to_seconds=-71 reason=x > 1571 -1:10 25:00
        # A credit is taken into account once the game is over; where there is no overtime nothing changes.
        0 adjust left seconds=-100 when=end reason=x, 0 press right, 1450 end reason=x, 1451 erase_overtime left reason=x
        > 1450 left.reading=-0:50 > 1451 left.reading=0:00
        0 press right, 10 erase_overtime left reason=x, 1500 erase_overtime left reason=x > 1500 0:00 25:00""")


def test_medical_extra_time_stands_on_the_face_before_the_start() -> None:
    check("[naspa-2017 left_seconds=1800.5] 1 window name=mixing > 0 30:01 25:00")


def test_players_agree_on_a_minute_where_the_rules_let_them() -> None:
    agreed = "10 adjust right seconds=60 when=now reason=x by=players"
    for rulebook in ("naspa-2012", "naspa-2014", "naspa-2017", "naspa-2017-collins-5", "club"):
        check(f"0 press right, {agreed} > 10 24:50 26:00", rulebook)
    check(f"0 press right, !{agreed}", NZ)


# --- seats, infractions, points, and another rulebook


def test_a_swap_takes_all_that_is_the_players_to_the_other_side() -> None:
    before = play(
        "naspa-2017-collins-5 left_seconds=1800",
        *("0 press right", "100 challenge", "101 verdict acceptable=true words=2", "102 adjust left seconds=-30 when=end reason=x"),
    )
    was, after = before.face("103"), before.then("103 swap reason=x").face("103")
    assert (after["left"], after["right"]) == (was["right"], was["left"])
    check("""[naspa-2017-collins-5] 0 press right, 100 neutralise, 103 swap reason=x > 102 turn=left > 103 neutral - right
        0 press right, 10 out_play, 11 challenge, 12 withdraw, 13 swap reason=x, 14 press left > 14 reason=out play
        0 press right, 10 out_play, 11 challenge, 12 withdraw, 13 swap reason=x, 14 press right > 14 hold left left
        [naspa-2017 right_seconds=1800] 1 swap reason=x > 1 ready - -; 30:00 25:00""")


def test_infractions_are_counted_and_cost_nothing_and_the_director_gives_and_takes_points() -> None:
    check("""0 infraction left, 1 infraction right, 2 press right, 3 infraction left, 4 infraction left
        > 4 left.infractions=3; right.infractions=1; left.points=0 > 5 24:57 25:00
        # The director gives and takes points.
        0 press right, 1 points left points=-10 reason=x, 2 points right points=30 reason=x, 4 end reason=x, 5 points right points=-30 reason=x
        > 3 left.points=-10; right.points=30 > 5 right.points=0
        0 press right, 1 points left points=-10 reason=x, 4 undo reason=x event=3 > 4 left.points=0""")


def test_another_rulebook_changes_the_allowed_times_but_not_an_allowance_of_ones_own_nor_what_was_charged(tmp_path: Path) -> None:
    path = own_rulebook(tmp_path, '[regulation]\ntime = "22:00"', NZ)
    stopped = "[naspa-2017 left_seconds=1800] 0 press right, 10 press left, 20 hold, 25 neutralise, 26 points left points=5 reason=x"
    changed = f"{stopped}, 30 window name=mixing, 31 rulebook rulebook={path} reason=x"
    check(f"""{changed}, 33 resume right > 32 29:50 21:45; left.points=5; right.used_ns=15000000000; window=none; holder=right; draw=none
        > 33 hold right right
        {changed}, 40 swap reason=x, 41 rulebook rulebook=naspa-2017 reason=x > 41 24:45 29:50""")


def test_overtime_is_erased_with_what_the_side_owes() -> None:
    # Both late: LEFT, the first, owes 480 s at the end (2017 III.C), and has 130 s of overtime with it: erased, no penalty is left (V.D).
    check("""0 late_start both, 480 arrive left, 500 arrive right, 501 press right, 1651 erase_overtime left reason=x
        > 1650.5 left.penalty=30; left.reading=5:51 > 1651 left.penalty=0; left.reading=8:00
        0 late_start both, 480 arrive left, 500 arrive right, 501 press right, 1651 erase_overtime left to_seconds=-60 reason=x
        > 1651 left.penalty=10""")


def test_an_absent_players_clock_starts_no_earlier_than_the_rules_allow_and_may_count_from_the_call() -> None:
    check("""[nzasp-2022] 100 late_start left ago=40 > 100 late left -; left.used_ns=40000000000
        [nzasp-2022] 100 late_start both ago=40, 110 arrive right, 130 arrive left > 130 ready - -; 23:50 24:10; left.used_ns=70000000000
        # The Director may start it no earlier than 5 minutes after the round's start (2017 III.C).
        10 window name=late_start, !309 late_start left, 310 late_start left > 311 late left -; left.used_ns=1000000000
        10 window name=late_start ago=60, !320 late_start left ago=80, 320 late_start left ago=70 > 320 left.used_ns=70000000000""")
