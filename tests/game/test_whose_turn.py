"""The table of docs/spec/events.md, "Whose turn": case by case, and for random games."""

import pytest
from hypothesis import given, settings

from game import events as ev
from game.events import By
from game.game import EventNotAllowed, Game, Phase
from game.record import accept, begin
from game.rulings import fresh
from game.timed_transitions import advance
from rules.side import Side
from tests.cells import each_cell
from tests.examples import examples
from tests.firmware.random_games import Played, apply_or_advance, fold, played
from tests.firmware.saying import RULEBOOKS, attempt, play

OUT = ("0 press right", "10 out_play")  # left has played out
ENDED = {
    "accepted": (*OUT, "15 release"),
    "accepted by a press": (*OUT, "15 press right"),
    "held and accepted": (*OUT, "15 hold", "17 release"),
    "held, stopped and accepted": (*OUT, "15 hold", "17 neutralise", "18 release"),
    "by the director": (*OUT, "15 end reason=x"),
    "by the director, the clock running": (*OUT, "16 press left", "17 end reason=x"),
}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_game_reopened_after_an_out_play_goes_on_with_the_opponent_whose_move_is_next(rulebook: str) -> None:
    # 2017 V.C.3 and III.G.5.7; NZ 6.10.6 and 6.11.5: no move is replayed.
    for cell in each_cell(ENDED):
        with cell as name:
            # In New Zealand a hold starts no clock, so there is none to stop.
            told = attempt(rulebook, *ENDED[name])
            again = told.then("40 reopen reason=tiles")
            assert again.states("40") == ("neutral", None, "right")
            assert again.then("45 press left").states("45") == ("running", "right", "right")


def test_the_end_of_the_twenty_seconds_reopens_with_the_opponent_too() -> None:
    told = play("naspa-2017", *OUT, "35 reopen reason=tiles")
    assert told.states("35") == ("neutral", None, "right")


def test_a_verdict_has_decided_whose_turn_it_is_when_tiles_are_found_after_it() -> None:
    # 2017 IV.I.3: the challenger of an acceptable play has lost the turn; with five points the challenger keeps it.
    for cell in each_cell([("naspa-2017", "left"), ("naspa-2017-collins-5", "right"), ("nzasp-2022", "right")]):
        with cell as (rulebook, turn):
            told = play(rulebook, *OUT, "12 challenge", "30 verdict acceptable=true", "40 reopen reason=tiles")
            assert told.states("40") == ("neutral", None, turn)


def test_any_other_end_reopens_with_who_was_on_turn() -> None:
    for cell in each_cell(["six zeros", "x"]):
        with cell as reason:
            told = play("naspa-2017").said("0", {"do": "press", "side": "right"}).said("10", {"do": "end", "reason": reason})
            assert told.then("40 reopen reason=x").states("40") == ("neutral", None, "left")


NOT_OUT = {
    "in the 20 s": (OUT, ("neutral", None, "right")),
    "held, the clock running": ((*OUT, "12 hold"), ("hold", "right", "right")),
    "held and stopped": ((*OUT, "12 hold", "13 neutralise"), ("neutral", None, "right")),
    "after a withdrawn challenge": ((*OUT, "12 challenge", "13 withdraw by=director"), ("neutral", None, "right")),
    "while it is challenged": ((*OUT, "12 challenge"), ("adjudication", None, "right")),
}


def test_an_alleged_out_play_that_was_none_leaves_the_opponent_on_turn_and_nothing_pending() -> None:
    # 2017 V.C.2 to V.C.4, V.E; NZ 6.11.
    for cell in each_cell(NOT_OUT):
        with cell as name:
            lines, states = NOT_OUT[name]
            told = play("naspa-2017", *lines, "14 not_out")
            assert told.states("14") == states
            assert told.game("14").out_player is None
            assert told.states("500")[0] == states[0], "no game ends by itself"
            assert told.then("500 not_out").refused


