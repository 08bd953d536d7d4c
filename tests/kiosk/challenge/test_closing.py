"""Withdrawing and conceding, where the rulebook has them."""

from __future__ import annotations

import pytest

from game.challenge_log.entry import Kind, Way
from kiosk.challenge.apply import begin
from kiosk.challenge.flow import Flow, Outcome, Step
from kiosk.challenge.timeouts import clears_at, tick
from kiosk.effects import Role, WriteEntry
from kiosk.events import (
    Adjudicate,
    Back,
    CallDirector,
    ChooseCount,
    Concede,
    Done,
    Erase,
    Finish,
    Mistyped,
    SecondOpinion,
    ShowWaysOut,
    Type,
    Withdraw,
)
from rules.side import Side
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, played, run


def _outcome(flow: Flow) -> Outcome:
    assert flow.step is Step.CLOSED
    assert flow.outcome is not None
    return flow.outcome


def _key(flow: Flow) -> str | None:
    return None if flow.notice is None else flow.notice.key


def test_a_challenge_withdrawn_is_kept_in_the_log_and_nothing_follows_from_it() -> None:
    flow, effects = run(at_checking(begin(context()), "CAT"), Withdraw())
    outcome = _outcome(flow)
    assert (outcome.consequence, outcome.row, effects) == (None, None, (WriteEntry(outcome.entry),))
    assert (outcome.entry.kind, outcome.entry.words, outcome.entry.acceptable) == (Kind.WITHDRAWN, ("CAT",), None)
    assert played(flow, Done()).step is Step.IDLE


@pytest.mark.parametrize(
    "flow",
    [played(at_words(begin(context())), Back()), at_words(begin(context())), at_checking(begin(context()), "CAT")],
    ids=["count", "words", "checking"],
)
def test_a_challenge_is_withdrawn_or_conceded_from_when_the_challenger_is_known(flow: Flow) -> None:
    assert played(flow, Withdraw()).step is played(flow, Concede(Side.RIGHT)).step is Step.CLOSED
    if flow.step is Step.TABLE:
        before = played(flow, Back())
        assert run(before, Withdraw(), Concede(Side.LEFT)) == (before, ())


def test_under_new_zealands_rules_a_challenge_is_neither_withdrawn_nor_conceded() -> None:
    flow = at_words(begin(context("nzasp-2022")))
    assert (played(flow, Withdraw()).step, _key(played(flow, Withdraw()))) == (Step.WORDS, "notice.no_withdrawal")
    assert (played(flow, Concede(Side.LEFT)).step, _key(played(flow, Concede(Side.LEFT)))) == (Step.WORDS, "notice.no_concession")


def test_the_challenged_player_who_concedes_takes_the_play_off_as_if_it_were_unacceptable() -> None:
    outcome = _outcome(played(at_words(begin(context()), challenger=Side.LEFT), Concede(Side.RIGHT)))
    follows = outcome.consequence
    assert follows is not None
    assert (follows.acceptable, follows.turn_lost_by, follows.on_turn) == (False, Role.CHALLENGED, Role.CHALLENGER)
    assert (outcome.entry.kind, outcome.entry.acceptable, outcome.entry.why) == (Kind.CONCEDED, None, "the challenged player conceded")


def test_the_challenger_who_concedes_loses_what_an_acceptable_play_costs() -> None:
    outcome = _outcome(played(at_words(begin(context()), challenger=Side.LEFT), Concede(Side.LEFT)))
    follows = outcome.consequence
    assert follows is not None
    assert (follows.acceptable, follows.turn_lost_by, outcome.entry.why) == (True, Role.CHALLENGER, "the challenger conceded")


def test_a_challenger_who_concedes_pays_for_each_word_declared_or_where_none_was_declared_typed() -> None:
    declared = played(at_words(begin(context("naspa-2017-collins-5")), count=3), Type("cat"), Concede(Side.LEFT))
    typed = played(at_words(begin(context("naspa-2017-collins-5", count_first=False))), Type("cat dog"), Concede(Side.LEFT))
    points = [_outcome(flow).consequence for flow in (declared, typed)]
    assert [each.points for each in points if each is not None] == [15, 10]


