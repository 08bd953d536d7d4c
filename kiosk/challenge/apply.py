"""``apply``: the flow after an event at an instant. Only this and ``timeouts.tick`` change a flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from game.challenge_log.entry import Kind
from kiosk import events as ev
from kiosk.challenge import ending, timeouts, writing
from kiosk.challenge.context import StationContext
from kiosk.challenge.ending import show_again
from kiosk.challenge.flow import Flow, LastVerdict, Open, Question, Step, with_notice
from kiosk.challenge.repeats import has_last, repeat, without_lapsed
from kiosk.challenge.timeouts import FlowTransition, aborted, after_number, after_stop, cleared, idle
from kiosk.challenge.writing import cleaned, with_count, written
from rules.tables import WORDS_IN_CHALLENGE

_LONGEST_NUMBER: Final = 3
"""The most digits of a table number."""
_LONGEST_PASTE: Final = 100
"""The number of characters read from a pasted text."""
_DIGITS: Final = frozenset("0123456789")


def start(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply an event of the idle station. A station that cannot judge starts no challenge; its page says why."""
    can_judge = flow.context.trouble is None and flow.context.spelling is not None
    if isinstance(event, ev.Begin) and can_judge:
        first = Question.TABLE if flow.linked else Question.CLOCK
        return flow.replace(step=Step.TABLE, question=first, since=at, table_first=flow.linked), ()
    return flow, ()


def answer(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply the answer to the present question; other events change nothing."""
    if isinstance(event, ev.Back):
        return _back(flow, at)
    match flow.question, event:
        case Question.CLOCK | Question.RUNS, _:
            return _clock(flow, event, at)
        case Question.TABLE, _:
            return _number(flow, event, at), ()
        case Question.REPEAT, ev.RepeatIt():
            return repeat(flow, at), aborted(flow)
        case Question.REPEAT, ev.ShowVerdict():
            return show_again(flow, at)
        case Question.REPEAT, ev.NewChallenge():
            return flow.replace(question=Question.CHALLENGER), ()
        case Question.CHALLENGER, ev.ChooseChallenger(side):
            return flow.replace(challenger=side, question=Question.LAST_PLAY), ()
        case Question.LAST_PLAY, ev.LastPlay(was_last):
            return _played_last(flow.replace(last_play=was_last), at), ()
        case Question.COUNT, _:
            return _count(flow, event, at), ()
        case _:
            return flow, ()


def _clock(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    match flow.question, event:
        case Question.CLOCK, ev.ClockStopped():
            return after_stop(flow, at), ()
        case Question.CLOCK, ev.ClockRuns():
            # A player who sees a running clock asks to stop it first (2017 IV.J.1.a). The notice keeps the players' language while it lasts.
            return with_notice(idle(flow, at).replace(language=flow.language), "clock_first"), aborted(flow)
        case Question.RUNS, ev.ClockNotRunning():
            return flow.replace(question=Question.CLOCK), ()
        case _:
            return flow, ()


def last_question(flow: Flow, at: int) -> Flow:
    """Return the flow, at ``at`` (ns), back from the words to the last question."""
    question = Question.COUNT if flow.context.limits.count_first else _before_count(flow)
    return flow.replace(step=Step.TABLE, question=question, since=at)


def _before_count(flow: Flow) -> Question:
    return Question.TABLE if flow.from_clock else Question.LAST_PLAY


def _back(flow: Flow, at: int) -> FlowTransition:
    match flow.question:
        case Question.CLOCK if not flow.table_first:
            return cleared(flow, at)
        case Question.TABLE:
            return cleared(flow, at) if flow.table_first else (flow.replace(question=Question.CLOCK), ())
        case Question.CLOCK | Question.LOOKING | Question.RUNS:
            return flow.judged_in(flow.station).replace(question=Question.TABLE), ()
        case Question.CHALLENGER if has_last(flow):
            return flow.replace(question=Question.REPEAT), ()
        case Question.REPEAT | Question.CHALLENGER:
            return flow.judged_in(flow.station).replace(question=Question.TABLE), ()
        case Question.LAST_PLAY:
            return flow.replace(question=Question.CHALLENGER), ()
        case Question.COUNT if flow.from_clock:
            return flow.judged_in(flow.station).replace(question=Question.TABLE), ()
        case Question.COUNT:
            return flow.replace(question=Question.LAST_PLAY), ()


def _number(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
    match event:
        case ev.Type(text) | ev.TypeTile(text):
            return _typed(flow, text, at)
        case ev.Erase():
            return flow.replace(digits=flow.digits[:-1])
        case ev.Next():
            return _numbered(flow, at)
        case _:
            return flow


def _typed(flow: Flow, text: str, at: int) -> Flow:
    """Type digits up to white space, which acts as ``Next``; any other character is refused, as is a number outside 1 to 999."""
    seen = cleaned(text[:_LONGEST_PASTE])
    for character in seen if flow.digits else seen.lstrip():
        if character.isspace():
            return _numbered(flow, at) if flow.digits else flow
        if character not in _DIGITS or len(flow.digits) == _LONGEST_NUMBER or flow.digits + character == "0":
            return with_notice(flow, "table_digits")
        flow = flow.replace(digits=flow.digits + character)
    return flow


def _numbered(flow: Flow, at: int) -> Flow:
    """Complete the number, which picks the division. Ask about a repeat before asking who challenges, because a repeat knows its challenger."""
    if not flow.digits:
        return with_notice(flow, "table_missing")
    return after_number(without_lapsed(flow.judged_in(flow.station.of_table(flow.table)), at), at)


def _played_last(flow: Flow, at: int) -> Flow:
    if flow.context.limits.count_first:
        return flow.replace(question=Question.COUNT)
    return written(flow, flow.words or ((),), at)


def _count(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
    match event:
        case ev.ChooseCount(count):
            pass
        case ev.Type(text) | ev.TypeTile(text) if len(text) == 1 and text in _DIGITS:
            count = int(text)
        case _:
            return flow
    return written(with_count(flow, count), None, at) if 1 <= count <= WORDS_IN_CHALLENGE else flow


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
        return last_question(flow, at), ()
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
    Step.IDLE: start,
    Step.TABLE: answer,
    Step.WORDS: _write,
    Step.CHECKING: ending.check,
    Step.VERDICT: ending.go_on,
    Step.SHOWN_AGAIN: ending.go_on,
    Step.CLOSED: ending.go_on,
    Step.DIRECTOR: ending.go_on,
}