def test_the_challenge_of_an_alleged_out_play_goes_on_as_that_of_an_ordinary_play() -> None:
    told = play("naspa-2017", *OUT, "12 challenge", "14 not_out")
    assert told.then("20 verdict acceptable=true").states("20") == ("neutral", None, "left"), "the challenger loses the turn"
    assert told.then("20 verdict acceptable=false").states("20") == ("neutral", None, "right")
    assert told.then("20 withdraw").states("20") == ("neutral", None, "right")


def test_the_hold_of_an_alleged_out_play_stands_on_and_its_courtesy_draw_counts_from_the_call() -> None:
    told = play("naspa-2017", *OUT, "12 hold", "13 neutralise", "14 not_out", "20 press left")
    face = told.face("20")
    assert (face["holder"], face["draw"]) == ("right", {"reading": "0:07", "expired": False})
    noted = play("nzasp-2022", *OUT, "12 hold", "14 not_out")
    assert (noted.states("14"), noted.face("14")["holder"]) == (("neutral", None, "right"), "right")


def test_in_new_zealand_a_clock_that_ran_without_a_hold_runs_on_as_the_opponents_turn() -> None:
    told = play("nzasp-2022", *OUT, "16 press left", "20 not_out")
    assert (told.states("20"), told.face("20")["holder"]) == (("running", "right", "right"), None)


def _expected(before: Game, event: ev.GameEvent, after: Game) -> Side | None:
    """Return whose turn the table gives after ``event``."""
    out_player = before.out_player
    match event:
        case ev.Press(side) if out_player is not None and before.phase is not Phase.ADJUDICATION:
            return side.other if side is out_player else before.turn
        case ev.Press(side):
            return side.other
        case ev.Resume(side):
            return side
        case ev.Hold() if out_player is not None and after.running is not None:
            return out_player.other
        case ev.NotOut():
            return None if out_player is None else out_player.other
        case ev.Verdict(acceptable) if before.challenger is not None:
            loses = acceptable and before.rulebook.challenge.acceptable_loses_turn
            return before.challenger.other if loses else before.challenger
        case ev.Reopen() if before.end is not None and before.end.out_player is not None:
            return before.end.out_player.other
        case ev.Swap() if before.turn is not None:
            return before.turn.other
        case _:
            return before.turn


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(most=40))
def test_in_random_games_each_event_gives_the_turn_that_the_table_says(drawn: Played) -> None:
    beginning, script = drawn
    game = fresh(beginning)
    for line in script:
        before = advance(game, line.at)
        game = apply_or_advance(before, line)
        assert game.turn is _expected(before, line.event, game), line
        if game.phase is not Phase.OVER:
            assert game.running is None or game.turn is not None or game.phase is Phase.LATE
        # An out play is of the player who was on turn when it was declared.
        pending = game.out_player if game.end is None else game.end.out_player
        if pending is not None and before.end is None and not isinstance(line.event, ev.Swap):
            assert pending is (before.turn if before.out_player is None else before.out_player)


@settings(deadline=None, max_examples=examples(300))
@given(drawn=played(most=30))
def test_in_random_games_an_undo_without_a_number_adds_no_used_time_and_ends_no_game_by_itself(drawn: Played) -> None:
    beginning, script = drawn
    accepted = fold(beginning, script)[1]
    record = begin(beginning, 0)
    for line in accepted:
        record = accept(record, line.event, line.at)
        now = line.at + 7
        before = record.game_at(now)
        for by in (None, By.PLAYERS):
            try:
                undone = accept(record, ev.Undo("x"), now, by=by)
            except EventNotAllowed:
                continue
            struck = undone.event.event if isinstance(undone.event, ev.Undo) and undone.event.event is not None else 0
            link = record.find(struck)
            # An arrival was none: that player's clock has run. A reopening was wrong: the game is over as before.
            if link is None or isinstance(link.event, ev.Arrive | ev.Reopen):
                continue
            after = undone.game_at(now)
            assert sum(after.used_at(side, now) for side in Side) <= sum(before.used_at(side, now) for side in Side)
            assert not (after.phase is Phase.OVER and after.reason == "out play" and before.phase is not Phase.OVER)
