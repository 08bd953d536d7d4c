"""Clauses of the rule books that take more than one press, played from the first to the last one by two players without a director."""

import pytest

from game.game import Phase
from rules.duration import NS
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS
from tests.firmware.saying import RULEBOOKS
from tests.firmware.table_menu.player import Players, players

pytestmark = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
RUNNING = ("0 press right",)
"""Left is on turn."""
SHORT, CALLS, CHALLENGES = 150, 1_200, 2_200
"""Milliseconds of a press that runs the clock, of one that calls, and of the bar's own call."""


def used(both: Players, side: Side) -> int:
    """Return what the clock has charged that side by now, in ms."""
    return both.game.used_at(side, both.now * MS) // MS


def stood(both: Players) -> tuple[str, Side | None, Side | None]:
    """Return phase, running clock and turn."""
    return both.game.phase.value, both.game.running, both.game.turn


def test_an_overdraw_or_tiles_returned_run_the_deciders_clock_from_the_end_of_the_time_to_the_decision(two_button: bool) -> None:
    # 2017 IV.B.5.b, IV.B.2, 2012 IV.B.4.a: left overdrew in right's turn, so left's clock stands, right chooses, and right is on turn.
    for cell in each_cell(
        [("naspa-2017", "overdraw_decision", 15), ("naspa-2012", "overdraw_decision", 60), ("club", "tiles_returned", 15)]
    ):
        with cell as (rulebook, frame, seconds):
            both = players(rulebook, *RUNNING, "10 press left", two_button=two_button)
            both.open()
            charged = used(both, Side.RIGHT)
            both.path("frames", frame, "right")
            both.wait(seconds * 1_000)
            assert (used(both, Side.RIGHT), both.game.running) == (charged, None)
            began = both.now
            both.press("left")
            assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)
            both.wait(40_000)
            decided = both.now
            both.press("bar")
            assert used(both, Side.RIGHT) == charged + decided - began
            both.press("left")
            assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)


def test_a_decision_in_the_other_players_turn_leaves_the_turn_where_it_was(two_button: bool) -> None:
    # 2017 IV.B.5.b: left is on turn and has overdrawn, so right decides; then left's clock is restarted.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.open()
    both.path("frames", "overdraw_decision", "right")
    both.wait(15_000)
    both.press("left")
    assert stood(both) == ("running", Side.RIGHT, Side.LEFT)
    both.press("bar")
    both.press("right")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)


def test_after_a_missed_press_the_other_clock_runs_and_the_play_is_held_and_challenged(two_button: bool) -> None:
    # 2017 IV.G.2.a, NZ 6.3.7: left drew without a press; right stops the wrong clock.
    for cell in each_cell(["naspa-2017", "nzasp-2022"]):
        with cell as rulebook:
            both = players(rulebook, *RUNNING, two_button=two_button)
            if rulebook == "nzasp-2022":
                both.press("left")  # no 20 s here: the press that was forgotten
            else:
                both.open()
                both.path("frames", "missed_press", str(10 * NS))
                made = both.table.record
                window = both.game.window
                assert window is not None
                # 2017 IV.G.2.a: the turn had ended at the draw, 10 s before the players said so.
                assert (window.name, window.length, window.starts) == ("missed_press", 20 * NS, made.at - 10 * NS)
            assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)
            both.press("left", CALLS)
            assert both.game.holder is Side.RIGHT
            both.press("bar", CHALLENGES)
            assert both.game.challenger is Side.RIGHT


def test_an_absent_players_clock_may_start_five_minutes_after_the_round_began_not_after_the_row_was_taken(two_button: bool) -> None:
    # 2017 III.C: the players sat down two minutes into the round, and know when it began.
    both = players("naspa-2017", two_button=two_button)
    both.open()
    both.path("frames", "late_start", str(120 * NS))
    window = both.game.window
    assert window is not None
    assert window.ends == both.table.record.at + 180 * NS


def test_a_challenge_on_the_wrong_clock_is_taken_over_by_the_player_who_challenges(two_button: bool) -> None:
    # 2017 IV.G.2.a: left drew without a press, right challenges while left's clock runs, and the play is acceptable.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.press("bar", CHALLENGES)
    challengers = [both.game.challenger]
    both.press("right", CALLS)
    challengers.append(both.game.challenger)
    assert challengers == [Side.LEFT, Side.RIGHT]
    both.press("bar")
    both.press("bar", CALLS)
    assert (both.game.lost_turn, both.game.turn) == (Side.RIGHT, Side.LEFT)


def test_a_player_back_at_the_table_has_a_running_clock_and_five_seconds(two_button: bool) -> None:
    # 2014 IV.L, 2017 IV.L: left was away, right played and started left's clock; it is stopped, and runs from the first new tile.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.press("bar")
    charged = used(both, Side.LEFT)
    both.wait(30_000)
    both.open()
    both.take("frames")
    both.take("return_to_table")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)
    assert used(both, Side.LEFT) - charged < 1_000
    window = both.game.window
    assert window is not None
    assert (window.name, window.length) == ("return_to_table", 5 * NS)
    both.press("right", CALLS)
    assert both.game.holder is Side.LEFT


