import pytest

from firmware.gestures.meaning import offer_key
from game.game import Phase
from rules.duration import NS
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.saying import NASPA, NZ, RULEBOOKS
from tests.firmware.table_menu.player import Players, Seats
from tests.some import some

RUNNING = ("0 press right",)
"""Left is on turn."""
LEFT, RIGHT = Side.LEFT, Side.RIGHT
# A held press of 1.2 s calls, one of the bar of 2.2 s challenges.


def test_an_overdraw_or_tiles_returned_run_the_deciders_clock_from_the_end_of_the_time_to_the_decision(seats: Seats) -> None:
    # 2017 IV.B.5.b, IV.B.2, 2012 IV.B.4.a: left overdrew in right's turn, so left's clock stands, right chooses, and right is on turn.
    for cell in each_cell([(NASPA, "overdraw_decision", 15), ("naspa-2012", "overdraw_decision", 60), ("club", "tiles_returned", 15)]):
        with cell as (rulebook, frame, seconds):
            both = seats(rulebook, *RUNNING, "10 press left").do("menu")
            charged = both.used(RIGHT)
            both.do(f"take frames/{frame}/right, wait {seconds * 1000}")
            assert (both.used(RIGHT), both.game.running) == (charged, None)
            began = both.now
            assert both.do("left").stands == "running right right"
            decided = both.do("wait 40000").now
            assert both.do("bar").used(RIGHT) == charged + decided - began
            assert both.do("left").stands == "running right right"


def test_a_decision_in_the_other_players_turn_leaves_the_turn_where_it_was(seats: Seats) -> None:
    # 2017 IV.B.5.b: left is on turn and has overdrawn, so right decides; then left's clock is restarted.
    both = seats(NASPA, *RUNNING).do("menu frames/overdraw_decision/right, wait 15000, left")
    assert both.stands == "running right left"
    assert both.do("bar, right").stands == "running left left"


@pytest.mark.parametrize("rulebook", [NASPA, NZ])
def test_after_a_missed_press_the_other_clock_runs_and_the_play_is_held_and_challenged(seats: Seats, rulebook: str) -> None:
    # 2017 IV.G.2.a, NZ 6.3.7: left drew without a press; right stops the wrong clock. In New Zealand the press that was forgotten is made.
    both = seats(rulebook, *RUNNING).do("left" if rulebook == NZ else f"menu frames/missed_press/{10 * NS}")
    if rulebook == NASPA:
        window = some(both.game.window)
        # 2017 IV.G.2.a: the turn had ended at the draw, 10 s before the players said so.
        assert (window.name, window.length, window.starts) == ("missed_press", 20 * NS, both.table.history.at - 10 * NS)
    assert both.stands == "running right right"
    assert both.do("left 1200").game.holder is RIGHT
    assert both.do("bar 2200").game.challenger is RIGHT


def test_an_absent_players_clock_may_start_five_minutes_after_the_round_began_not_after_the_row_was_taken(seats: Seats) -> None:
    # 2017 III.C: the players sat down two minutes into the round, and know when it began.
    both = seats(NASPA).do(f"menu frames/late_start/{120 * NS}")
    assert some(both.game.window).ends == both.table.history.at + 180 * NS


def test_a_challenge_on_the_wrong_clock_is_taken_over_by_the_player_who_challenges(seats: Seats) -> None:
    # 2017 IV.G.2.a: left drew without a press, right challenges while left's clock runs, and the play is acceptable.
    both = seats(NASPA, *RUNNING)
    assert both.do("bar 2200").game.challenger is LEFT
    assert both.do("right 2200").game.challenger is RIGHT
    both.do("bar, bar 1200")
    assert (both.game.lost_turn, both.game.turn) == (RIGHT, LEFT)


def test_a_player_back_at_the_table_has_a_running_clock_and_five_seconds(seats: Seats) -> None:
    # 2014 IV.L, 2017 IV.L: left was away, right played and started left's clock; it is stopped, and runs from the first new tile.
    both = seats(NASPA, *RUNNING).do("bar")
    charged = both.used(LEFT)
    both.do("wait 30000, menu frames/return_to_table")
    assert both.stands == "running left left"
    assert both.used(LEFT) - charged < 1_000
    window = some(both.game.window)
    assert (window.name, window.length) == ("return_to_table", 5 * NS)
    assert both.do("right 1200").game.holder is LEFT


