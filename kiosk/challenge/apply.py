"""``apply``: the flow after an event at an instant. Only this and ``timeouts.tick`` change a flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from game.challenge_log.entry import Kind
from kiosk import events as ev
from kiosk.challenge import asking, ending, timeouts, writing
from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import Flow, LastVerdict, Open, Question, Step
from kiosk.challenge.repeats import has_last, without_lapsed
from kiosk.challenge.timeouts import FlowTransition, aborted


def begin(context: StationContext, at: int = 0, open_: tuple[Open, ...] = (), verdicts: tuple[LastVerdict, ...] = ()) -> Flow:
    """Return the idle flow of a station that starts at ``at`` (ns); from the log, the challenges that may be repeated, and verdicts shown once more."""
    return Flow(context, since=at, touched=at, language=context.language, open=open_, verdicts=verdicts)


def apply(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Return the flow after ``event`` at ``at`` (ns), and the effects for the shell, in order.

    An event that does not apply in the present step changes nothing, not even the instant of the last touch. ``tick`` handles timeouts.
    """
    at = max(at, flow.since, flow.touched)
    if isinstance(event, ev.SetContext):
        return _set_context(flow, event.context), ()
    if isinstance(event, ev.HallEvent):
        return timeouts.heard(flow, event, at), ()
    unnoticed = flow.replace(notice=None)
    now, effects = _apply(unnoticed, event, at)
    return (flow, ()) if now == unnoticed and not effects else (now.replace(touched=at), effects)


def _apply(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    if flow.step is Step.JUDGING:
        return ending.answered(flow, event, at)
    if flow.still_there:
        return _go_on(flow, event, at), ()
    match event:
        case ev.ChooseLanguage(language):
            return (flow.replace(language=language) if language in flow.context.languages else flow), ()
        case ev.CallDirector():
            return ending.call_director(flow, at)
        case ev.ShowHelp():
            return flow.replace(helping=not flow.helping), ()
        case _ if flow.helping or flow.calling or flow.leaving:
            return _apply_hidden(flow, event, at)
        case ev.Withdraw():
            return ending.withdraw(flow, at)
        case ev.Concede(side):
            return ending.concede(flow, side, at)
        case ev.ShowWaysOut():
            return flow.replace(leaving=ending.may_close(flow) and ending.has_way_out(flow)), ()
        case _:
            return _STEPS[flow.step](flow, event, at)


def _go_on(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
    """Go on where the players were. The board's button says too that somebody is there, but adjudicates nothing that is out of sight."""
    return ending.begun_anew(flow.replace(still_there=False), at) if isinstance(event, ev.Back | ev.Adjudicate) else flow


def _apply_hidden(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply an event while the help, the call for the director or the ways out hide the page: nothing is typed, answered or adjudicated there."""
    back = isinstance(event, ev.Back | ev.Done)
    if flow.helping:
        return (ending.begun_anew(flow.replace(helping=False), at) if back else flow), ()
    if flow.calling:
        return (ending.begun_anew(flow.replace(calling=False), at) if back else flow), ()
    match event:
        case ev.Withdraw():
            return ending.withdraw(flow, at)
        case ev.Concede(side):
            return ending.concede(flow, side, at)
        case _:
            return (ending.close_ways_out(flow, at) if back else flow), ()


def _write(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    if not isinstance(event, ev.Back):
        return writing.write(flow, event, at), ()
    if flow.link is None or flow.link.kind is not Kind.REPEAT:
        return asking.last_question(flow, at), ()
    without_link = without_lapsed(flow.judged_in(flow.station.of_table(flow.table)), at)
    question = Question.REPEAT if has_last(without_link) else Question.TABLE
    return without_link.replace(
        step=Step.TABLE, question=question, since=at, challenger=None, last_play=None, count=None, words=(), chosen=0, link=None
    ), aborted(flow)


def _set_context(flow: Flow, context: StationContext) -> Flow:
    """Apply a new context while the station is idle; a challenge in progress is judged by its own list, of which a verified copy exists."""
    if flow.in_progress:
        return flow
    chosen = flow.language if flow.language != flow.context.language and flow.language in context.languages else context.language
    return flow.replace(context=context, language=chosen)


_STEPS: Final[dict[Step, Callable[[Flow, ev.ChallengeEvent, int], FlowTransition]]] = {
    Step.IDLE: asking.start,
    Step.TABLE: asking.answer,
    Step.WORDS: _write,
    Step.CHECKING: ending.check,
    Step.VERDICT: ending.go_on,
    Step.SHOWN_AGAIN: ending.go_on,
    Step.CLOSED: ending.go_on,
    Step.DIRECTOR: ending.go_on,
}
