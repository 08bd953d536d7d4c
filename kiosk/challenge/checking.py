"""Both players see the locked words; the challenged player's key adjudicates the play (2014 IV.J, 2017 IV.J.1.g-h, NZ 6.13.5)."""

from __future__ import annotations

from dataclasses import replace

from game.challenge_log.entry import Kind
from kiosk.challenge import events as ev
from kiosk.challenge.consequence import consequence
from kiosk.challenge.context import Trouble
from kiosk.challenge.effects import Judge, Print, WriteEntry
from kiosk.challenge.entries import entry
from kiosk.challenge.flow import Flow, LastVerdict, Outcome, Step
from kiosk.challenge.hall_news import proposal
from kiosk.challenge.notices import with_notice
from kiosk.challenge.repeats import SHOWN_NS, opened, verdicts_without
from kiosk.challenge.timeouts import FlowTransition, cleared, idle
from kiosk.challenge.writing import written


def check(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply an event while the players check the words."""
    match event:
        case ev.Adjudicate():
            return _adjudicate(flow, event, at)
        case ev.Back() if flow.link is not None and flow.link.kind is Kind.SECOND_OPINION:
            # The first verdict is valid, so the words cannot change.
            return cleared(flow, at)
        case ev.Back():
            return written(flow, None, at), ()
        case _:
            return flow, ()


def answered(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply the shell's answer; during the look-up no other event counts."""
    match event:
        case ev.Judged(acceptable, row):
            return _verdict(flow, at, row, acceptable=acceptable)
        case ev.VerdictNotLogged(acceptable, _) if flow.context.limits.judge_unlogged:
            return _verdict(flow, at, None, acceptable=acceptable)
        case ev.VerdictNotLogged():
            return with_notice(flow.replace(step=Step.CHECKING, since=at, outcome=None), "unlogged"), ()
        case ev.CannotJudge(trouble):
            return _refused(flow, trouble, at)
        case _:
            return flow, ()


def _adjudicate(flow: Flow, event: ev.Adjudicate, at: int) -> FlowTransition:
    if at - flow.since < flow.context.limits.least_ns:
        # The second tap of the finger that opened this page is not the challenged player's key.
        return flow, ()
    if flow.context.trouble is not None:
        return _refused(flow, flow.context.trouble, at)
    if len(flow.words) != flow.count:
        return with_notice(flow, "count_differs", count=flow.count or 0, words=len(flow.words)), ()
    lookup = entry(flow, Kind.LOOKUP if flow.link is None else flow.link.kind, way=event.way)
    return flow.replace(step=Step.JUDGING, since=at, outcome=Outcome(lookup, None, None)), (Judge(lookup),)


def _verdict(flow: Flow, at: int, row: int | None, *, acceptable: bool) -> FlowTransition:
    """Apply the one verdict for the play (2017 IV.K.3.d, NZ 6.12.2.2) with its consequence, and print a slip."""
    if flow.outcome is None:
        return flow, ()
    judged = replace(flow.outcome.entry, acceptable=acceptable)
    rule, last_play = flow.context.rulebook.challenge, bool(flow.last_play)
    follows = consequence(rule, len(flow.words), acceptable=acceptable, last_play=last_play)
    proposed = proposal(flow, "verdict", judged, row)
    first = row if flow.link is None else flow.link.first
    to = next((each.to for each in proposed), None)
    last = () if flow.table is None else (LastVerdict(flow.table, follows, first, at + SHOWN_NS, flow.context.by, to),)
    now = flow.replace(
        step=Step.VERDICT,
        since=at,
        outcome=Outcome(judged, row, follows),
        open=opened(flow, row, at),
        verdicts=(*verdicts_without(flow, flow.table), *last),
    )
    return now, (Print(judged, row, follows, flow.context.rulebook.title, flow.language), *proposed)


def _refused(flow: Flow, trouble: Trouble, at: int) -> FlowTransition:
    """Refuse to judge with an untrusted list (NZ 1.3): the words are deleted, and the idle screen shows the trouble."""
    refused = WriteEntry(entry(flow.replace(outcome=None), Kind.REFUSED, why=str(trouble.what)))
    if flow.own is not None:
        # Another list than the station's own, which other players can still be judged by.
        back = flow.replace(step=Step.CHECKING, since=at, outcome=None, calling=True)
        return with_notice(back, "list_gone"), (refused,)
    return idle(flow.replace(context=replace(flow.context, trouble=trouble)), at), (refused,)
