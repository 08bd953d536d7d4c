"""After the verdict: repeat a mistyped challenge, a second opinion, the director, done. Nothing here counts in the first instant: nobody has read it yet."""

from __future__ import annotations

from typing import Final

from kiosk.challenge import events as ev
from kiosk.challenge.effects import Keep
from kiosk.challenge.entries import entry, first_row
from kiosk.challenge.entry import Kind
from kiosk.challenge.flow import Flow, Link, Step
from kiosk.challenge.repeats import repeat
from kiosk.challenge.timeouts import Transition, idle

_READ: Final = (Step.VERDICT, Step.CLOSED, Step.DIRECTOR)


def go_on(flow: Flow, event: ev.ChallengeEvent, at: int) -> Transition:
    """Take an event where a verdict, what closed the challenge, or the call for the director stands."""
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
    """Call the director: the table stands on the screen, the words are in the log and gone from here."""
    callable_ = flow.step not in {Step.IDLE, Step.JUDGING, Step.DIRECTOR}
    return _called(flow, Kind.DIRECTOR_CALLED, at) if callable_ and not _is_new(flow, at) else (flow, ())


def _is_new(flow: Flow, at: int) -> bool:
    return flow.step in _READ and at - flow.since < flow.standing.limits.least_ns


def _called(flow: Flow, kind: Kind, at: int) -> Transition:
    # Whom the players wait for is told as long as they wait; of the play nothing but its row is left.
    link = Link(kind, first_row(flow), 0) if kind is Kind.OPINION_ASKED else None
    now = idle(flow, at).replace(step=Step.DIRECTOR, digits=flow.digits, challenger=flow.challenger, language=flow.language, link=link)
    return now, (Keep(entry(flow, kind, why=str(flow.step))),)


def _second_opinion(flow: Flow, at: int) -> Flow:
    """The same words once more (2017 IV.J.1.n), as locked as before; the challenged player's key is needed again."""
    link = Link(Kind.SECOND_OPINION, first_row(flow), 0 if flow.link is None else flow.link.repeats)
    return flow.replace(step=Step.CHECKING, since=at, chosen=0, link=link, outcome=None)
