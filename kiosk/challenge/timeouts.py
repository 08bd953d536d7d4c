"""What a table may still do about its last challenge until its time is up, and changes without a touch: by time alone, and by what the hall says.

A challenge is open from its first verdict until its time is up, its repeats are used, or another challenge of its table has a result. It is known by
words and challenger, without verdict. A repeat corrects a slip of the fingers (``writing.slips``; 2017 IV.J.1.j). A verdict is known with what follows, and without words, until its
time is up, it has been shown once more, the table's play has another result, or a word judge is asked about it. A power cut takes neither: both are restored from the last rows
of the log. The shell supplies the age of each row, because only it knows the clocks.

An untouched screen asks whether anybody is still there, then clears completely. Strangers' half-typed words do not help the next players, and a verdict is for two
players only. So everything is deleted except in the log. Neither time nor hall moves a deadline for a touch.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar

from kiosk import events as ev
from kiosk.challenge.flow import EarlierRow, Flow, LastVerdict, Open, Question, Step, with_notice
from kiosk.challenge.writing import entry, log_text, written
from kiosk.context import ANSWER_NS, LOOK_NS, ClockAnswer, ClockChallenge, FlowSettings, JudgedBy, NoFacts, SentVerdict, TableFacts, Value
from kiosk.events import Effect, Propose, WriteEntry, consequence
from records.entry import Entry, Kind
from rules.duration import NS, seconds_shown
from rules.side import Side

SHOWN_NS: Final = 300 * NS
_Lasting = TypeVar("_Lasting", Open, LastVerdict)


def of_table(lasting: tuple[_Lasting, ...], table: int | None) -> _Lasting | None:
    return next((each for each in lasting if each.table == table), None)


def without_table(lasting: tuple[_Lasting, ...], table: int | None) -> tuple[_Lasting, ...]:
    return tuple(each for each in lasting if each.table != table)


def has_last(flow: Flow) -> bool:
    return of_table(flow.open, flow.table) is not None or of_table(flow.verdicts, flow.table) is not None


def still_open(lasting: tuple[_Lasting, ...], at: int) -> tuple[_Lasting, ...]:
    return tuple(each for each in lasting if at < each.until)


def without_lapsed(flow: Flow, at: int) -> Flow:
    return flow.replace(open=still_open(flow.open, at), verdicts=still_open(flow.verdicts, at))


def opened(flow: Flow, row: int | None, at: int) -> tuple[Open, ...]:
    """Return the open challenges after a verdict at ``at`` (ns), whose row is ``row``."""
    limits, link = flow.context.limits, flow.link
    if link is not None and link.kind is Kind.SECOND_OPINION:
        return flow.open
    before, table = of_table(flow.open, flow.table), flow.table
    if table is None or flow.challenger is None:
        return flow.open
    first, repeats, until = row, 0, at + limits.repeat_minutes * 60 * NS
    words = tuple(log_text(word, flow.context.spelling) for word in flow.words)
    if link is not None:
        if before is None:
            return flow.open
        first, repeats, until, words = link.first, link.repeats, before.until, before.words
    if repeats >= limits.repeats:
        return without_table(flow.open, flow.table)
    return (
        *without_table(flow.open, flow.table),
        Open(table, flow.challenger, words, first, repeats, until, flow.last_play, flow.context.by, flow.sent),
    )


def repeat(flow: Flow, at: int) -> Flow:
    """Return the flow at the empty words of this table's repeated challenge, or with a notice if it may not be repeated.

    The rulebook and the list are those of the first try. Where they are gone, the director is called.
    """
    before = of_table(flow.open, flow.table)
    if before is None or at >= before.until:
        limits, link = flow.context.limits, flow.link
        used_up = (0 if link is None else link.repeats) >= limits.repeats
        return with_notice(flow, "no_more_repeats", repeats=limits.repeats) if used_up else with_notice(flow, "repeat_closed")
    if before.by is None:
        return with_notice(flow.replace(calling=True), "list_gone")
    return flow.judged_in(flow.context.judged_by(before.by)).replace(
        step=Step.WORDS,
        since=at,
        challenger=before.challenger,
        last_play=before.last_play,
        count=len(before.words),
        words=((),) * len(before.words),
        chosen=0,
        link=EarlierRow(Kind.REPEAT, before.first, before.repeats + 1, before.words),
        outcome=None,
        sent=before.sent,
    )


_LOOKED_UP: Final = (Kind.LOOKUP, Kind.REPEAT, Kind.SECOND_OPINION, Kind.LAST_PLAY)
_SETTLES: Final = (Kind.CONCEDED, Kind.OPINION_ASKED)
"""Rows without a verdict that leave none to show; so does a word judge's verdict, and one that was shown again."""
LAST: Final = 200
"""Enough rows for ten minutes of the busiest station."""


