"""The questions before the words, each with its answer: the table, an earlier challenge, the challenger."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.flow import Flow, Question, Step, with_notice
from kiosk.challenge.repeats import has_last, repeat, verdict_of, verdicts_without, without_lapsed
from kiosk.challenge.timeouts import FlowTransition, aborted, after_last, after_number, after_stop, cleared, idle
from kiosk.challenge.writing import cleaned, entry, written
from kiosk.effects import WriteEntry
from records.entry import Kind
from rules.side import Side

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
        case Question.TABLE, ev.ChooseChallenger(side) if not flow.asks_clock:
            return _numbered(flow, at, side), ()
        case Question.TABLE, _:
            return _number(flow, event, at), ()
        case Question.RUNS, ev.ClockNotRunning():
            return after_stop(flow), ()
        case Question.REPEAT, ev.RepeatIt():
            again = repeat(flow, at)
            return again, aborted(flow) if again.step is Step.WORDS else ()
        case Question.REPEAT, ev.ShowVerdict():
            return show_again(flow, at)
        case Question.REPEAT, ev.NewChallenge():
            return after_last(flow, at), ()
        case Question.CHALLENGER, ev.ChooseChallenger(side):
            return written(flow.replace(challenger=side), flow.words or ((),), at), ()
        case _:
            return flow, ()


def last_question(flow: Flow, at: int) -> Flow:
    """Return the flow, at ``at`` (ns), back from the words to the last question."""
    back = flow.replace(step=Step.TABLE, since=at)
    return back.replace(question=Question.CHALLENGER) if flow.asks_clock and not flow.from_clock else _at_table(back)


def _at_table(flow: Flow) -> Flow:
    return flow.judged_in(flow.station).replace(question=Question.TABLE, challenger=None)


def _back(flow: Flow, at: int) -> FlowTransition:
    match flow.question:
        case Question.TABLE:
            return cleared(flow, at)
        case Question.CHALLENGER if has_last(flow):
            return flow.replace(question=Question.REPEAT), ()
        case _:
            return _at_table(flow), ()


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


def _numbered(flow: Flow, at: int, challenger: Side | None = None) -> Flow:
    """Complete the number, which picks the division. Ask about a repeat before the words, because a repeat knows its challenger."""
    if not flow.digits:
        return with_notice(flow, "table_missing")
    table = without_lapsed(flow.judged_in(flow.context.of_table(flow.table)), at)
    return after_number(table.replace(challenger=challenger), at)


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
