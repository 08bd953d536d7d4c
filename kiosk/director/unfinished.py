"""The manual adjudication that a loss of power cut short between two judges, found again in the last rows of the log.

A ruling is in the log before anybody is told of it; that it was told, or that nobody wanted it reviewed, is in no row. So what is found may be over: it waits at
the desk like any play that a judge is asked for, shows no verdict, and is forgotten like those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final, TypeAlias

from kiosk.challenge.entry import Entry, Kind
from kiosk.challenge.flow import Word
from kiosk.director.opinion import Opinion
from kiosk.director.review import Ruling, Seat, next_seat, signature
from rules.rulebooks.model import Rulebook
from rules.side import Side

LAST: Final = 20
"""So many rows are enough: two judges' verdicts, and what a station that starts again and again has to say."""

Numbered: TypeAlias = tuple[int, Entry]
"""A row's number, and what it keeps."""

_BY_ITSELF: Final = (Kind.STARTED, Kind.REFUSED)
"""Rows with which the desk goes on to nothing else. Not STOPPED: a program that ends in good order leaves the desk first, and nothing is unfinished."""
_PIECE: Final = re.compile(r"\[[^\]]+\]|.")


def unfinished(rows: Sequence[Numbered], rulebook: Rulebook, until: int) -> Opinion | None:
    """Return the play that waits for its next judge; None where the last rows are of something else, or the ruling is final.

    Args:
        rows: the last rows of the log, the newest first.
        rulebook: the one in force; under another one nothing is taken up.
        until: the instant (ns) at which it is to be forgotten.
    """
    chain = tuple(_chain(tuple(dropwhile(lambda row: row[1].kind in _BY_ITSELF, rows))))[::-1]
    rulings = tuple(ruling for _, ruling in chain)
    if not chain or rulings[0].seat is not Seat.FIRST:
        return None
    first = chain[0][0]
    if first.table is None or first.rulebook != rulebook.id or next_seat(rulebook.challenge, rulings) is None:
        return None
    side = next((side for side in Side if str(side) == first.challenger), None)
    return Opinion(first.table, side, tuple(map(_word, first.words)), first.first, until, rulings)


def _chain(rows: Sequence[Numbered]) -> Iterator[tuple[Entry, Ruling]]:
    """Yield the rulings of the newest row's adjudication, the newest first; nothing where that row is no judge's."""
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


def _word(text: str) -> Word:
    """Return a word as it was typed from how it was looked up: what stands in brackets was one tile."""
    return tuple(_PIECE.findall(text))
