"""What tables may still do about their last challenges, restored from the last rows of the log: repeat a mistyped one, or see its verdict once more.

So a power cut takes neither. This is the pure half, from rows to open challenges and verdicts. The shell supplies the age of each row, because only it knows the clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from game.challenge_log.entry import Entry, Kind
from kiosk.challenge.consequence import consequence
from kiosk.challenge.context import JudgedBy, Limits
from kiosk.challenge.flow import LastVerdict, Open
from kiosk.challenge.repeats import SHOWN_NS, still_open
from rules.side import Side

_LOOKED_UP: Final = (Kind.LOOKUP, Kind.REPEAT, Kind.SECOND_OPINION)
_SETTLES: Final = (Kind.CONCEDED, Kind.OPINION_ASKED)
"""Rows without a verdict that leave none to show; so does a word judge's verdict, and one that was shown again."""
LAST: Final = 200
"""Enough rows for ten minutes of the busiest station."""


@dataclass(frozen=True, slots=True)
class Aged:
    """A row of the log with its age (ns)."""

    number: int
    entry: Entry
    age: int


def reopened(rows: Sequence[Aged], limits: Limits, at: int, by: Callable[[Entry], JudgedBy | None]) -> tuple[Open, ...]:
    """Return the challenges that may be repeated at ``at`` (ns), as the flow had them.

    Args:
        rows: the last rows of the log, oldest first.
        limits: how long and how often a challenge may be repeated.
        at: the station's start, ns.
        by: returns the rulebook and the list of a row, or None if one of them is gone.
    """
    open_: dict[int, Open] = {}
    for row in rows:
        table = row.entry.table
        if table is not None:
            now = _after(open_.pop(table, None), row, table, (at + limits.repeat_ns - row.age, by(row.entry)))
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
            return Open(table, side, len(entry.words), row.number, 0, until, entry.last_play, by)
        case Kind.REPEAT if entry.acceptable is not None:
            return None if before is None else replace(before, repeats=before.repeats + 1)
        case Kind.CONCEDED:
            return None
        case _:
            return before