def test_a_clock_hit_in_error_is_started_again_by_the_other_player_who_gets_a_minute(two_button: bool) -> None:
    # 2017 IV.E.1: left hit the clock without a play.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.press("left")
    both.press("right")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)
    both.open()
    both.path("clock_hit_in_error", "right", "agreed")
    assert (both.game.allowed.left, both.game.allowed.right) == (1500 * NS, 1560 * NS)
    both.press("right")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)


def test_a_wrong_board_gives_the_other_player_a_minute_and_the_turn_is_taken_again(two_button: bool) -> None:
    # 2017 III.G.6: left's play came off, but not all of it; right has played on it, and takes that turn again.
    both = players("naspa-2017", *RUNNING, "10 press left", "15 press right", two_button=two_button)
    both.open()
    both.path("wrong_board", "right", "agreed")
    both.press("left")
    assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)
    assert both.game.allowed.right == 1560 * NS


def test_the_offenders_clock_is_started_again_at_once_and_each_second_is_charged_to_whose_clock_ran(two_button: bool) -> None:
    # 2017 III.G.2, III.G.3, III.G.4, IV.F.1.a, NZ 6.2.2: right sends left's misoriented play or undeclared blank back.
    for cell in each_cell(RULEBOOKS):
        with cell as rulebook:
            both = players(rulebook, *RUNNING, two_button=two_button)
            for button in ("left", "right", "left"):
                both.press(button)
                both.wait(5_000)
            apart = SHORT + 300 + 5_000
            assert (used(both, Side.LEFT), used(both, Side.RIGHT)) == (20_000 + apart, 2 * apart)
            assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)


def test_the_bag_is_handed_over_on_a_stopped_clock_and_its_holder_starts_the_same_clock(two_button: bool) -> None:
    # 2017 IV.C.4: left's clock runs, right has the bag.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.press("bar")
    charged = used(both, Side.LEFT)
    both.wait(8_000)
    assert used(both, Side.LEFT) == charged
    both.press("right")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)


def test_a_challenge_that_is_withdrawn_lets_the_other_player_be_sent_back_to_the_blank(two_button: bool) -> None:
    # 2017 IV.I.3, IV.F.1.e: left challenges right's blank, which was not designated; right's clock runs until it is.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.press("bar", CHALLENGES)
    for _ in range(3):
        both.press("bar")
    both.press("bar", CALLS)
    assert stood(both) == ("neutral", None, Side.LEFT)
    both.press("left")
    assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)


def test_in_new_zealand_only_the_director_takes_a_challenge_off(two_button: bool) -> None:
    # NZ 6.12.2.1, 6.12.1.1: no offer and no row does it.
    both = players("nzasp-2022", *RUNNING, two_button=two_button)
    both.press("bar", CHALLENGES)
    offers = []
    for _ in range(10):
        both.press("bar")
        offers.append(both.table.offer.kind.value)
    assert set(offers) == {"acceptable", "unacceptable", "none"}
    both.open()
    assert both.rows == ("words", "take_back", "call", "close")


def test_in_new_zealand_the_opponents_clock_runs_after_five_seconds_until_they_decide(two_button: bool) -> None:
    # NZ 8.2, 8.2.1: left plays out, right does not answer, then stops the clock and accepts.
    both = players("nzasp-2022", *RUNNING, two_button=two_button)
    both.press("bar")
    both.press("left", CALLS)
    both.press("left")
    assert stood(both)[:2] == ("out_play", None), "not before the 5 s"
    both.wait(5_000)
    began = both.now
    both.press("left")
    assert (both.game.running, both.game.holder) == (Side.RIGHT, None)
    both.wait(12_000)
    decided = both.now
    both.press("bar")
    assert used(both, Side.RIGHT) == decided - began
    assert stood(both)[0] == "neutral"
    both.press("right", CALLS)
    assert (both.game.phase, both.game.reason) == (Phase.OVER, "out play")


def test_in_new_zealand_the_opponent_of_a_player_who_is_away_ends_a_turn_stops_the_clock_and_calls_the_director(two_button: bool) -> None:
    # NZ 7.1: the director permits it; 7.2.1: left completes a turn before leaving, and right may complete one; 7.2.2: right stops the clock.
    both = players("nzasp-2022", *RUNNING, two_button=two_button)
    both.open()
    both.take("call")
    assert both.game.called
    both.open()
    both.take("call_answered")
    both.press("bar")
    both.press("left")
    both.wait(40_000)
    both.press("right")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)
    both.press("bar")
    stopped = used(both, Side.LEFT)
    both.open()
    both.take("call")
    both.wait(300_000)
    assert (used(both, Side.LEFT), both.game.called) == (stopped, True)
    both.press("right")
    assert (stood(both), both.game.called) == (("running", Side.LEFT, Side.LEFT), True), "the call waits for its answer"