class Aged(Value, frozen=True):
    number: int
    entry: Entry
    age: int
    """In ns."""


def reopened(rows: Sequence[Aged], limits: FlowSettings, at: int, by: Callable[[Entry], JudgedBy | None]) -> tuple[Open, ...]:
    """Return the challenges that may be repeated at ``at`` (ns, the station's start), as the flow had them.

    ``rows``: the last of the log, oldest first. ``by`` returns the rulebook and the list of a row, or None if one of them is gone.
    """
    open_: dict[int, Open] = {}
    for row in rows:
        table = row.entry.table
        if table is not None:
            now = _after(open_.pop(table, None), row, table, (at + limits.repeat_minutes * 60 * NS - row.age, by(row.entry)))
            if now is not None and now.repeats < limits.repeats:
                open_[table] = now
    return still_open(tuple(open_.values()), at)


def verdicts_in(rows: Sequence[Aged], at: int, by: Callable[[Entry], JudgedBy | None]) -> tuple[LastVerdict, ...]:
    """Return the verdicts that may be shown once more at ``at`` (ns), as the flow had them; none whose rulebook or list is gone. See ``reopened``."""
    last: dict[int, LastVerdict] = {}
    for row in rows:
        table, kind = row.entry.table, row.entry.kind
        if table is None or (kind not in _SETTLES and row.entry.acceptable is None):
            continue
        last.pop(table, None)
        judged = by(row.entry) if kind in _LOOKED_UP else None
        if judged is not None:
            last[table] = _verdict(row, table, judged, at + SHOWN_NS - row.age)
    return still_open(tuple(last.values()), at)


def _verdict(row: Aged, table: int, by: JudgedBy, until: int) -> LastVerdict:
    entry, rule = row.entry, by.rulebook.challenge
    follows = consequence(rule, len(entry.words), acceptable=bool(entry.acceptable), last_play=bool(entry.last_play))
    return LastVerdict(table, follows, row.number if entry.kind is Kind.LOOKUP else entry.first, until, by)


def _after(before: Open | None, row: Aged, table: int, until_by: tuple[int, JudgedBy | None]) -> Open | None:
    """Return the table's open challenge after ``row``; rows of challenges without a result change nothing."""
    entry, side = row.entry, next((side for side in Side if str(side) == row.entry.challenger), None)
    match entry.kind:
        case Kind.LOOKUP if entry.acceptable is not None and side is not None:
            until, by = until_by
            return Open(table, side, entry.words, row.number, 0, until, entry.last_play, by)
        case Kind.REPEAT if entry.acceptable is not None:
            return None if before is None else before.replace(repeats=before.repeats + 1)
        case Kind.LAST_PLAY:
            return None if before is None else before.replace(last_play=entry.last_play)
        case Kind.CONCEDED:
            return None
        case _:
            return before


_WAITS: Final = (Question.LOOKING, Question.RUNS)


def heard(flow: Flow, event: ev.HallEvent, at: int) -> Flow:
    match event:
        case ev.LinkChanged(up):
            return flow.replace(linked=True) if up else unheard(flow.replace(linked=False))
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


def _silent(flow: Flow, at: int) -> Flow:
    """Return the flow at ``at`` (ns): where a clock says nothing, the players are asked."""
    ends = due(flow)
    if ends is None or at < ends:
        return flow
    if flow.step is Step.TABLE and flow.question is Question.LOOKING:
        return unheard(flow)
    return flow if flow.sent is None else flow.replace(sent=flow.sent.replace(answer=ClockAnswer.SILENT))


def after_number(flow: Flow, at: int) -> Flow:
    """Return the flow once the table is known: ask its clock where there is a link, else the players."""
    if flow.asks_clock:
        return flow.replace(facts=None, from_clock=False, clock_challenge=None, question=Question.LOOKING, since=at)
    return flow.replace(question=Question.REPEAT) if has_last(flow) else after_last(flow, at)


def after_last(flow: Flow, at: int) -> Flow:
    """Return the flow once it is not about the table's last challenge: ask who challenges, unless that is known."""
    return flow.replace(question=Question.CHALLENGER) if flow.challenger is None else written(flow, flow.words or ((),), at)


def after_stop(flow: Flow) -> Flow:
    """Return the flow with the question that a clock would have answered."""
    return flow.replace(question=Question.REPEAT if has_last(flow) else Question.CHALLENGER)


def unheard(flow: Flow) -> Flow:
    """Return the flow without a clock to hear: the players are asked what it would have answered."""
    waits = flow.step is Step.TABLE and flow.question in _WAITS
    return after_stop(flow.replace(facts=None)) if waits else flow.replace(facts=None)


