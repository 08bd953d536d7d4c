"""The questions before the words, each with its answer: the clock, the table, an earlier challenge, the challenger, the last play, the number of words."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from game.challenge_log.entry import Kind
from kiosk import events as ev
from kiosk.challenge.flow import Flow, Question, Step, with_notice
from kiosk.challenge.repeats import has_last, repeat, verdict_of, verdicts_without, without_lapsed
from kiosk.challenge.timeouts import FlowTransition, aborted, after_number, after_stop, cleared, idle
from kiosk.challenge.writing import cleaned, entry, with_count, written
from kiosk.effects import WriteEntry
from rules.tables import WORDS_IN_CHALLENGE

_LONGEST_NUMBER: Final = 3
"""The most digits of a table number."""
_LONGEST_PASTE: Final = 100
"""The number of characters read from a pasted text."""
_DIGITS: Final = frozenset("0123456789")


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
    return after_number(without_lapsed(flow.judged_in(flow.context.of_table(flow.table)), at), at)


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


def show_again(flow: Flow, at: int) -> FlowTransition:
    """Show this table's verdict once more, and never again: words that were typed for another challenge are gone, and it gives no second repeat or opinion."""
    last = verdict_of(flow)
    if last is None or at >= last.until:
        return with_notice(flow, "verdict_gone"), ()
    now = idle(flow, at).judged_in(flow.context.judged_by(last.by))
    shown = now.replace(
        step=Step.SHOWN_AGAIN, digits=flow.digits, language=flow.language, again=last, verdicts=verdicts_without(flow, flow.table)
    )
    row = replace(entry(shown, Kind.SHOWN_AGAIN), first=last.first, acceptable=last.consequence.acceptable)
    return shown, (*aborted(flow), WriteEntry(row))
