"""What players do in a game: press, stop, hold, play out, challenge and come late (docs/spec/events.md, docs/spec/rules.md)."""

import pytest

from rules.side import BySide
from tests.firmware.saying import NASPA, NZ, RULEBOOKS, attempt, check, play

NASPA_AND_CLUB = [rulebook for rulebook in RULEBOOKS if rulebook != NZ]

# --- a player's own button starts the other player's clock, always


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_press_before_the_start_starts_the_other_players_clock_and_turn(rulebook: str) -> None:
    for side, other in (("left", "right"), ("right", "left")):
        check(f"1 press {side} > 0.5 ready - - > 1 running {other} {other}", rulebook)


@pytest.mark.parametrize("stop", ["neutralise", "challenge"])
def test_a_press_after_a_stop_or_in_an_adjudication_starts_the_other_clock_whoever_was_on_turn(stop: str) -> None:
    for side, other in (("left", "right"), ("right", "left")):
        check(f"0 press right, 5 {stop}, 9 press {side} > 9 running {other} {other}")


def test_neutralising_stops_both_clocks_and_keeps_the_turn_and_its_reason_while_it_lasts() -> None:
    check("""0 press right, 5 neutralise reason=overdraw, 101 resume left
        > 100 neutral - left; reason=overdraw; left.used_ns=5000000000; right.used_ns=0 > 101 reason=none""")


@pytest.mark.parametrize("start", ["", "0 press right, 1 neutralise, ", "0 press right, 1 out_play, ", "0 press right, 1 challenge, "])
@pytest.mark.parametrize("side", ["left", "right"])
def test_resume_starts_that_sides_clock_and_turn_and_leaves_nothing_pending(start: str, side: str) -> None:
    check(f"{start}2 resume {side}, 3 out_play > 2 running {side} {side} > 3 out_play - {side}, out_play 0:20")


def test_the_clock_may_run_for_the_decision_of_either_player() -> None:
    check("""0 press right, 5 neutralise, 6 decide right, 20 neutralise > 6 running right left > 21 neutral - left; right.used_ns=14000000000
        0 press right, 5 neutralise, 6 decide right, 8 press right > 8 running left left
        # A hold, an out play or a challenge during a decision is that of the player on turn.
        0 press right, 5 neutralise, 6 decide right, 7 hold, 8 neutralise, 9 resume left > 9 hold left left, courtesy_draw 0:13
        0 press right, 5 neutralise, 6 decide right, 7 out_play, 8 press left > 8 hold right right
        0 press right, 5 neutralise, 6 decide right, 7 challenge, 8 verdict acceptable=true > 8 lost_turn=left; turn=right
        # It may run for the decision of the player on turn too.
        0 press right, 5 neutralise, 6 decide left > 6 running left left""")
    assert play(NASPA, "0 press right", "5 neutralise", "6 decide left").game("6").deciding


def test_a_press_ends_the_turn_to_the_nanosecond_and_in_an_adjudication_records_no_verdict_and_clears_a_pending_out_play() -> None:
    check("""1.000000007 press right, 3.000000011 press left
        > 3.000000011 running right right > 4 left.used_ns=2000000004; right.used_ns=999999989
        [naspa-2017-collins-5] 0 press right, 5 out_play, 6 challenge, 9 press right, 12 out_play
        > 12 out_play - left, out_play 0:20; left.points=0; right.points=0""")


# --- the reason of the stop that stands, and the call for the director (2017 II.A)


def test_the_reason_of_a_stop() -> None:
    check("""0 press right, 5 neutralise > 5 reason=none
        0 press right, 5 neutralise reason=underdraw, 6 swap reason=x, 7 window name=tile_decision > 8 reason=underdraw
        0 press right, 5 neutralise, 6 reason reason=overdraw, 8 reason reason=underdraw, 9 resume left, 10 neutralise
        > 7 reason=overdraw > 8 neutral - left; reason=underdraw; 24:55 25:00 > 10 reason=none
        # It is gone once something else came of the stop.
        [nzasp-2022] 0 press right, 5 neutralise reason=overdraw, 6 challenge > 8 reason=none
        [nzasp-2022] 0 press right, 5 neutralise reason=overdraw, 6 out_play > 8 reason=none
        [nzasp-2022] 0 press right, 5 neutralise reason=overdraw, 6 challenge, 7 withdraw by=director > 8 reason=none
        [nzasp-2022] 0 press right, 5 neutralise reason=overdraw, 6 challenge, 7 verdict acceptable=false > 8 reason=none
        [nzasp-2022] 0 press right, 5 neutralise reason=overdraw, 6 end reason=x, 7 reopen reason=y > 8 reason=none
        # What no neutralise stopped takes none.
        !5 reason reason=overdraw
        0 press right, !5 reason reason=overdraw
        0 press right, 1 challenge, 2 verdict acceptable=true, !5 reason reason=overdraw
        0 press right, 1 challenge, 2 withdraw, !5 reason reason=overdraw
        0 press right, 1 end reason=x, 2 reopen reason=x, !5 reason reason=overdraw
        0 press right, 1 end reason=x, 2 undo reason=x, !5 reason reason=overdraw
        0 press right, 1 end reason=x, !5 reason reason=overdraw""")


