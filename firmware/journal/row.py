"""The rows of the journal as values, and which rows a change of a game's record makes.

The pure half of writing: ``rows_of`` turns two records into rows, ``writer`` gives them their place in the file. ``at`` is an instant of the timeline the game lives
on, in ns: CLOCK_MONOTONIC in a boot without interruption, continued from the last durable mark after one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from firmware.core import events
from firmware.core.event_json import word_event
from firmware.core.record import Record, changes
from firmware.core.show_json import shown
from firmware.journal.body import encode
from rules.duration import format_seconds

DIRECTORS: Final = (events.Adjust, events.EraseOvertime, events.Swap, events.Undo, events.Reopen, events.NewGame)
"""The director's events: kept with what both players saw before and after."""


class Kind(StrEnum):
    """What a row says."""

    EVENT = "event"
    TAKEN_BACK = "taken_back"
    BOOT = "boot"
    STOPPED = "stopped"
    RECOVERED = "recovered"
    CONFIRMED = "confirmed"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Stamp:
    """One instant on every clock there is: timeline and CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    at: int
    mono: int
    boot: str
    wall: str


@dataclass(frozen=True, slots=True)
class Row:
    """What happened; its place in the file and its hash come with writing it."""

    kind: str
    game: int
    """The running number of the game in this journal; 0 before the first."""
    number: int | None
    """The event's number; an event with a number already written replaces that one."""
    at: int
    mono: int
    boot: str
    wall: str
    body: str
    """A JSON object; an event's has the keys of a script's line."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row as it stands in the file."""

    seq: int
    row: Row
    hash: str


def rows_of(old: Record | None, new: Record, game: int, stamp: Stamp) -> tuple[Row, ...]:
    """Return the rows that take a journal from ``old`` to ``new``; they belong in one ``put``.

    To be called after each single operation of the record (``begin``, ``accept``, ``take_back``): recovery does the same operations again, row by row.

    Args:
        old: the record before; None, or the previous game's, where ``new`` has just begun.
        new: the record now.
        game: the running number of the game of ``new``.
        stamp: now.
    """
    same = old if _same_game(old, new) else None
    gone, links = changes(same, new)
    rows = [_event_row(link, old, game, stamp) for link in links]
    # After the event that made them impossible, and oldest first: taken back in that order, each takes with it what it took with it live.
    ordered = [] if same is None or not gone else [link.number for link in same if link.number in gone][::-1]
    return (*rows, *(row_of(Kind.TAKEN_BACK, game, stamp, {}, number=number) for number in ordered))


def row_of(kind: Kind, game: int, stamp: Stamp, body: Mapping[str, Any], number: int | None = None) -> Row:
    """Return a row of another kind than an event's: ``body`` holds whatever is worth reading later, as JSON values."""
    return Row(kind.value, game, number, stamp.at, stamp.mono, stamp.boot, stamp.wall, encode(body))


def _same_game(old: Record | None, new: Record) -> bool:
    return new.before is not None or old is None or any(link is new for link in old)


def _event_row(link: Record, old: Record | None, game: int, stamp: Stamp) -> Row:
    fields = word_event(link.event)
    if isinstance(link.event, events.NewGame) and link.event.rulebook.text is not None:
        fields["rulebook_text"] = link.event.rulebook.text
    body = encode(fields, _faces(link, old))
    # The kernel's stamp of the edge, not the moment of writing.
    mono = stamp.mono - (stamp.at - link.at)
    return Row(Kind.EVENT.value, game, link.number, link.at, mono, stamp.boot, stamp.wall, body)


def _faces(link: Record, old: Record | None) -> dict[str, str]:
    """Return what stood on the display before and after a director's event, as JSON."""
    if not isinstance(link.event, DIRECTORS):
        return {}
    before = old if isinstance(link.event, events.Undo | events.NewGame) else link.before
    faces = {} if before is None else {"before": _shown_at(before, link.at)}
    return {**faces, "after": _shown_at(link, link.at)}


def _shown_at(record: Record, at: int) -> str:
    start = min(link.at for link in record)
    return shown(record.game_at(at), at, format_seconds(at - start))
