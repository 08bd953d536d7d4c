"""``apply``: the flow after an event at an instant; the questions before the words with their answers, and how a challenge ends. Only this and ``timeouts.tick`` change a flow.

Both players see the locked words, and the challenged player's key adjudicates the play (2014 IV.J, 2017 IV.J.1.g-h, NZ 6.13.5). Without a look-up it ends if
the rulebook allows that; then nothing is printed. The first instant of a verdict accepts no input, so that the players can read it.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.flow import EarlierRow, Flow, LastVerdict, Open, Outcome, Question, Step, with_notice
from kiosk.challenge.timeouts import (
    READ,
    SHOWN_NS,
    FlowTransition,
    aborted,
    after_last,
    after_number,
    after_stop,
    cleared,
    has_last,
    heard,
    idle,
    of_table,
    opened,
    proposal,
    repeat,
    without_lapsed,
    without_table,
)
from kiosk.challenge.writing import cleaned, entry, first_row, is_fixed, write, written
from kiosk.context import ClockChallenge, StationContext, Trouble
from kiosk.events import CallAtClock, Consequence, Judge, Print, WriteEntry, consequence
from records.entry import Entry, Kind
from rules.contact import MS
from rules.side import Side

_LONGEST_NUMBER: Final = 3
_LONGEST_PASTE: Final = 100
_DIGITS: Final = frozenset("0123456789")


def ask(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    if not isinstance(event, ev.Back):
        return _answer(flow, event, at)
    match flow.question:
        case Question.TABLE:
            return cleared(flow, at)
        case Question.CHALLENGER if has_last(flow):
            return flow.replace(question=Question.REPEAT), ()
        case _:
            return _at_table(flow), ()


def _answer(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    match flow.question, event:
        case Question.TABLE, ev.ChooseChallenger(side) if not flow.asks_clock:
            return _numbered(flow, at, side), ()
        case Question.TABLE, ev.Type(text) | ev.TypeTile(text):
            return _typed(flow, text, at), ()
        case Question.TABLE, ev.Erase():
            return flow.replace(digits=flow.digits[:-1]), ()
        case Question.TABLE, ev.Next():
            return _numbered(flow, at), ()
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
    back = flow.replace(step=Step.TABLE, since=at)
    return back.replace(question=Question.CHALLENGER) if flow.asks_clock and not flow.from_clock else _at_table(back)


def _at_table(flow: Flow) -> Flow:
    return flow.judged_in(flow.station).replace(question=Question.TABLE, challenger=None)


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
    return after_number(without_lapsed(flow.judged_in(flow.context.of_table(flow.table)), at).replace(challenger=challenger), at)


def show_again(flow: Flow, at: int) -> FlowTransition:
    """Show this table's verdict once more, and never again: words that were typed for another challenge are gone, and it gives no second repeat or opinion."""
    last = of_table(flow.verdicts, flow.table)
    if last is None or at >= last.until:
        return with_notice(flow, "verdict_gone"), ()
    now = idle(flow, at).judged_in(flow.context.judged_by(last.by))
    shown = now.replace(
        step=Step.SHOWN_AGAIN, digits=flow.digits, language=flow.language, again=last, verdicts=without_table(flow.verdicts, flow.table)
    )
    row = entry(shown, Kind.SHOWN_AGAIN, first=last.first, acceptable=last.consequence.acceptable)
    return shown, (*aborted(flow), WriteEntry(row))


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
        return heard(flow, event, at), ()
    if isinstance(event, ev.NoFunction):
        if flow.step is Step.JUDGING or flow.still_there:
            return flow, ()
        return with_notice(flow.replace(touched=at), "key_behind" if event.behind else "no_key", pressed=event.key), ()
    unnoticed = flow.replace(notice=None)
    now, effects = (_go_on(unnoticed, event, at), ()) if flow.still_there else _apply(unnoticed, event, at)
    return (flow, ()) if now == unnoticed and not effects else (now.replace(touched=at), effects)