def test_a_call_is_the_reason_of_a_stop_that_has_none_until_the_players_take_it_back_and_stands_until_then_whatever_clock_starts() -> None:
    check("""0 press right, 5 neutralise, 6 call on=true, 7 call on=false
        > 6 reason=director called; called=true > 7 reason=none; called=false
        0 press right, 5 neutralise, 6 call on=true, 7 call on=false by=director > 7 reason=director called; called=false
        0 press right, 5 neutralise, 6 call on=true, 7 reason reason=overdraw, 8 call on=false > 8 reason=overdraw; called=false
        0 press right, 5 neutralise, 6 reason reason=overdraw, 7 call on=true > 7 reason=overdraw; called=true
        0 press right, 1 call on=true, 8 press left, 9 neutralise, 10 call on=false > 9 called=true > 10 called=false
        0 press right, 5 neutralise, 6 call on=true, 8 resume left > 8 called=true
        0 press right, 5 neutralise, 6 call on=true, 8 decide right > 8 called=true
        1 call on=true, 8 late_start left > 8 called=true
        0 late_start both, 1 call on=true, 8 arrive left > 8 called=true
        0 press right, 5 neutralise, 6 call on=true, 8 challenge > 8 called=true
        0 press right, 5 neutralise, 6 call on=true, 7 reason reason=overdraw, 8 adjust left seconds=60 when=now reason=x > 8 called=true
        # It goes on into the next game if that says so.
        0 press right, 1 end reason=x, 2 call on=true > 7 called=true
        0 press right, 1 end reason=x, 2 call on=true, 8 new_game rulebook=club > 8 called=false
        0 press right, 1 call on=true, 2 end reason=x, 8 new_game rulebook=club called=true > 8 called=true""")


# --- holds and the courtesy draw (2017 IV.I): the holder's clock goes on, and stopping it does not end the hold


@pytest.mark.parametrize("rulebook", NASPA_AND_CLUB)
def test_a_hold_keeps_the_clock_running_and_starts_fifteen_seconds_to_the_courtesy_draw(rulebook: str) -> None:
    check("0 press right, 10 hold > 12 hold left left, courtesy_draw 0:13; left.used_ns=12000000000", rulebook)


def test_what_keeps_and_what_ends_a_hold_and_its_courtesy_draw() -> None:
    check("""# New Zealand has a hold without one.
        [nzasp-2022] 0 press right, 10 hold > 12 hold left left
        # The end of the courtesy draw changes nothing but the window.
        0 press right, 10 hold
        > 24.999999999 hold left left, courtesy_draw 0:01 > 25 hold left left, courtesy_draw 0:00 over > 40 hold left left
        # A release goes on with the same clock and ends the window.
        0 press right, 10 hold, 12 release > 12 running left left
        0 press right, 10 hold, 12 neutralise, 13 release, 14 resume left > 13 neutral - left > 14 running left left
        # The holder's press ends the hold with the turn.
        0 press right, 10 hold, 12 press left, 13 neutralise, !14 release > 12 running right right
        # A stop keeps the hold, and its courtesy draw counts on.
        0 press right, 10 hold, 12 neutralise > 12 neutral - left, courtesy_draw 0:13 > 14 neutral - left, courtesy_draw 0:11""")


@pytest.mark.parametrize("back", ["resume left", "press right"])
def test_the_holders_clock_again_is_a_hold_again_with_its_courtesy_draw(back: str) -> None:
    check(f"""0 press right, 10 hold, 12 neutralise, 14 {back} > 14 hold left left, courtesy_draw 0:11
        0 press right, 10 hold, 12 neutralise, 60 {back} > 60 hold left left""")


