"""After the verdict: repeat a mistyped challenge, second opinion, director, done. The first instant accepts no input, so that the players can read."""

from __future__ import annotations

from typing import Final

from kiosk.challenge import events as ev
from kiosk.challenge.effects import WriteEntry
from kiosk.challenge.entries import entry, first_row
from kiosk.challenge.entry import Kind
from kiosk.challenge.flow import EarlierRow, Flow, Step
from kiosk.challenge.repeats import repeat
from kiosk.challenge.timeouts import Transition, idle

_READ: Final = (Step.VERDICT, Step.CLOSED, Step.DIRECTOR)


def go_on(flow: Flow, event: ev.ChallengeEvent, at: int) -> Transition:
    """Apply an event in the steps VERDICT, CLOSED and DIRECTOR."""
    if _is_new(flow, at):
        return flow, ()
    if isinstance(event, ev.Done):
        return idle(flow, at), ()
    if flow.step is not Step.VERDICT:
        return flow, ()
    match event:
        case ev.Mistyped():
            return repeat(flow, at), ()
        case ev.SecondOpinion(here):
            return (_second_opinion(flow, at), ()) if here else _called(flow, Kind.OPINION_ASKED, at)
        case _:
            return flow, ()


def call_director(flow: Flow, at: int) -> Transition:
    """Call the director: the screen shows the table; the words are in the log and no longer here."""
    callable_ = flow.step not in {Step.IDLE, Step.JUDGING, Step.DIRECTOR}
    return _called(flow, Kind.DIRECTOR_CALLED, at) if callable_ and not _is_new(flow, at) else (flow, ())


def _is_new(flow: Flow, at: int) -> bool:
    return flow.step in _READ and at - flow.since < flow.context.limits.least_ns


def _called(flow: Flow, kind: Kind, at: int) -> Transition:
    # Only the table, the language and who challenges stay on the screen; the play is only in its row of the log.
    link = EarlierRow(kind, first_row(flow), 0) if kind is Kind.OPINION_ASKED else None
    now = idle(flow, at).replace(step=Step.DIRECTOR, digits=flow.digits, challenger=flow.challenger, language=flow.language, link=link)
    return now, (WriteEntry(entry(flow, kind, why=str(flow.step))),)


def _second_opinion(flow: Flow, at: int) -> Flow:
    """Check the same words again (2017 IV.J.1.n), still locked; the challenged player has to press the key again."""
    link = EarlierRow(Kind.SECOND_OPINION, first_row(flow), 0 if flow.link is None else flow.link.repeats)
    return flow.replace(step=Step.CHECKING, since=at, chosen=0, link=link, outcome=None)