def test_where_points_go_by_words_and_none_is_known_yet_the_number_is_asked_for_first() -> None:
    flow = at_words(begin(context("naspa-2017-collins-5", count_first=False)))
    asked = played(flow, Concede(Side.LEFT))
    assert (asked.step, _key(asked)) == (Step.WORDS, "notice.count_needed")
    assert _outcome(played(flow, Concede(Side.RIGHT))).consequence is not None
    counting = at_words(begin(context("naspa-2017-collins-5"))).replace(count=None)
    conceded = played(counting, Concede(Side.LEFT), ChooseCount(2), Concede(Side.LEFT))
    assert _outcome(conceded).consequence is not None


def test_a_play_that_has_a_verdict_is_not_withdrawn_and_a_second_opinion_is_not_conceded_either() -> None:
    verdict = at_verdict(begin(context()), "CAT")
    assert run(verdict, Withdraw(), Concede(Side.LEFT)) == (verdict, ())
    opinion, repeat = played(verdict, SecondOpinion(True)), played(verdict, Mistyped())
    for refused in (played(opinion, Withdraw()), played(opinion, Concede(Side.LEFT)), played(repeat, Withdraw())):
        assert _key(refused) == "notice.already_judged"
    assert _outcome(played(repeat, Concede(Side.LEFT))).entry.first == 11


def test_from_the_words_the_ways_out_are_asked_for_first_and_back_leads_to_the_words_as_they_were() -> None:
    words = played(at_words(begin(context())), Type("cat"))
    asked = played(words, ShowWaysOut())
    assert asked.leaving
    assert played(asked, Type("dog"), Erase(), ChooseCount(3), Finish()) == asked
    assert played(asked, Back()).replace(touched=0) == words.replace(touched=0)
    for event in (Withdraw(), Concede(Side.LEFT)):
        left = played(asked, event)
        assert (left.step, left.leaving) == (Step.CLOSED, False)
    assert played(asked, CallDirector(), Back()).replace(touched=0) == asked.replace(touched=0)


@pytest.mark.parametrize("rulebook", ["naspa-2017", "nzasp-2022"])
def test_the_ways_out_are_shown_only_where_there_are_any(rulebook: str) -> None:
    words = at_words(begin(context(rulebook)))
    assert played(words, ShowWaysOut()).leaving is (rulebook == "naspa-2017")


def test_a_challenger_who_concedes_before_the_number_is_known_is_told_why_it_is_needed_where_the_ways_out_stand() -> None:
    asked = played(
        at_words(begin(context("naspa-2017-collins-5", count_first=False)), challenger=Side.LEFT), ShowWaysOut(), Concede(Side.LEFT)
    )
    assert (asked.leaving, asked.step, _key(asked)) == (True, Step.WORDS, "notice.count_needed")


def test_from_the_number_and_from_the_check_the_ways_out_lead_back_to_where_they_were_asked_for_and_nothing_counts_meanwhile() -> None:
    for flow in (played(at_words(begin(context())), Back()), at_checking(begin(context()), "CAT", "DOG")):
        asked = played(flow, ShowWaysOut())
        assert (asked.leaving, asked.step) == (True, flow.step)
        meanwhile = (ChooseCount(3), Type("3"), Finish(), Adjudicate(Way.TAB), Adjudicate(Way.BUTTON), ShowWaysOut())
        assert run(asked, *meanwhile) == (asked, ())
        back = played(asked, Back())
        assert back.replace(since=0, touched=0) == flow.replace(since=0, touched=0)
        clears = clears_at(asked)
        assert clears is not None
        cleared, _ = tick(asked, clears)
        assert (cleared.step, cleared.leaving) == (Step.IDLE, False)


def test_back_from_the_ways_out_the_words_come_up_once_more_and_the_finger_on_back_is_no_adjudication_key() -> None:
    back = played(at_checking(begin(context()), "CAT"), ShowWaysOut(), Back())
    assert played(back, Adjudicate(Way.TOUCH), gap=S // 2 - 1).step is Step.CHECKING
    assert played(back, Adjudicate(Way.TOUCH), gap=S // 2).step is Step.JUDGING


def test_there_are_no_ways_out_where_nobody_challenges_yet_or_all_is_over() -> None:
    for flow in (begin(context()), played(at_words(begin(context())), Back(), Back()), at_verdict(begin(context()), "CAT")):
        assert run(flow, ShowWaysOut()) == (flow, ())