def test_a_clock_hit_in_error_is_started_again_by_the_other_player_who_gets_a_minute(seats: Seats) -> None:
    # 2017 IV.E.1: left hit the clock without a play.
    both = seats(NASPA, *RUNNING)
    assert both.do("left, right").stands == "running left left"
    both.do("menu clock_hit_in_error/right/agreed")
    assert (both.game.accounts.left.allowed, both.game.accounts.right.allowed) == (1500 * NS, 1560 * NS)
    assert both.do("right").stands == "running left left"


def test_a_wrong_board_gives_the_other_player_a_minute_and_the_turn_is_taken_again(seats: Seats) -> None:
    # 2017 III.G.6: left's play came off, but not all of it; right has played on it, and takes that turn again.
    both = seats(NASPA, *RUNNING, "10 press left", "15 press right").do("menu wrong_board/right/agreed, left")
    assert (both.stands, both.game.accounts.right.allowed) == ("running right right", 1560 * NS)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_offenders_clock_is_started_again_at_once_and_each_second_is_charged_to_whose_clock_ran(seats: Seats, rulebook: str) -> None:
    # 2017 III.G.2, III.G.3, III.G.4, IV.F.1.a, NZ 6.2.2: right sends left's misoriented play or undeclared blank back.
    both = seats(rulebook, *RUNNING).do("left, wait 5000, right, wait 5000, left, wait 5000")
    # A short press, and what comes after each.
    apart = 150 + 300 + 5_000
    assert (both.used(LEFT), both.used(RIGHT), both.stands) == (20_000 + apart, 2 * apart, "running right right")


def test_the_bag_is_handed_over_on_a_stopped_clock_and_its_holder_starts_the_same_clock(seats: Seats) -> None:
    # 2017 IV.C.4: left's clock runs, right has the bag.
    both = seats(NASPA, *RUNNING).do("bar")
    charged = both.used(LEFT)
    assert both.do("wait 8000").used(LEFT) == charged
    assert both.do("right").stands == "running left left"


def test_a_challenge_that_is_withdrawn_lets_the_other_player_be_sent_back_to_the_blank(seats: Seats) -> None:
    # 2017 IV.I.3, IV.F.1.e: left challenges right's blank, which was not designated; right's clock runs until it is.
    both = seats(NASPA, *RUNNING).do("bar 2200, bar, left, bar 1200")
    assert both.stands == "neutral - left"
    assert both.do("left").stands == "running right right"


def test_in_new_zealand_only_the_director_takes_a_challenge_off(seats: Seats) -> None:
    # NZ 6.12.2.1, 6.12.1.1: no offer and no row does it.
    both = seats(NZ, *RUNNING).do("bar 2200")
    assert {offer_key(both.do(button).table.offer) for button in ["left"] * 10} == {"acceptable", "unacceptable"}
    # The offer lapses: until then the bar held takes it.
    assert both.do("wait 16000, menu").rows == ("words", "out_play left", "out_play right", "take_back", "call", "close")


def test_in_new_zealand_the_opponents_clock_runs_after_five_seconds_until_they_decide(seats: Seats) -> None:
    # NZ 8.2, 8.2.1: left plays out, right does not answer, then stops the clock and accepts.
    both = seats(NZ, *RUNNING).do("bar, left 1200, left")
    assert both.stands.startswith("out_play -"), "not before the 5 s"
    began = both.do("wait 5000").now
    both.do("left")
    assert (both.game.running, both.game.holder) == (RIGHT, None)
    decided = both.do("wait 12000").now
    assert both.do("bar").used(RIGHT) == decided - began
    assert both.game.phase is Phase.NEUTRAL
    both.do("right 1200")
    assert (both.game.phase, both.game.reason) == (Phase.OVER, "out play")


