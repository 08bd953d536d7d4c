"""Taking back what a stroke has done, or putting another event in its place, under the same number."""

from __future__ import annotations

from firmware.gestures.stroke import Stroke
from game import events
from game.game import EventNotAllowed
from game.record import Fate, Record, accept, take_back


def undone(record: Record, stroke: Stroke) -> Record:
    """Return the record without what ``stroke`` has done."""
    if stroke.made is not None and stroke.made[1] is record:
        return stroke.made[0]
    return taken_back(record, stroke.numbers)


def taken_back(record: Record, numbers: tuple[int, ...]) -> Record:
    """Return the record without the events of ``numbers``; those that are gone already, or cannot be missed, stay as they are."""
    for number in reversed(numbers):
        try:
            record = take_back(record, number, None)
        except EventNotAllowed:
            continue
    return record


def put_instead(record: Record, numbers: tuple[int, ...], event: events.GameEvent, at: int) -> tuple[Record, tuple[int, ...]]:
    """Return the record with ``event`` at ``at`` (ns) in place of the events of ``numbers``, and its number; unchanged where it is refused."""
    standing = tuple(number for number in numbers if (link := record.find(number)) is not None and link.fate is Fate.VALID)
    try:
        if not standing:
            added = accept(record, event, at)
            return added, (added.highest,)
        first, *rest = standing
        return take_back(taken_back(record, tuple(rest)), first, (event, at)), (first,)
    except EventNotAllowed:
        return record, numbers