def _apply(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    if flow.step is Step.JUDGING:
        return answered(flow, event, at)
    match event:
        case ev.ChooseLanguage(language):
            return (flow.replace(language=language) if language in flow.context.languages else flow), ()
        case ev.CallDirector():
            return call_director(flow, at)
        case ev.ShowHelp():
            return flow.replace(helping=not flow.helping), ()
        case _ if flow.helping or flow.calling:
            return _uncovered(flow, event, at), ()
        case ev.Withdraw():
            return withdraw(flow, at)
        case ev.AskToConcede(side) | ev.Concede(side):
            return (concede if isinstance(event, ev.Concede) else _ask_to_concede)(flow, side, at)
        case _ if flow.leaving:
            return _uncovered(flow, event, at), ()
        case ev.ShowWaysOut():
            return flow.replace(leaving=may_close(flow) and has_way_out(flow)), ()
        case _:
            return _STEPS[flow.step](flow, event, at)


def _go_on(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
    """Go on where the players were. The board's button says too that somebody is there, but adjudicates nothing that is out of sight."""
    return _begun_anew(flow.replace(still_there=False), at) if isinstance(event, ev.Back | ev.Adjudicate) else flow


def _uncovered(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
    """Return from the help, the call for the director or the ways out to the page that they hide: nothing is typed, answered or adjudicated there."""
    if not isinstance(event, ev.Back | ev.Done):
        return flow
    if flow.conceding is not None and not (flow.helping or flow.calling):
        return flow.replace(conceding=None)
    hiding = "helping" if flow.helping else "calling" if flow.calling else "leaving"
    return _begun_anew(flow.replace(**{hiding: False}), at)


def _write(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    if not isinstance(event, ev.Back):
        return write(flow, event, at), ()
    if flow.link is None or flow.link.kind is not Kind.REPEAT:
        return last_question(flow, at), ()
    without_link = without_lapsed(flow.judged_in(flow.context.of_table(flow.table)), at)
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


def start(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    """Apply an event of the idle station: a digit of a table's number begins, as any answer to its question does. One that cannot judge says why."""
    if flow.context.trouble is not None or flow.context.spelling is None:
        return flow, ()
    begun = flow.replace(step=Step.TABLE, question=Question.TABLE, since=at, asks_clock=flow.linked)
    match event:
        case ev.Begin():
            return begun, ()
        case ev.Type() | ev.TypeTile():
            typed, effects = _answer(begun, event, at)
            return (typed, effects) if typed.digits else (flow, ())
        case ev.ChooseChallenger() | ev.Next():
            return _answer(begun, event, at)
        case _:
            return flow, ()


def may_close(flow: Flow) -> bool:
    """Return whether the challenge can be withdrawn or conceded now: from the first word until adjudication."""
    return flow.step in {Step.WORDS, Step.CHECKING}


def has_way_out(flow: Flow) -> bool:
    """Return whether the rulebook in force lets this challenge end without a look-up; a second opinion already has its verdict."""
    rule, link = flow.context.rulebook.challenge, flow.link
    return (rule.may_withdraw and link is None) or (rule.may_concede and (link is None or link.kind is not Kind.SECOND_OPINION))


def withdraw(flow: Flow, at: int) -> FlowTransition:
    """Withdraw the challenge without consequence (2017 IV.I.3; NZ 6.12.2.1: never). A play with a verdict has been adjudicated already."""
    if not may_close(flow):
        return flow, ()
    if not flow.context.rulebook.challenge.may_withdraw:
        return with_notice(flow, "no_withdrawal"), ()
    if flow.link is not None:
        return with_notice(flow, "already_judged"), ()
    return _closed(flow, entry(flow, Kind.WITHDRAWN), None, at, "withdrawn")


def concede(flow: Flow, side: Side, at: int) -> FlowTransition:
    """Concede: the challenged player as if the play were unacceptable, the challenger as if it were acceptable (2017 IV.I.3.5).

    A conceding challenger pays for every word challenged, as after an unsuccessful challenge (2017 VI.B.3), so they are typed first. The number of
    a repeat is that of its first try. A second opinion cannot be conceded: it has a verdict.
    """
    if not may_close(flow):
        return flow, ()
    rule = flow.context.rulebook.challenge
    if not rule.may_concede:
        return with_notice(flow, "no_concession"), ()
    if flow.link is not None and flow.link.kind is Kind.SECOND_OPINION:
        return with_notice(flow, "already_judged"), ()
    acceptable = side is flow.challenger
    if acceptable and rule.points_a_word and not _challenged(flow):
        return with_notice(flow, "count_needed"), ()
    why = "the challenger conceded" if acceptable else "the challenged player conceded"
    return _closed(flow, entry(flow, Kind.CONCEDED, why=why), conceded(flow, side), at, "conceded", side)


def _ask_to_concede(flow: Flow, side: Side, at: int) -> FlowTransition:
    """Show what it costs; or say at once why this challenge cannot be conceded."""
    then, _ = concede(flow, side, at)
    return (flow.replace(leaving=True, conceding=side) if then.step is Step.CLOSED else then), ()


def conceded(flow: Flow, side: Side) -> Consequence:
    return consequence(
        flow.context.rulebook.challenge, _challenged(flow), acceptable=side is flow.challenger, last_play=bool(flow.last_play)
    )


def _challenged(flow: Flow) -> int:
    return flow.count or 0 if is_fixed(flow) else sum(map(bool, flow.words))


def _closed(  # noqa: PLR0913, PLR0917 - what a close consists of
    flow: Flow, closed: Entry, follows: Consequence | None, at: int, do: str, by: Side | None = None
) -> FlowTransition:
    """Close the challenge. A concession replaces the table's last one; a withdrawal does not, because it may result from a mistyped number."""
    if follows is not None:
        flow = flow.replace(open=without_table(flow.open, flow.table), verdicts=without_table(flow.verdicts, flow.table))
    ended = flow.replace(step=Step.CLOSED, leaving=False, conceding=None, since=at, outcome=Outcome(closed, None, follows))
    return ended, (WriteEntry(closed), *proposal(flow, do, closed, by=by))


def check(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
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
        case ev.Judged(acceptable, row) if row is not None or flow.context.limits.judge_unlogged:
            return _verdict(flow, at, row, acceptable=acceptable)
        case ev.Judged():
            return with_notice(flow.replace(step=Step.CHECKING, since=at, outcome=None), "unlogged"), ()
        case ev.CannotJudge(trouble):
            return _refused(flow, trouble, at)
        case _:
            return flow, ()


def _adjudicate(flow: Flow, event: ev.Adjudicate, at: int) -> FlowTransition:
    if at - flow.since < flow.context.limits.least_ms * MS:
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
    proposed = proposal(flow, "verdict", judged, row)
    to = next((each.to for each in proposed), None)
    now, follows = _with_consequence(flow.replace(step=Step.VERDICT, open=opened(flow, row, at)), Outcome(judged, row, None), to, at)
    return now, (Print(judged, row, follows, flow.context.rulebook.title, flow.language), *proposed)


def _with_consequence(flow: Flow, outcome: Outcome, to: ClockChallenge | None, at: int) -> tuple[Flow, Consequence]:
    rule, acceptable = flow.context.rulebook.challenge, bool(outcome.entry.acceptable)
    follows = consequence(rule, len(flow.words), acceptable=acceptable, last_play=bool(flow.last_play))
    first = outcome.row if flow.link is None else flow.link.first
    last = () if flow.table is None else (LastVerdict(flow.table, follows, first, at + SHOWN_NS, flow.context.by, to),)
    verdicts = (*without_table(flow.verdicts, flow.table), *last)
    return flow.replace(since=at, outcome=outcome.replace(consequence=follows), verdicts=verdicts), follows


def asks_last_play(flow: Flow) -> bool:
    """Return whether players may say that the play was the last one: only an acceptable one ends the game, and a clock knows it (2017 V.A, V.E)."""
    return flow.outcome is not None and bool(flow.outcome.entry.acceptable) and not flow.from_clock


def _last_play(flow: Flow, at: int, *, was_last: bool) -> FlowTransition:
    if flow.outcome is None or not asks_last_play(flow):
        return flow, ()
    last = of_table(flow.verdicts, flow.table)
    open_ = tuple(each.replace(last_play=was_last) if each.table == flow.table else each for each in flow.open)
    outcome = flow.outcome.replace(entry=replace(flow.outcome.entry, last_play=was_last))
    now, _ = _with_consequence(flow.replace(last_play=was_last, open=open_), outcome, None if last is None else last.to, at)
    return now, (WriteEntry(entry(now, Kind.LAST_PLAY, acceptable=True)),)


def _refused(flow: Flow, trouble: Trouble, at: int) -> FlowTransition:
    """Refuse to judge with an untrusted list (NZ 1.3): the words are deleted, and the idle screen shows the trouble."""
    refused = WriteEntry(entry(flow.replace(outcome=None), Kind.REFUSED, why=str(trouble.what)))
    if flow.context.own is not None:
        # Another list than the station's own, which other players can still be judged by.
        return with_notice(flow.replace(step=Step.CHECKING, since=at, outcome=None, calling=True), "list_gone"), (refused,)
    return idle(flow.replace(context=flow.context.replace(trouble=trouble)), at), (refused,)


def go_on(flow: Flow, event: ev.ChallengeEvent, at: int) -> FlowTransition:
    if _is_new(flow, at):
        return flow, ()
    if isinstance(event, ev.Done):
        return idle(flow, at), ()
    if flow.step is not Step.VERDICT:
        return flow, ()
    match event:
        case ev.LastPlay(was_last):
            return _last_play(flow, at, was_last=was_last)
        case ev.RepeatIt():
            return repeat(flow, at), ()
        case ev.SecondOpinion(here=True) if flow.context.rulebook.second_opinion_here:
            return _second_opinion(flow, at), ()
        case ev.SecondOpinion(here=False) if judges_again(flow):
            return _judge_called(flow, at)
        case _:
            return flow, ()


def judges_again(flow: Flow) -> bool:
    """Return whether players may ask a word judge for a second opinion (2017 IV.J.1.n); New Zealand has only an appeal to the referee (NZ 6.15.3)."""
    return flow.context.rulebook.challenge.review in ("judges", "director")


def call_director(flow: Flow, at: int) -> FlowTransition:
    if flow.step in {Step.IDLE, Step.JUDGING, Step.DIRECTOR} or flow.calling or _is_new(flow, at):
        return flow, ()
    at_clock = () if flow.facts is None else (CallAtClock(flow.facts.device),)
    called = WriteEntry(entry(flow, Kind.DIRECTOR_CALLED, why=str(flow.step)))
    return flow.replace(calling=True, helping=False), (called, *at_clock)


def _begun_anew(flow: Flow, at: int) -> Flow:
    """Return the flow at ``at`` (ns) with a page that was hidden: what is to be read or checked begins anew, so that the finger on Back is no key."""
    return flow.replace(since=at) if flow.step in {*READ, Step.CHECKING} else flow


def _is_new(flow: Flow, at: int) -> bool:
    return flow.step in READ and at - flow.since < flow.context.limits.least_ms * MS


def _judge_called(flow: Flow, at: int) -> FlowTransition:
    # Only the table, its rulebook and list, the language and who challenges stay on the screen; the play is only in its row of the log.
    link = EarlierRow(Kind.OPINION_ASKED, first_row(flow), 0)
    now = idle(flow, at).judged_in(flow.context)
    asked = now.replace(step=Step.DIRECTOR, digits=flow.digits, challenger=flow.challenger, language=flow.language, link=link)
    # A verdict in dispute is not shown again, not to the judge either.
    return asked.replace(verdicts=without_table(flow.verdicts, flow.table)), (
        WriteEntry(entry(flow, Kind.OPINION_ASKED, why=str(flow.step))),
    )


def _second_opinion(flow: Flow, at: int) -> Flow:
    """Check the same words again (2017 IV.J.1.n), still locked; the challenged player has to press the key again."""
    link = EarlierRow(Kind.SECOND_OPINION, first_row(flow), 0 if flow.link is None else flow.link.repeats)
    return flow.replace(step=Step.CHECKING, since=at, chosen=0, link=link, outcome=None)


_STEPS: Final[dict[Step, Callable[[Flow, ev.ChallengeEvent, int], FlowTransition]]] = {
    Step.IDLE: start,
    Step.TABLE: ask,
    Step.WORDS: _write,
    Step.CHECKING: check,
    Step.VERDICT: go_on,
    Step.SHOWN_AGAIN: go_on,
    Step.CLOSED: go_on,
    Step.DIRECTOR: go_on,
}