def test_in_new_zealand_the_opponent_of_a_player_who_is_away_ends_a_turn_stops_the_clock_and_calls_the_director(seats: Seats) -> None:
    # NZ 7.1: the director permits it; 7.2.1: left completes a turn before leaving, and right may complete one; 7.2.2: right stops the clock.
    both = seats(NZ, *RUNNING)
    assert both.do("menu call").game.called
    assert both.do("bar, menu call, bar, left, wait 40000, right").stands == "running left left"
    stopped = both.do("bar").used(LEFT)
    both.do("menu call, bar, wait 300000")
    assert (both.used(LEFT), both.game.called) == (stopped, True)
    both.do("right")
    assert (both.stands, both.game.called) == ("running left left", True), "the call waits for its answer"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_play_is_challenged_off_by_the_clock_alone_and_tiles_are_put_right_while_no_clock_runs(seats: Seats, rulebook: str) -> None:
    # 2017 III.G.1: off the centre square, whatever its words; NZ 6.5.3: after a flash draw the tiles are revealed and returned.
    both = seats(rulebook, *RUNNING, "10 press left").do("bar 2200, left, bar 1200")
    assert (both.stands, both.game.ruling) == ("neutral - right", "unacceptable")
    before = both.used(LEFT), both.used(RIGHT)
    both.do("wait 60000")
    assert (both.used(LEFT), both.used(RIGHT)) == before
    assert both.do("left").stands == "running right right"


def test_an_out_play_is_held_on_the_opponents_clock_and_challenged(seats: Seats) -> None:
    # 2014 V.E, 2017 V.E: left plays out, right says hold, left starts right's clock, right challenges; the play is unacceptable.
    both = seats(NASPA, *RUNNING).do("bar, left 1200, left, left")
    assert (both.game.running, both.game.holder) == (RIGHT, RIGHT)
    assert both.do("wait 60000, bar 2200").game.challenger is RIGHT
    assert both.do("right, bar 1200").stands == "neutral - right"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_either_player_ends_the_game_after_six_zeros_by_stopping_the_clock(seats: Seats, rulebook: str) -> None:
    # 2014 V.B, 2017 V.B, NZ 8.1.3, general rules.
    for start in (RUNNING, (*RUNNING, "10 press left")):
        game = seats(rulebook, *start).do("menu six_zeros/yes").game
        assert (game.phase, game.reason, game.loser) == (Phase.OVER, "six zeros", None)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("button", ["left", "bar"])
def test_an_absent_players_clock_is_stopped_by_either_player_and_goes_on_from_there(seats: Seats, rulebook: str, button: str) -> None:
    # 2017 III.C: "the Director or the opponent may stop the clock. Otherwise the arriving player stops it"; NZ 4.2.
    both = seats(rulebook, "0 late_start left").do("right")
    assert both.game.phase is Phase.LATE
    arrived = both.now
    both.do(button)
    assert (both.game.phase, both.used(LEFT)) == (Phase.READY, arrived)
    assert both.do("right").stands == "running left left"


def test_every_reason_of_the_index_is_taken_for_the_stop(seats: Seats) -> None:
    # 2017 II.A and its index, "Clock, stopping"; challenge, six zeros and out play are rows of their own.
    index = (
        *("score discrepancy", "director called", "overdraw", "blank clarification", "blank slip", "tiles from another game"),
        *("too few tiles to exchange", "underdraw", "tile count", "misplaced tiles", "late arrival", "return to table"),
        *("official away", "improper procedure"),
    )
    offered = seats(NASPA, *RUNNING).do("menu")
    assert {"challenge", "six_zeros", "out_play left"} <= set(offered.rows)
    assert offered.do("take reason").rows == (*index, "back")
    for cell in each_cell(index):
        with cell as reason:
            both = Players(offered.table, offered.now).do(f"take {reason}")
            assert (both.game.reason, both.stands) == (reason, "neutral - left")


def test_a_challenge_before_the_end_of_the_turn_is_taken_off_and_the_same_clock_goes_on(seats: Seats) -> None:
    # 2017 IV.I.3.3: right challenges though left's turn has not ended; the challenge is void, and left is charged for none of it.
    both = seats(NASPA, *RUNNING)
    called = both.now
    assert both.do("bar 2200, bar, left, bar 1200").used(LEFT) == called
    assert both.do("bar").stands == "running left left"