def test_under_wespa_the_courtesy_draw_counts_thirty_seconds_from_the_press_however_late_the_hold() -> None:
    check("""[wespa-2021] 0 press right, 20 press left, 30 hold
        > 35 hold right right, courtesy_draw 0:15; draw=0:15 > 50 hold right right, courtesy_draw 0:00 over
        [wespa-2021] 0 press right, 20 press left, 55 hold > 56 hold right right, courtesy_draw 0:00 over; draw=0:00 over
        [wespa-2021] 0 press right, 20 press left, 30 neutralise, 34 hold > 40 neutral - right, courtesy_draw 0:14
        # Time in which the clock stands is not the turn's.
        [wespa-2021] 50 press left, 52 neutralise, 120 resume right, 121 hold > 121 hold right right, courtesy_draw 0:27
        # A turn that was given without a press counts from there, not from the press before it.
        [wespa-2021] 0 press right, 20 press left, 30 neutralise, 100 resume left, 105 hold > 110 hold left left, courtesy_draw 0:20""")


def test_another_rulebook_gives_a_hold_that_stands_its_own_base() -> None:
    check("""0 press right, 20 press left, 27 hold, 29 neutralise, 31 rulebook rulebook=wespa-2021 reason=x
        > 30 draw=0:12 > 32 draw=0:18
        [wespa-2021] 0 press right, 20 press left, 27 hold, 29 neutralise, 31 rulebook rulebook=naspa-2017 reason=x > 32 draw=0:10""")


def test_a_courtesy_draw_counts_from_the_hold_through_other_windows_stops_and_decisions() -> None:
    check("""0 press right, 10 hold, 12 neutralise, 13 window name=mixing, 14 resume left
        > 13 neutral - left, mixing 0:10 > 14 hold left left, courtesy_draw 0:11
        0 press right, 10 hold, 12 neutralise, 13 decide right, 16 neutralise, 18 resume left
        > 14 running right left, courtesy_draw 0:11 > 18 hold left left, courtesy_draw 0:07
        # It is shown beside another window, after it, and after its own ten seconds.
        0 press right, 10 hold, 13 window name=mixing, 61 release > 15 hold left left, mixing 0:08; holder=left; draw=0:10
        > 60 hold left left; draw=0:00 over > 61 running left left; holder=none; draw=none
        0 press right, 1 hold, 2 window name=return_to_table
        > 16.5 hold left left, return_to_table 0:00 over > 17 hold left left, courtesy_draw 0:00 over > 26 hold left left
        # The hold of an out play has none.
        0 press right, 5 hold, 10 out_play, 12 hold > 12 hold right right; holder=right; draw=none""")


def test_a_hold_stands_while_the_opponent_decides_and_ends_with_its_own_turn_and_with_what_comes_of_it() -> None:
    check("""0 press right, 10 hold, 12 neutralise, 13 decide right, !14 hold, 15 press right
        > 14 running right left, courtesy_draw 0:11; holder=left > 15 hold left left, courtesy_draw 0:10
        0 press right, 10 hold, 12 neutralise, 13 decide left, 14 press left > 14 running right right; holder=none
        # The other player's clock ends it for good; so do a challenge, even withdrawn, an out play and the end of the game.
        0 press right, 10 hold, 12 neutralise, 14 resume right, 16 neutralise, 18 resume left > 14.5 running right right > 18 running left left
        0 press right, 10 hold, 12 neutralise, 14 press left, 16 neutralise, 18 resume left > 14.5 running right right > 18 running left left
        0 press right, 10 hold, 12 challenge, 13 withdraw, 14 resume left > 14 running left left
        0 press right, 10 hold, 12 out_play, 13 resume left > 13 running left left
        0 press right, 10 hold, 12 end reason=x, 13 reopen reason=x, 14 resume left > 14 running left left
        # Swapped sides take it along.
        0 press right, 10 hold, 12 neutralise, 13 swap reason=x, 14 resume right > 14 hold right right, courtesy_draw 0:11""")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_hold_and_a_challenge_may_come_long_into_the_turn(rulebook: str) -> None:
    check(
        """# 2017 IV.I.1: the bag may be empty, and the clock does not know.
        0 press right, 900 hold, 1499 release > 1498 hold left left > 1499 running left left
        # A challenge may come long into the turn, a hold or a stop.
        0 press right, 1499 challenge > 1499 adjudication - left
        0 press right, 900 hold, 1499 challenge > 1499 adjudication - left
        0 press right, 900 neutralise, 1499 challenge > 1499 adjudication - left""",
        rulebook,
    )


