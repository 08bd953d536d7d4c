"""What the hall says changes the flow as time does. No player touched the screen, so no deadline for a touch moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from game.challenge_log.entry import Entry
from kiosk.challenge import events as ev
from kiosk.challenge.effects import Propose
from kiosk.challenge.flow import Flow, Open, Question, Step
from kiosk.challenge.notices import with_notice
from kiosk.challenge.repeats import has_last, open_of, verdict_of, without_lapsed
from kiosk.challenge.table_facts import ANSWER_NS, LOOK_NS, ClockAnswer, ClockChallenge, NoFacts, SentVerdict, TableFacts
from kiosk.challenge.writing import written
from rules.side import Side

_WAITS: Final = (Question.LOOKING, Question.RUNS)


def heard(flow: Flow, event: ev.HallEvent, at: int) -> Flow:
    """Return the flow after news of the hall at ``at`` (ns)."""
    match event:
        case ev.LinkChanged(up):
            return unheard(flow.replace(linked=up), at) if not up else flow.replace(linked=True)
        case ev.JoinAsked():
            return flow.replace(joins=event)
        case ev.TableHeard(table, facts):
            return _told(flow, facts, at) if flow.wanted_table == table else flow
        case ev.VerdictSent(sent):
            return flow.replace(sent=sent, open=_noted(flow, sent))
        case ev.ClockAnswered(name, reason):
            return _answered(flow, name, reason)


def due(flow: Flow) -> int | None:
    """Return the instant (ns) at which waiting for a clock ends, or None."""
    if flow.step is Step.TABLE and flow.question is Question.LOOKING:
        return flow.since + LOOK_NS
    sent = flow.sent
    return sent.at + ANSWER_NS if sent is not None and sent.answer is ClockAnswer.WAITING else None


def tick(flow: Flow, at: int) -> Flow:
    """Return the flow at ``at`` (ns): where a clock says nothing, the players are asked."""
    ends = due(flow)
    if ends is None or at < ends:
        return flow
    if flow.step is Step.TABLE and flow.question is Question.LOOKING:
        return unheard(flow, at)
    return flow if flow.sent is None else flow.replace(sent=replace(flow.sent, answer=ClockAnswer.SILENT))


def after_number(flow: Flow, at: int) -> Flow:
    """Return the flow once the table is known: ask its clock where there is a link, else the players."""
    if flow.table_first:
        return _asks(flow.replace(facts=None, told=False, judges=None), Question.LOOKING, at)
    return _asks(flow, _next_question(flow), at)


def after_stop(flow: Flow, at: int) -> Flow:
    """Return the flow once the players have said that their clock is stopped."""
    return _asks(flow, _next_question(flow) if flow.table_first else Question.TABLE, at)


def unheard(flow: Flow, at: int) -> Flow:
    """Return the flow without a clock to hear: the players are asked what it would have told."""
    waits = flow.step is Step.TABLE and flow.question in _WAITS
    return _asks(flow.replace(facts=None), Question.CLOCK, at) if waits else flow.replace(facts=None)


def proposal(flow: Flow, do: str, made: Entry, row: int | None = None, *, by: Side | None = None) -> tuple[Propose, ...]:
    """Return the message to the table's clock; none where no clock adjudicates this challenge.

    ``made`` is the log's entry. ``by`` is who concedes, on this screen: at the clock the sides may be the other way round, the roles are not.
    """
    before = flow.sent if flow.link is not None and flow.sent is not None and flow.sent.may_stand else None
    to = before.to if before is not None else flow.judges or (None if flow.facts is None else flow.facts.challenge)
    if to is None:
        return ()
    conceder = None if by is None else to.challenger if by is flow.challenger else to.challenger.other
    replaces = None if before is None or do != "verdict" else before.id
    lexicon = None if made.lexicon is None else made.lexicon.sha256
    count = len(made.words) or flow.count
    return (Propose(to, do, made.acceptable, conceder, count, made.words, lexicon, row, replaces),)


def _told(flow: Flow, facts: TableFacts | NoFacts, at: int) -> Flow:
    if isinstance(facts, NoFacts):
        asked = unheard(flow, at)
        return with_notice(asked, "two_clocks", table=flow.table or 0) if facts is NoFacts.AMBIGUOUS and asked.step is Step.TABLE else asked
    called = facts.called and not (flow.facts is not None and flow.facts.called)
    flow = flow.replace(facts=facts)
    if called and flow.step is not Step.IDLE:
        flow = with_notice(flow, "clock_calls")
    if flow.step is not Step.TABLE or flow.question not in _WAITS:
        return flow
    if facts.running:
        return flow if flow.question is Question.RUNS else _asks(flow, Question.RUNS, at)
    return _known(flow, facts, at)


def _known(flow: Flow, facts: TableFacts, at: int) -> Flow:
    """Return the flow with what a clock that stands has told, at the first question that is left."""
    flow = without_lapsed(flow, at)
    challenge = facts.challenge
    if _is_last(flow, challenge):
        return _asks(flow, Question.REPEAT, at)
    if challenge is None:
        return _asks(flow, Question.CHALLENGER, at)
    told = flow.replace(challenger=challenge.challenger, last_play=facts.last_play, told=True, judges=challenge)
    return _asks(told, Question.COUNT, at) if flow.context.limits.count_first else written(told, told.words or ((),), at)


def _is_last(flow: Flow, challenge: ClockChallenge | None) -> bool:
    """Return whether the players may have come about their last challenge: their clock adjudicates that one, or none."""
    before, verdict = open_of(flow), verdict_of(flow)
    if challenge is None:
        return has_last(flow)
    known = (None if before is None or before.sent is None else before.sent.to, None if verdict is None else verdict.to)
    return challenge in known


def _next_question(flow: Flow) -> Question:
    return Question.REPEAT if has_last(flow) else Question.CHALLENGER


def _asks(flow: Flow, question: Question, at: int) -> Flow:
    """Return the flow at another question; while it waits for a clock, the waiting counts from now."""
    return flow.replace(question=question, since=at) if question is Question.LOOKING else flow.replace(question=question)


def _answered(flow: Flow, name: str, reason: str | None) -> Flow:
    sent = flow.sent
    if sent is None or sent.id != name:
        # The players have left: what the clock says stands on the clock.
        return flow.replace(open=tuple(_open_answered(each, name, reason) for each in flow.open))
    answered = _with(sent, reason)
    return flow.replace(sent=answered, open=_noted(flow, answered))


def _open_answered(open_: Open, name: str, reason: str | None) -> Open:
    return replace(open_, sent=_with(open_.sent, reason)) if open_.sent is not None and open_.sent.id == name else open_


def _with(sent: SentVerdict, reason: str | None) -> SentVerdict:
    return replace(sent, answer=ClockAnswer.TAKEN if reason is None else ClockAnswer.REFUSED, reason=reason or "")


def _noted(flow: Flow, sent: SentVerdict) -> tuple[Open, ...]:
    return tuple(replace(each, sent=sent) if each.table == flow.table else each for each in flow.open)
