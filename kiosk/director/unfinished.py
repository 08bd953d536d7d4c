"""The manual adjudication that a power cut interrupted between two judges, restored from the last rows of the log.

A ruling is logged before it is shown; no row says that it was shown, or that no review was wanted. So the adjudication may in fact be over: like any
play that waits for a judge, it waits at the desk without a verdict, and expires.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final, TypeAlias

from game.challenge_log.entry import Entry, Kind
from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import TypedWord
from kiosk.director.opinion import Opinion
from kiosk.director.review import Ruling, Seat, next_seat, signature
from rules.side import Side

LAST: Final = 20
"""Enough rows for two judges' verdicts and the rows of repeated starts."""

Numbered: TypeAlias = tuple[int, Entry]
"""A row's number and entry."""

_BY_ITSELF: Final = (Kind.STARTED, Kind.REFUSED)
"""Rows that do not end an adjudication. Not STOPPED: before a normal end, the program closes the desk, so that nothing is unfinished."""
_PIECE: Final = re.compile(r"\[[^\]]+\]|.")


def unfinished(rows: Sequence[Numbered], context: StationContext, until: int) -> Opinion | None:
    """Return the play that waits for its next judge; None: the last rows are about something else, or the ruling is final.

    Args:
        rows: the last rows of the log, newest first.
        context: the station's; adjudications under another rulebook than the table's are not restored.
        until: the instant (ns) of its expiry.
    """
    chain = tuple(_chain(tuple(dropwhile(lambda row: row[1].kind in _BY_ITSELF, rows))))[::-1]
    rulings = tuple(ruling for _, ruling in chain)
    if not chain or rulings[0].seat is not Seat.FIRST:
        return None
    first = chain[0][0]
    rulebook = context.of_table(first.table).rulebook
    if first.table is None or first.rulebook != rulebook.id or next_seat(rulebook.challenge, rulings) is None:
        return None
    side = next((side for side in Side if str(side) == first.challenger), None)
    return Opinion(first.table, side, tuple(map(_word, first.words)), first.first, until, rulings, first.last_play)


def _chain(rows: Sequence[Numbered]) -> Iterator[tuple[Entry, Ruling]]:
    """Yield the rulings of the newest row's adjudication, newest first; nothing if that row is not a judge's."""
    newest = _ruling(*rows[0]) if rows else None
    if newest is None:
        return
    number, entry = rows[0]
    begun = number if newest.seat is Seat.FIRST else entry.first
    for row in rows:
        ruling = _ruling(*row)
        if ruling is not None and begun in (row[0], row[1].first):
            yield row[1], ruling


def _ruling(row: int, entry: Entry) -> Ruling | None:
    by = signature(entry.why) if entry.kind is Kind.MANUAL else None
    return None if by is None or entry.acceptable is None else Ruling(*by, entry.acceptable, row)


def _word(text: str) -> TypedWord:
    """Return a word as typed from the text that was looked up: brackets surround one tile."""
    return tuple(_PIECE.findall(text))