def proposal(flow: Flow, do: str, made: Entry, row: int | None = None, *, by: Side | None = None) -> tuple[Propose, ...]:
    """Return the message to the table's clock; none where no clock adjudicates this challenge.

    ``made`` is the log's entry. ``by`` is who concedes, on this screen: at the clock the sides may be the other way round, the roles are not.
    """
    # A correction has to name what the clock may have taken.
    may_stand = flow.sent is not None and flow.sent.answer in (ClockAnswer.TAKEN, ClockAnswer.WAITING, ClockAnswer.SILENT)
    before = flow.sent if flow.link is not None and may_stand else None
    to = before.to if before is not None else flow.clock_challenge or (None if flow.facts is None else flow.facts.challenge)
    if to is None:
        return ()
    conceder = None if by is None else to.challenger if by is flow.challenger else to.challenger.other
    replaces = None if before is None or do != "verdict" else before.id
    lexicon = None if made.lexicon is None else made.lexicon.sha256
    return (Propose(to, do, made.acceptable, conceder, len(made.words) or flow.count, made.words, lexicon, row, replaces),)


def _told(flow: Flow, facts: TableFacts | NoFacts, at: int) -> Flow:
    if isinstance(facts, NoFacts):
        asked = unheard(flow)
        return with_notice(asked, "two_clocks", table=flow.table or 0) if facts is NoFacts.AMBIGUOUS and asked.step is Step.TABLE else asked
    called = facts.called and not (flow.facts is not None and flow.facts.called)
    flow = flow.replace(facts=facts)
    if called and flow.step is not Step.IDLE:
        flow = with_notice(flow, "clock_calls")
    if flow.step is not Step.TABLE or flow.question not in _WAITS:
        return flow
    return flow.replace(question=Question.RUNS) if facts.running else _known(flow, facts, at)


def _known(flow: Flow, facts: TableFacts, at: int) -> Flow:
    """Return the flow with what a clock that stands has told, at the first question that is left."""
    flow = without_lapsed(flow, at)
    challenge = facts.challenge
    if _is_last(flow, challenge):
        return flow.replace(question=Question.REPEAT)
    if challenge is None:
        return flow.replace(question=Question.CHALLENGER)
    known = flow.replace(challenger=challenge.challenger, last_play=facts.last_play, from_clock=True, clock_challenge=challenge)
    return written(known, known.words or ((),), at)


def _is_last(flow: Flow, challenge: ClockChallenge | None) -> bool:
    """Return whether the players may have come about their last challenge: their clock adjudicates that one, or none."""
    before, verdict = of_table(flow.open, flow.table), of_table(flow.verdicts, flow.table)
    known = (None if before is None or before.sent is None else before.sent.to, None if verdict is None else verdict.to)
    return has_last(flow) if challenge is None else challenge in known


def _answered(flow: Flow, name: str, reason: str | None) -> Flow:
    sent = flow.sent
    if sent is None or sent.id != name:
        # The players have left: what the clock says stands on the clock.
        return flow.replace(
            open=tuple(
                each.replace(sent=_with(each.sent, reason)) if each.sent is not None and each.sent.id == name else each
                for each in flow.open
            )
        )
    answered = _with(sent, reason)
    return flow.replace(sent=answered, open=_noted(flow, answered))


def _with(sent: SentVerdict, reason: str | None) -> SentVerdict:
    return sent.replace(answer=ClockAnswer.TAKEN if reason is None else ClockAnswer.REFUSED, reason=reason or "")


def _noted(flow: Flow, sent: SentVerdict) -> tuple[Open, ...]:
    return tuple(each.replace(sent=sent) if each.table == flow.table else each for each in flow.open)


COUNTDOWN_NS: Final = 10 * NS
"""The last part of a page's time, which every page counts down: a page for input starts its time anew with each touch, so more would only distract."""

FlowTransition: TypeAlias = tuple[Flow, tuple[Effect, ...]]

READ: Final = (Step.VERDICT, Step.SHOWN_AGAIN, Step.CLOSED, Step.DIRECTOR)
_TYPING: Final = (Step.TABLE, Step.WORDS, Step.CHECKING)


def tick(flow: Flow, at: int) -> FlowTransition:
    at = max(at, flow.since)
    now = _silent(without_lapsed(flow, at), at)
    asks, due = asks_at(now), clears_at(now)
    if due is not None and at >= due:
        return cleared(now, at)
    return (now if asks is None or at < asks else now.replace(still_there=True)), ()