# --- the out play: 20 s under NASPA and club end the game (2017 V.E), 5 s in New Zealand let the opponent's clock start (NZ 8.2)


@pytest.mark.parametrize("rulebook", NASPA_AND_CLUB)
def test_the_game_is_over_at_exactly_twenty_seconds_after_the_stop_for_the_out_play_and_not_before(rulebook: str) -> None:
    check(
        """0 press right, 10 out_play, !30 challenge > 10 out_play - left, out_play 0:20 > 29.999999999 out_play - left, out_play 0:01
        > 30 phase=over; reason=out play; turn=left; loser=none
        # A challenge a nanosecond before is in time.
        0 press right, 10 out_play, 29.999999999 challenge > 100 adjudication - left
        # An out play named after a stop counts from the stop, unless less than half of it is left.
        0 press right, 10 neutralise, 18 out_play > 18 out_play - left, out_play 0:12 > 29.999999999 phase=out_play > 30 reason=out play
        0 press right, 10 neutralise, 20 out_play > 20 out_play - left, out_play 0:10
        0 press right, 10 neutralise, 20.000000001 out_play > 22 out_play - left, out_play 0:19 > 40 phase=out_play > 41 reason=out play""",
        rulebook,
    )


def test_in_new_zealand_the_end_of_the_window_ends_nothing_but_lets_the_opponents_clock_start() -> None:
    check("""[nzasp-2022] 0 press right, 10 out_play > 12 out_play - left, out_play 0:03 > 1000 out_play - left
        # The opponent's clock starts only once the five seconds are over.
        [nzasp-2022] 0 press right, 10 out_play, !14.999999999 press left, 15 press left > 15 hold right right
        # From the declaration where the out play is named late; at once in a stop after the challenge was withdrawn.
        [nzasp-2022] 0 press right, 10 neutralise, 30 out_play, !31 press left, 35 press left > 35 hold right right
        [nzasp-2022] 0 press right, 10 out_play, 11 challenge, 12 withdraw by=director, 12.5 press left > 12.5 hold right right
        # A hold is noted, no clock starts, and the window goes on.
        [nzasp-2022] 0 press right, 10 out_play, 12 hold, 15 press left, 20 neutralise, 21 press left
        > 13 out_play - left, out_play 0:02 > 15 hold right right > 16 holder=right > 21 holder=right
        [nzasp-2022] 0 press right, 10 out_play, 12 hold, !13 hold, 13 release > 13 phase=over
        # The opponent's running clock is no hold unless one was called.
        [nzasp-2022] 0 press right, 10 out_play, 15 press left, 20 neutralise, 22 release
        > 16 holder=none > 21 holder=none > 22 reason=out play""")


@pytest.mark.parametrize("how", ["press left", "hold"])
def test_a_hold_inside_the_window_runs_the_opponents_clock_and_the_game_goes_on_past_it(how: str) -> None:
    check(f"0 press right, 10 out_play, 25 {how} > 25 hold right right > 100 hold right right; right.used_ns=75000000000")


@pytest.mark.parametrize("start", ["", "11 hold, ", "11 hold, 12 neutralise, ", "11 challenge, 12 withdraw, "])
def test_the_opponents_press_or_release_accepts_the_out_play(start: str) -> None:
    for how in ("press right", "release"):
        check(f"0 press right, 10 out_play, {start}13 {how} > 13 phase=over; reason=out play")


def test_an_out_play_after_another_stop_has_its_own_window_and_one_that_is_stopped_stays_pending() -> None:
    check("""# 2017 V.E: the clock is stopped after the final play; this one was stopped before it.
        0 press right, 10 challenge, 20 withdraw, 25 out_play > 25 out_play - left, out_play 0:20
        0 press right, 10 challenge, 20 verdict acceptable=false, 25 out_play > 25 out_play - left, out_play 0:20
        0 press right, 10 end reason=x, 20 reopen reason=x, 25 out_play > 25 out_play - left, out_play 0:20
        0 press right, 10 neutralise reason=overdraw, 25 out_play > 25 out_play - left, out_play 0:20
        0 press right, 10 neutralise, 12 call on=true, 25 out_play > 25 out_play - left, out_play 0:20
        # It stays pending over a stop and a withdrawn challenge; a resume takes it off.
        0 press right, 10 out_play, 11 hold, 12 neutralise, 13 press left, 14 release > 13 hold right right > 14 reason=out play
        0 press right, 10 out_play, 11 challenge, 12 withdraw, !1001 out_play, 1001 press right > 1000 neutral - left > 1001 reason=out play
        0 press right, 10 out_play, 12 resume left > 500 running left left""")


