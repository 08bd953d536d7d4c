from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Flow, Question, Step
from kiosk.challenge.timeouts import next_due, tick
from kiosk.context import ANSWER_NS, LOOK_NS, ClockAnswer, ClockChallenge, NoFacts, SentVerdict, TableFacts
from kiosk.events import CallAtClock, Effect, Propose
from records.entry import Way
from rules.side import Side
from tests.kiosk.challenge.making import S, context, key

CHALLENGE = ClockChallenge("c-" + "a" * 16, "00" * 8, 3, 14, Side.RIGHT)
STANDS = TableFacts(CHALLENGE.device, running=False, challenge=CHALLENGE, last_play=False, called=False)
STOPPED = replace(STANDS, challenge=None)
RUNS = replace(STOPPED, running=True)
LIST = "0123456789abcdef" * 4
FIRST, SECOND = "1a" * 16, "2a" * 16


class Players:
    def __init__(self, *, linked: bool = True, rulebook: str = "naspa-2017-collins-5", **limits: Any) -> None:
        self.flow: Flow = begin(context(rulebook, **limits), 0)
        self.at = 0
        self.effects: list[Effect] = []
        self.do(ev.LinkChanged(linked))

    def do(self, *events: ev.ChallengeEvent) -> Players:
        for event in events:
            self.at += S
            self.flow, effects = apply(tick(self.flow, self.at)[0], event, self.at)
            self.effects += effects
        return self

    def heard(self, facts: TableFacts | NoFacts) -> Players:
        self.flow, _ = apply(self.flow, ev.TableHeard(12, facts), self.at)
        return self

    def pass_ns(self, passed: int) -> Players:
        self.at += passed
        self.flow, _ = tick(self.flow, self.at)
        return self

    def at_table(self) -> Players:
        return self.do(ev.Begin(), ev.Type("12"), ev.Next())

    def judged(self, word: str = "cat", *, acceptable: bool = True, row: int = 7) -> Players:
        return self.do(ev.Type(word), ev.Finish(), ev.Adjudicate(Way.TAB), ev.Judged(acceptable, row))

    def sent(self, name: str, answer: ClockAnswer = ClockAnswer.WAITING) -> Players:
        propose = self.proposals[-1]
        self.flow, _ = apply(self.flow, ev.VerdictSent(SentVerdict(name, propose.to, self.at, answer)), self.at)
        return self

    def answered(self, name: str, reason: str | None = None) -> Players:
        self.flow, _ = apply(self.flow, ev.ClockAnswered(name, reason), self.at)
        return self

    @property
    def proposals(self) -> list[Propose]:
        return [effect for effect in self.effects if isinstance(effect, Propose)]

    def asks(self) -> Question | Step:
        return self.flow.question if self.flow.step is Step.TABLE else self.flow.step


def test_at_best_the_table_the_number_and_the_words_are_asked() -> None:
    players = Players().do(ev.Begin())
    assert players.asks() is Question.TABLE
    assert players.do(ev.Type("12")).flow.wanted_table is None
    players.do(ev.Next())
    assert (players.asks(), players.flow.wanted_table) == (Question.LOOKING, 12)
    players.heard(STANDS)
    assert players.asks() is Step.WORDS
    assert (players.flow.challenger, players.flow.last_play) == (Side.RIGHT, False)
    players.judged()
    assert players.proposals == [Propose(CHALLENGE, "verdict", True, None, 1, ("CAT",), LIST, 7, None)]


def test_a_clock_that_runs_is_said_and_the_page_goes_on_once_it_stands() -> None:
    players = Players().at_table().heard(RUNS)
    assert players.asks() is Question.RUNS
    # Players who know better are asked as ever.
    better = copy(players).do(ev.ClockNotRunning())
    assert better.asks() is Question.CHALLENGER
    assert better.do(ev.ChooseChallenger(Side.LEFT)).asks() is Step.WORDS
    players.heard(replace(STANDS, last_play=True))
    assert (players.asks(), players.flow.last_play) == (Step.WORDS, True)


def test_a_clock_that_stands_without_a_challenge_leaves_the_challenger_to_be_asked() -> None:
    players = Players().at_table().heard(STOPPED)
    assert players.asks() is Question.CHALLENGER
    # It adjudicates by the time of the verdict.
    players.do(ev.ChooseChallenger(Side.LEFT)).heard(STANDS).judged()
    assert players.proposals[0].to == CHALLENGE
    assert players.flow.challenger is Side.LEFT
    assert [each.to for each in players.do(ev.LastPlay(was_last=True)).flow.verdicts] == [CHALLENGE]


@pytest.mark.parametrize("facts", [STOPPED, RUNS, replace(STANDS, challenge=replace(CHALLENGE, challenge=20)), NoFacts.UNKNOWN])
def test_a_verdict_is_for_the_challenge_that_the_clock_told_whatever_it_does_meanwhile(facts: TableFacts | NoFacts) -> None:
    players = Players().at_table().heard(STANDS).heard(facts).judged()
    assert [each.to for each in players.proposals] == [CHALLENGE]


@pytest.mark.parametrize("facts", [NoFacts.UNKNOWN, NoFacts.AMBIGUOUS])
def test_an_unknown_table_is_asked_as_ever(facts: NoFacts) -> None:
    players = Players().at_table().heard(facts)
    assert players.asks() is Question.CHALLENGER
    assert key(players.flow) == ("notice.two_clocks" if facts is NoFacts.AMBIGUOUS else None)


