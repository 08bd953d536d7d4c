"""What a table may still do about its last challenge: repeat it because a word was mistyped (2017 IV.J.1.j), and see its verdict once more.

A challenge is open from its first verdict until its time is up, its repeats are used, or another challenge of its table has a result. It is known by
words and challenger, without verdict. A repeat corrects a slip of the fingers (``writing.slips``). A verdict is known with what follows, and without words, until its time is up, it has been
shown once more, the table's play has another result, or a word judge is asked about it.

A power cut takes neither: both are restored from the last rows of the log. The shell supplies the age of each row, because only it knows the clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from kiosk.challenge.flow import EarlierRow, Flow, LastVerdict, Open, Step, with_notice
from kiosk.challenge.writing import log_text
from kiosk.context import FlowSettings, JudgedBy, Value
from kiosk.effects import consequence
from records.entry import Entry, Kind
from rules.duration import NS
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
    """A row of the log with its age (ns)."""

    number: int
    entry: Entry
    age: int


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