# --- challenge rules and points of every rulebook, with and without a pending out play

TURN_LOST = {"naspa-2012", "naspa-2014", NASPA}
POINTS = {
    "naspa-2014-collins-5": 5,  # 2014 VI
    "naspa-2014-collins-10": 10,
    "naspa-2017-collins-5": 5,  # 2017 VI.B.3
    "naspa-2017-collins-10": 10,
    NZ: 5,
}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_verdict_costs_what_the_rulebook_says(rulebook: str) -> None:
    points = POINTS.get(rulebook, 0)
    turn, challenger, lost = ("right", "left", "left") if rulebook in TURN_LOST else ("left", "right", "none")
    check(
        f"""0 press right, 5 challenge, 60 verdict acceptable=true > 61 neutral - {turn}; lost_turn={lost}; left.points=0; right.points={points}
        0 press right, 5 challenge, 60 verdict acceptable=true words=3 > 61 neutral - {turn}; left.points=0; right.points={points * 3}
        0 press right, 5 challenge right, 60 verdict acceptable=true > 61 turn={challenger}; left.points={points}; right.points=0
        0 press right, 5 challenge, 60 verdict acceptable=false words=2 > 61 neutral - left; lost_turn=right; left.points=0; right.points=0
        0 press right, 5 out_play, 6 challenge, 60 verdict acceptable=true words=2
        > 61 phase=over; reason=out play; lost_turn=none; left.points={points * 2}; right.points=0
        0 press right, 5 out_play, 6 challenge, 60 verdict acceptable=false > 61 neutral - right; lost_turn=left""",
        rulebook,
    )
    again = attempt(rulebook, "0 press right", "5 out_play", "6 challenge", "60 verdict acceptable=false", "62 out_play")
    assert again.states("62")[0] in ("out_play", "over")


def test_whose_challenge_it_is_and_when_it_stops_the_clock() -> None:
    check("""# The challenger is the out player's opponent while it is pending, else the player on turn.
        0 press right, 5 out_play, 6 hold, 7 challenge, 8 verdict acceptable=false > 8 turn=right; lost_turn=left
        0 press right, 5 neutralise, 7 challenge, 8 verdict acceptable=false > 8 turn=left; lost_turn=right
        # A challenge stops the clock at its instant.
        0 press right, 5.000000003 challenge > 99 left.used_ns=5000000003
        # A withdrawn challenge leaves the turn as it was, and points of several add up.
        [naspa-2017-collins-5] 0 press right, 5 challenge, 6 withdraw > 7 neutral - left; lost_turn=none; left.points=0; right.points=0
        [naspa-2017-collins-10] 0 press right, 5 challenge, 6 verdict acceptable=true words=2, 7 challenge, 8 verdict acceptable=true,
        ... 9 challenge right, 10 verdict acceptable=true > 11 left.points=10; right.points=30""")


@pytest.mark.parametrize("after", ["press left", "resume right", "decide left", "challenge", "out_play", "end reason=x"])
def test_the_turn_that_was_lost_is_shown_until_that_stop_is_over(after: str) -> None:
    check(f"""0 press right, 5 challenge, 6 verdict acceptable=true, 7 window name=mixing, 8 adjust left seconds=60 when=now reason=x, 9 {after}
        > 8.5 lost_turn=left > 9 lost_turn=none""")


# --- a tile was drawn and the opponent's clock not started: the wrong clock ran, the turn had ended at the draw (2017 IV.G.2.a, II.D)


def test_a_missed_press_is_made_later_and_its_time_comes_back_at_the_end() -> None:
    check("""# The play can then be held by the player it was made against.
        0 press right, 30 window name=missed_press, 40 press left, 41 hold
        > 39 running left left, missed_press 0:11 > 41 hold right right, courtesy_draw 0:15
        # The time that ran on the wrong clock comes back at the end of the game.
        0 press right, 40 press left, 41 adjust left seconds=10 when=end reason=x, 60 end reason=x > 42 24:20 24:58 > 60 24:30 24:40""")


