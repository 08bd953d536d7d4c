"""A play that goes out: if it stands, the game is over, and no clock is started (2014 V.A, 2017 V.A, V.E, NZ 8.1.1)."""

from dataclasses import replace

import pytest

from game.challenge_log.entry import Way
from kiosk.challenge.apply import begin
from kiosk.challenge.flow import Question, Step
from kiosk.effects import Judge, Role, consequence
from kiosk.events import Adjudicate, Back, Begin, ChooseChallenger, ClockStopped, Concede, Finish, Judged, LastPlay, Mistyped, Next, Type
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import Side
from tests.kiosk.challenge.making import at_words, context, played, run


@pytest.mark.parametrize("rulebook", shipped_ids())
def test_an_acceptable_last_play_ends_the_game_costs_no_turn_and_pays_what_the_rule_pays(rulebook: str) -> None:
    rule = load_rulebook(rulebook).challenge
    follows = consequence(rule, 3, acceptable=True, last_play=True)
    assert (follows.on_turn, follows.turn_lost_by, follows.restart) == (None, None, None)
    assert follows.points == 3 * rule.points_a_word
    assert follows.points_to is (Role.CHALLENGED if rule.points_a_word else None)


@pytest.mark.parametrize("rulebook", shipped_ids())
def test_an_unacceptable_last_play_is_as_any_other(rulebook: str) -> None:
    rule = load_rulebook(rulebook).challenge
    assert consequence(rule, 2, acceptable=False, last_play=True) == consequence(rule, 2, acceptable=False)


@pytest.mark.parametrize("rulebook", shipped_ids())
@pytest.mark.parametrize("count_first", [True, False])
def test_it_is_asked_under_every_rulebook_after_who_challenges_and_back_returns_to_it(rulebook: str, *, count_first: bool) -> None:
    flow = played(
        begin(context(rulebook, count_first=count_first)), Begin(), ClockStopped(), Type("7"), Next(), ChooseChallenger(Side.LEFT)
    )
    assert (flow.step, flow.question) == (Step.TABLE, Question.LAST_PLAY)
    assert played(flow, Back()).question is Question.CHALLENGER
    on = played(flow, LastPlay(was_last=True))
    assert on.last_play is True
    assert played(on, Back()).question is Question.LAST_PLAY


def test_the_verdict_and_its_row_know_it_and_so_does_the_repeat_without_asking() -> None:
    flow, asked = run(at_words(begin(context()), 7, 1, last_play=True), Type("cat"), Finish(), Adjudicate(Way.TAB))
    assert [effect.entry.last_play for effect in asked if isinstance(effect, Judge)] == [True]
    judged = played(flow, Judged(acceptable=False, row=3), Mistyped())
    assert (judged.step, judged.last_play) == (Step.WORDS, True)
    over = played(judged, Type("cat"), Finish(), Adjudicate(Way.TAB), Judged(acceptable=True, row=4))
    assert over.outcome is not None
    assert over.outcome.consequence is not None
    assert over.outcome.consequence.on_turn is None


def test_a_challenger_who_concedes_a_last_play_ends_the_game() -> None:
    flow = played(at_words(begin(context()), 7, 1, challenger=Side.LEFT, last_play=True), Concede(Side.LEFT))
    assert flow.outcome is not None
    assert flow.outcome.consequence is not None
    assert flow.outcome.consequence.on_turn is None


def test_points_by_the_challenge_are_paid_once_and_points_taken_are_the_challengers() -> None:
    rule = replace(load_rulebook("club").challenge, points_a_challenge=10)
    paid, taken = consequence(rule, 3, acceptable=True), consequence(replace(rule, points_are="taken"), 3, acceptable=True)
    assert (paid.points, paid.points_to) == (10, Role.CHALLENGED)
    assert (taken.points, taken.points_to) == (-10, Role.CHALLENGER)