def test_a_play_is_challenged_off_by_the_clock_alone_and_tiles_are_put_right_while_no_clock_runs(two_button: bool) -> None:
    # 2017 III.G.1: off the centre square, whatever its words; NZ 6.5.3: after a flash draw the tiles are revealed and returned.
    for cell in each_cell(RULEBOOKS):
        with cell as rulebook:
            both = players(rulebook, *RUNNING, "10 press left", two_button=two_button)
            both.press("bar", CHALLENGES)
            both.press("bar")
            both.press("bar")
            both.press("bar", CALLS)
            assert (stood(both), both.game.judged) == (("neutral", None, Side.RIGHT), False)
            before = used(both, Side.LEFT), used(both, Side.RIGHT)
            both.wait(60_000)
            assert (used(both, Side.LEFT), used(both, Side.RIGHT)) == before
            both.press("left")
            assert stood(both) == ("running", Side.RIGHT, Side.RIGHT)


def test_an_out_play_is_held_on_the_opponents_clock_and_challenged(two_button: bool) -> None:
    # 2014 V.E, 2017 V.E: left plays out, right says hold, left starts right's clock, right challenges; the play is unacceptable.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    both.press("bar")
    both.press("left", CALLS)
    both.press("left")
    both.press("left")
    assert (both.game.running, both.game.holder) == (Side.RIGHT, Side.RIGHT)
    both.wait(60_000)
    both.press("bar", CHALLENGES)
    assert both.game.challenger is Side.RIGHT
    both.press("bar")
    both.press("bar")
    both.press("bar", CALLS)
    assert stood(both) == ("neutral", None, Side.RIGHT)


def test_either_player_ends_the_game_after_six_zeros_by_stopping_the_clock(two_button: bool) -> None:
    # 2014 V.B, 2017 V.B, NZ 8.1.3, general rules.
    for cell in each_cell([(rulebook, turn) for rulebook in RULEBOOKS for turn in ("left", "right")]):
        with cell as (rulebook, turn):
            both = players(rulebook, *RUNNING, *(("10 press left",) if turn == "right" else ()), two_button=two_button)
            both.open()
            both.path("six_zeros", "yes")
            assert (both.game.phase, both.game.reason, both.game.loser) == (Phase.OVER, "six zeros", None)


def test_an_absent_players_clock_is_stopped_by_either_player_and_goes_on_from_there(two_button: bool) -> None:
    # 2017 III.C: "the Director or the opponent may stop the clock. Otherwise the arriving player stops it"; NZ 4.2.
    for cell in each_cell([(rulebook, button) for rulebook in RULEBOOKS for button in ("left", "bar")]):
        with cell as (rulebook, button):
            both = players(rulebook, "0 late_start left", two_button=two_button)
            both.press("right")
            assert both.game.phase is Phase.LATE
            arrived = both.now
            both.press(button)
            assert (both.game.phase, used(both, Side.LEFT)) == (Phase.READY, arrived)
            both.press("right")
            assert stood(both) == ("running", Side.LEFT, Side.LEFT)


def test_every_reason_of_the_index_is_taken_for_the_stop(two_button: bool) -> None:
    # 2017 II.A and its index, "Clock, stopping"; challenge, six zeros and out play are rows of their own.
    index = (
        *("score discrepancy", "director called", "overdraw", "blank clarification", "blank slip", "tiles from another game"),
        *("too few tiles to exchange", "underdraw", "tile count", "misplaced tiles", "late arrival", "return to table"),
        *("official away", "improper procedure"),
    )
    offered = players("naspa-2017", *RUNNING, two_button=two_button)
    offered.open()
    assert {"challenge", "six_zeros", "out_play"} <= set(offered.rows)
    offered.take("reason")
    assert offered.rows == (*index, "back")
    for cell in each_cell(index):
        with cell as reason:
            both = Players(offered.table, offered.now)
            both.take(reason)
            assert both.game.reason == reason
            assert stood(both) == ("neutral", None, Side.LEFT)


def test_a_challenge_before_the_end_of_the_turn_is_taken_off_and_the_same_clock_goes_on(two_button: bool) -> None:
    # 2017 IV.I.3.3: right challenges though left's turn has not ended; the challenge is void, and left is charged for none of it.
    both = players("naspa-2017", *RUNNING, two_button=two_button)
    called = both.now
    both.press("bar", CHALLENGES)
    for _ in range(3):
        both.press("bar")
    both.press("bar", CALLS)
    assert used(both, Side.LEFT) == called
    both.press("bar")
    assert stood(both) == ("running", Side.LEFT, Side.LEFT)