# --- late arrivals and forfeits (2017 III.C, NZ 4.2)


def test_the_absent_players_clock_runs_and_what_it_used_stays_used_until_the_forfeit() -> None:
    check("""300 late_start left, 400.000000001 arrive left, 500 press right
        > 310 late left - > 499 ready - -; left.used_ns=100000000001 > 500 running left left
        # New Zealand forfeits the instant nothing remains.
        [nzasp-2022] 300 late_start right > 1799.999999999 late right - > 1800 reason=forfeit; loser=right; right.reading=0:00
        # An arrival at the instant of the forfeit is too late.
        0 late_start left, !1501 arrive left
        0 late_start left, 1500.999999999 arrive left > 1501 ready - -
        # A late player starts with what is left and may be late again.
        [nzasp-2022] 0 late_start left, 900 arrive left, 1000 late_start left
        > 1599.999999999 phase=late > 1600 reason=forfeit""")


def test_of_both_absent_the_first_owes_the_time_at_the_end_and_the_other_is_charged_from_the_start() -> None:
    check("""300 late_start both, 600.5 arrive right, 900 arrive left, 901 end reason=x > 600 late - -; 25:00 25:00
        > 600.5 late left -; left.used_ns=300500000000; right.used_ns=0; left.credit=0; right.credit=-300.5
        > 900 ready - -; left.used_ns=600000000000 > 901 15:00 20:00
        0 late_start both, 60 arrive left, !60 arrive left, 60 arrive right, 61 end reason=x > 61 24:00 24:00
        [nzasp-2022] 0 late_start both, 60 arrive left, 60 arrive right > 61 24:00 24:00
        # Of two absent players with different allowed times.
        # The larger one counts for both; once one is there, the other's own.
        [naspa-2017 left_seconds=1800] 0 late_start both > 1800.999999999 phase=late > 1801 reason=double forfeit
        [naspa-2017 left_seconds=1800] 0 late_start both, 100 arrive left > 1500.999999999 late right - > 1501 reason=forfeit; loser=right
        [naspa-2017 left_seconds=1800] 0 late_start both, 1700 arrive left > 1700 reason=forfeit; loser=right""")


def test_in_new_zealand_the_first_of_both_absent_starts_with_what_is_left_and_owes_nothing() -> None:
    # NZ 4.2: each late player's clock runs from the adjudicator's call, and "a player arriving late must start with whatever time is left".
    check("""[nzasp-2022] 0 late_start both, 480 arrive right, 600 arrive left, 701 end reason=x
        > 480 late left -; 17:00 17:00; left.used_ns=480000000000; right.used_ns=0; left.credit=0; right.credit=0
        > 700 15:00 17:00 > 701 15:00 17:00""")
    late = play(NZ, "300 late_start both", "600.000000001 arrive left")
    allowed = late.game("700").accounts.map(lambda account: account.allowed)
    assert allowed == BySide(1_199_999_999_999, 1500 * 10**9), "to the nanosecond"
    undone = late.then("601 undo reason=x").game("601").accounts.map(lambda account: account.allowed)
    assert undone == BySide(1500 * 10**9, 1500 * 10**9)


@pytest.mark.parametrize("rulebook", NASPA_AND_CLUB)
def test_naspa_forfeits_the_instant_the_reading_is_minus_one_second(rulebook: str) -> None:
    check(
        """300 late_start right > 1800.999999999 late right - > 1801 phase=over; reason=forfeit; loser=right; window=none
        > 1801 left.penalty=0; right.penalty=0; right.reading=-0:01; right.used_ns=1501000000000""",
        rulebook,
    )


@pytest.mark.parametrize(("rulebook", "last", "instant"), [(NASPA, "1800.999999999", "1801"), (NZ, "1799.999999999", "1800")])
def test_both_absent_for_good_is_a_double_forfeit_with_no_loser_and_nobody_charged(rulebook: str, last: str, instant: str) -> None:
    check(
        f"""300 late_start both > {last} late - -; 25:00 25:00
        > {instant} phase=over; reason=double forfeit; loser=none; left.penalty=0; right.penalty=0""",
        rulebook,
    )