def test_a_clock_that_says_nothing_is_waited_for_in_vain_for_a_moment_only() -> None:
    players = Players().at_table()
    assert next_due(players.flow, players.at) == players.at + LOOK_NS
    assert players.pass_ns(LOOK_NS - 1).asks() is Question.LOOKING
    assert players.pass_ns(1).asks() is Question.CHALLENGER


@pytest.mark.parametrize("before", [None, RUNS])
def test_a_link_that_goes_down_leaves_the_old_questions(before: TableFacts | None) -> None:
    players = Players().at_table()
    if before is not None:
        players.heard(before)
    assert players.do(ev.LinkChanged(up=False)).asks() is Question.CHALLENGER


@pytest.mark.parametrize("question", [Question.LOOKING, Question.RUNS, Question.CHALLENGER])
def test_back_leads_to_the_table_and_from_there_away(question: Question) -> None:
    facts = {Question.RUNS: RUNS, Question.CHALLENGER: NoFacts.UNKNOWN}
    players = Players().at_table()
    if question in facts:
        players.heard(facts[question])  # type: ignore[arg-type]  # facts or none
    assert players.asks() is question
    players.do(ev.Back())
    assert players.asks() is Question.TABLE
    assert players.do(ev.Back()).asks() is Step.IDLE
    assert players.flow.linked


def at_verdict(**changes: Any) -> Players:
    players = Players(**changes).at_table().heard(STANDS)
    return players.judged().sent(FIRST)


def test_the_clocks_answer_is_kept_with_the_verdict() -> None:
    players = at_verdict()
    assert players.flow.sent is not None
    assert players.answered(FIRST).flow.sent == SentVerdict(FIRST, CHALLENGE, players.at, ClockAnswer.TAKEN)
    assert players.answered(FIRST, "gone_on").flow.sent == SentVerdict(FIRST, CHALLENGE, players.at, ClockAnswer.REFUSED, "gone_on")
    before = players.flow
    assert players.answered(SECOND).flow == before


def test_a_clock_that_does_not_answer_in_time_is_named_and_may_answer_later() -> None:
    players = at_verdict().pass_ns(ANSWER_NS)
    sent = players.flow.sent
    assert sent == SentVerdict(FIRST, CHALLENGE, players.at - ANSWER_NS, ClockAnswer.SILENT)
    assert players.answered(FIRST).flow.sent == replace(sent, answer=ClockAnswer.TAKEN)


def test_a_repeat_corrects_the_first_verdict() -> None:
    players = at_verdict().answered(FIRST).heard(STOPPED).do(ev.RepeatIt()).judged("car", acceptable=False, row=8)
    assert (players.proposals[-1].replaces, players.proposals[-1].to) == (FIRST, CHALLENGE)


def test_a_repeat_from_a_new_start_corrects_it_too_and_is_asked_for() -> None:
    players = at_verdict().answered(FIRST).do(ev.Done()).at_table().heard(STOPPED)
    assert players.asks() is Question.REPEAT
    players.do(ev.RepeatIt()).judged("car", acceptable=False, row=8)
    assert players.proposals[-1].replaces == FIRST
    # An answer counts that came after the players had left; another verdict's does not.
    for name, replaces in ((FIRST, None), (SECOND, FIRST)):
        late = at_verdict().do(ev.Done()).answered(name, "frozen").at_table().heard(STOPPED).do(ev.RepeatIt())
        assert late.judged("car", acceptable=False, row=8).proposals[-1].replaces == replaces


def test_a_verdict_is_offered_once_more_while_the_clock_adjudicates_that_challenge_or_none_and_not_in_another() -> None:
    once = at_verdict(repeats=0).answered(FIRST, "frozen").do(ev.Done())
    for facts, asks in ((STOPPED, Question.REPEAT), (STANDS, Question.REPEAT)):
        players = copy(once).at_table().heard(facts)
        assert players.asks() is asks
        assert copy(players).do(ev.ShowVerdict()).asks() is Step.SHOWN_AGAIN
        assert players.do(ev.NewChallenge()).asks() is Question.CHALLENGER
    assert copy(once).at_table().heard(replace(STANDS, challenge=replace(CHALLENGE, challenge=20))).asks() is Step.WORDS
    assert len(once.proposals) == 1


def test_another_challenge_at_the_clock_is_no_repeat() -> None:
    later = replace(CHALLENGE, challenge=20)
    players = at_verdict().answered(FIRST).do(ev.Done()).at_table().heard(replace(STANDS, challenge=later))
    assert players.asks() is Step.WORDS
    players.judged("dog", row=8)
    assert (players.proposals[-1].to, players.proposals[-1].replaces) == (later, None)


def test_a_withdrawal_and_a_concession_are_sent_by_role() -> None:
    players = Players().at_table().heard(STANDS).do(ev.Withdraw())
    assert [(each.do, each.by) for each in players.proposals] == [("withdrawn", None)]
    # On this screen the players stand the other way round: what counts is who challenges.
    players = Players().at_table().heard(STOPPED).do(ev.ChooseChallenger(Side.LEFT))
    players.heard(STANDS).do(ev.Type("cat dog"), ev.Concede(Side.LEFT))
    assert [(each.do, each.by, each.count) for each in players.proposals] == [("conceded", Side.RIGHT, 2)]


def test_a_call_shows_on_the_clock_too_and_the_clocks_call_here() -> None:
    players = Players().at_table().heard(STANDS).do(ev.CallDirector())
    assert [effect for effect in players.effects if isinstance(effect, CallAtClock)] == [CallAtClock(CHALLENGE.device)]
    players = Players().at_table().heard(STANDS).heard(replace(STANDS, called=True))
    assert key(players.flow) == "notice.clock_calls"
