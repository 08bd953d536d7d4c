"""After the verdict: repeat a mistyped challenge, second opinion, director, done; and the verdict once more. The first instant accepts no input, so that the players can read."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from game.challenge_log.entry import Kind
from kiosk.challenge import events as ev
from kiosk.challenge.effects import CallAtClock, WriteEntry
from kiosk.challenge.entries import entry, first_row
from kiosk.challenge.flow import EarlierRow, Flow, Step
from kiosk.challenge.notices import with_notice
from kiosk.challenge.repeats import repeat, verdict_of, verdicts_without
from kiosk.challenge.timeouts import FlowTransition, aborted, idle

_READ: Final = (Step.VERDICT, Step.SHOWN_AGAIN, Step.CLOSED, Step.DIRECTOR)


def go_on(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply an event in the steps VERDICT, SHOWN_AGAIN, CLOSED and DIRECTOR."""
    if _is_new(flow, at):
        return flow, ()
    if isinstance(event, ev.Done):
        return idle(flow, at), ()
    if flow.step is not Step.VERDICT:
        return flow, ()
    match event:
        case ev.Mistyped():
            return repeat(flow, at), ()
        case ev.SecondOpinion(here=True) if flow.context.rulebook.second_opinion_here:
            return _second_opinion(flow, at), ()
        case ev.SecondOpinion(here=False) if judges_again(flow):
            return _judge_called(flow, at)
        case _:
            return flow, ()


def show_again(flow: Flow, at: int) -> FlowTransition:
    """Show this table's verdict once more, and never again: words that were typed for another challenge are gone, and it gives no second repeat or opinion."""
    last = verdict_of(flow)
    if last is None or at >= last.until:
        return with_notice(flow, "verdict_gone"), ()
    now = idle(flow, at).judged_in(flow.station.judged_by(last.by))
    shown = now.replace(
        step=Step.SHOWN_AGAIN, digits=flow.digits, language=flow.language, again=last, verdicts=verdicts_without(flow, flow.table)
    )
    row = replace(entry(shown, Kind.SHOWN_AGAIN), first=last.first, acceptable=last.consequence.acceptable)
    return shown, (*aborted(flow), WriteEntry(row))


def judges_again(flow: Flow) -> bool:
    """Return whether players may ask a word judge for a second opinion (2017 IV.J.1.n); New Zealand has only an appeal to the referee (NZ 6.15.3)."""
    return flow.context.rulebook.challenge.review == "judges"


def call_director(flow: Flow, at: int) -> FlowTransition:
    """Call the director: the call hides the challenge, which stays as it stands."""
    callable_ = flow.step not in {Step.IDLE, Step.JUDGING, Step.DIRECTOR} and not flow.calling
    if not callable_ or _is_new(flow, at):
        return flow, ()
    at_clock = () if flow.facts is None else (CallAtClock(flow.facts.device),)
    called = WriteEntry(entry(flow, Kind.DIRECTOR_CALLED, why=str(flow.step)))
    return flow.replace(calling=True, helping=False), (called, *at_clock)


def begun_anew(flow: Flow, at: int) -> Flow:
    """Return the flow at ``at`` (ns) with a page that was hidden: what is to be read or checked begins anew, so that the finger on Back is no key."""
    return flow.replace(since=at) if flow.step in {*_READ, Step.CHECKING} else flow


def _is_new(flow: Flow, at: int) -> bool:
    return flow.step in _READ and at - flow.since < flow.context.limits.least_ns


def _judge_called(flow: Flow, at: int) -> FlowTransition:
    # Only the table, its rulebook and list, the language and who challenges stay on the screen; the play is only in its row of the log.
    link = EarlierRow(Kind.OPINION_ASKED, first_row(flow), 0)
    now = idle(flow, at).judged_in(flow.context)
    asked = now.replace(step=Step.DIRECTOR, digits=flow.digits, challenger=flow.challenger, language=flow.language, link=link)
    # A verdict in dispute is not shown again, not to the judge either.
    return asked.replace(verdicts=verdicts_without(flow, flow.table)), (WriteEntry(entry(flow, Kind.OPINION_ASKED, why=str(flow.step))),)


def _second_opinion(flow: Flow, at: int) -> Flow:
    """Check the same words again (2017 IV.J.1.n), still locked; the challenged player has to press the key again."""
    link = EarlierRow(Kind.SECOND_OPINION, first_row(flow), 0 if flow.link is None else flow.link.repeats)
    return flow.replace(step=Step.CHECKING, since=at, chosen=0, link=link, outcome=None)
