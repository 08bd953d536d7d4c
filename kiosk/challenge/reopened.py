"""Challenges that may still be repeated, found again in the last rows of the log: a station that lost its power has not lost the ten minutes of a table that mistyped.

The pure half: from rows to what is open. How long ago a row was written is the shell's to say, for only it knows the clocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kiosk.challenge.context import Limits
from kiosk.challenge.entry import Entry, Kind
from kiosk.challenge.flow import Open
from kiosk.challenge.repeats import still_open
from rules.side import Side

LAST: Final = 200
"""So many rows are enough for ten minutes of the busiest station."""


@dataclass(frozen=True, slots=True)
class Aged:
    """A row of the log, and how long ago it was written (ns)."""

    number: int
    entry: Entry
    age: int


def reopened(rows: Sequence[Aged], limits: Limits, at: int) -> tuple[Open, ...]:
    """Return what may be repeated at ``at`` (ns), as the flow had it.

    Args:
        rows: the last rows of the log, the oldest first.
        limits: how long a challenge may be repeated, and how often.
        at: the station's start, ns.
    """
    open_: dict[int, Open] = {}
    for row in rows:
        table = row.entry.table
        if table is not None:
            now = _after(open_.pop(table, None), row, table, at + limits.repeat_ns - row.age)
            if now is not None and now.repeats < limits.repeats:
                open_[table] = now
    return still_open(tuple(open_.values()), at)


def _after(before: Open | None, row: Aged, table: int, until: int) -> Open | None:
    """Return what is open of the table after ``row``; what only tells of a challenge that came to nothing changes nothing."""
    entry, side = row.entry, next((side for side in Side if str(side) == row.entry.challenger), None)
    match entry.kind:
        case Kind.LOOKUP if entry.acceptable is not None and side is not None:
            return Open(table, side, len(entry.words), row.number, 0, until)
        case Kind.REPEAT if entry.acceptable is not None:
            return None if before is None else replace(before, repeats=before.repeats + 1)
        case Kind.CONCEDED:
            return None
        case _:
            return before