def asks_at(flow: Flow) -> int | None:
    """Return when (ns) the screen asks whether anybody is still there; None: players would lose nothing, so it clears without asking.

    Both players may be at their board to compare the words, which takes longer than any other page.
    """
    limits, repeats = flow.context.limits, flow.step in _TYPING and flow.link is not None
    # Players would lose words, or the repeat that they asked for with a verdict.
    asks = has_words(flow) or repeats
    return flow.touched + max(limits.words_s * NS, limits.idle_s * NS, limits.director_s * NS if flow.calling else 0) if asks else None


def clears_at(flow: Flow) -> int | None:
    """Return when (ns) the screen clears itself; None: there is nothing to clear, or the shell is looking the words up."""
    limits, asks = flow.context.limits, asks_at(flow)
    if asks is not None:
        return asks + limits.still_there_s * NS
    if flow.calling:
        return flow.touched + limits.director_s * NS
    match flow.step:
        case Step.IDLE:
            touched = flow.helping or flow.notice is not None or flow.language != flow.context.language
            return flow.touched + limits.idle_s * NS if touched else None
        case Step.JUDGING:
            return None
        case Step.VERDICT | Step.SHOWN_AGAIN:
            return flow.since + limits.verdict_s * NS
        case Step.DIRECTOR:
            return flow.since + limits.director_s * NS
        case Step.TABLE | Step.WORDS | Step.CHECKING | Step.CLOSED:
            # From the last touch only: what returns after a visit to the director's door has been on the screen before.
            return flow.touched + limits.idle_s * NS


def next_due(flow: Flow, now: int) -> int | None:
    """Return when (ns) the state next changes by itself, or the countdown after ``now``; None: never.

    The result is in the past if ``tick`` is overdue.
    """
    instants = [*(each.until for each in flow.open), *(each.until for each in flow.verdicts)]
    if flow.step is Step.TABLE and flow.question is Question.REPEAT:
        # The page shows for how long each may still be done.
        instants += [
            next_second(each.until, now)
            for each in (of_table(flow.open, flow.table), of_table(flow.verdicts, flow.table))
            if each is not None and each.until > now
        ]
    ends, counts = counted_to(flow), None
    if ends is not None and ends > now:
        counts = next_second(ends, now) if _counts_all(flow) else next_of_last(ends, now)
    waits = (due(flow), None if flow.still_there else asks_at(flow), clears_at(flow), counts)
    return min((*instants, *(each for each in waits if each is not None)), default=None)


def next_second(ends: int, now: int) -> int:
    """Return when (ns), after ``now``, a count of whole seconds down to ``ends`` next changes."""
    return ends - (ends - now - 1) // NS * NS


def next_of_last(ends: int, now: int) -> int:
    """Return when (ns), after ``now``, ``last_seconds`` next changes."""
    return max(ends - COUNTDOWN_NS, next_second(ends, now))


def last_seconds(ends: int, now: int) -> int | None:
    """Return the seconds from ``now`` to ``ends`` (ns), rounded up; None: it is not the last part yet."""
    return None if ends - now > COUNTDOWN_NS else max(0, seconds_shown(ends - now))


def countdown(flow: Flow, now: int) -> int | None:
    """Return the seconds that the page shows at ``now`` (ns) until it lapses, rounded up; None: it shows none."""
    ends = counted_to(flow)
    if ends is None:
        return None
    return max(0, seconds_shown(ends - now)) if _counts_all(flow) else last_seconds(ends, now)


def counted_to(flow: Flow) -> int | None:
    """Return the instant (ns) to which the page counts down: when it clears, or a call gives way to ``Still there?``; None: it shows no countdown."""
    asks = None if flow.still_there else asks_at(flow)
    if asks is None:
        return clears_at(flow)
    return asks if flow.calling else None


def _counts_all(flow: Flow) -> bool:
    """Return whether the page is only read, and so counts down all its time."""
    return flow.still_there or flow.calling or flow.step in READ


def has_words(flow: Flow) -> bool:
    return flow.step in _TYPING and any(flow.words)


def cleared(flow: Flow, at: int) -> FlowTransition:
    """Return the idle flow at ``at`` (ns), without any trace of the challenge, and a log row for unjudged words."""
    return idle(flow, at), aborted(flow)


def idle(flow: Flow, at: int) -> Flow:
    """Return the idle flow at ``at`` (ns); only the context, what tables may do about their last challenges, and the hall remain."""
    station = flow.station
    return Flow(
        station,
        since=at,
        touched=at,
        language=station.language,
        open=flow.open,
        verdicts=flow.verdicts,
        linked=flow.linked,
        joins=flow.joins,
    )


def aborted(flow: Flow) -> tuple[Effect, ...]:
    """Return the row for words that were typed and abandoned; none if there are no words: an abandoned table number does not matter."""
    return (WriteEntry(entry(flow, Kind.ABORTED)),) if has_words(flow) else ()
