"""The rows of the journal as values, and the rows that record a change of a game.

This is the pure half of writing: ``rows_of`` compares two records, ``writer`` appends the rows. ``at`` is an instant of the game's timeline in
ns: CLOCK_MONOTONIC within a boot, continued from the last durable mark after an interruption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from game import events
from game.event_json import format_event
from game.journal.body import encode
from game.record import Record, changes
from game.show_json import show_line
from rules.duration import format_seconds

WITH_FACES: Final = (
    events.Adjust,
    events.EraseOvertime,
    events.Points,
    events.ChangeRulebook,
    events.Swap,
    events.Undo,
    events.Reopen,
    events.NewGame,
)
"""The events that change what is recorded of a game, most of them the director's: their rows include the face before and after."""


class Kind(StrEnum):
    """The kind of a row."""

    EVENT = "event"
    TAKEN_BACK = "taken_back"
    BOOT = "boot"
    STOPPED = "stopped"
    RECOVERED = "recovered"
    CONFIRMED = "confirmed"
    NOTE = "note"
    DOOR = "door"
    """A code was tried at the director's door."""
    SIGNED = "signed"
    """The clock's key has signed the head of an earlier row."""
    PROPOSAL = "proposal"
    """A message of the hall was accepted or refused."""
    ASSIGNED = "assigned"
    """The desk has given table and names."""


@dataclass(frozen=True, slots=True)
class GameStamp:
    """One instant on all clocks: timeline and CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    at: int
    mono: int
    boot: str
    wall: str


@dataclass(frozen=True, slots=True)
class Row:
    """The content of a row; ``seq`` and hash are assigned on writing."""

    kind: str
    game: int
    """The number of the game in this journal; 0 before the first."""
    number: int | None
    """The event's number; an event with a number already written replaces that event."""
    at: int
    mono: int
    boot: str
    wall: str
    body: str
    """A JSON object; an event's has the keys of a script line."""


def rows_of(old: Record | None, new: Record, game: int, stamp: GameStamp) -> tuple[Row, ...]:
    """Return the rows that take a journal from ``old`` to ``new``, as one batch.

    Call this after each single operation on the record (``begin``, ``accept``, ``take_back``), because recovery repeats them row by row.

    Args:
        old: the record before; None, or the previous game's record, if ``new`` has just begun.
        new: the record now.
        game: the number of the game of ``new``.
        stamp: now.
    """
    same = old if _same_game(old, new) else None
    removed, links = changes(same, new)
    rows = [_event_row(link, old, game, stamp) for link in links]
    # After the event that made them impossible, and oldest first: folding in that order drops the same events as live.
    ordered = [] if same is None or not removed else [link.number for link in same if link.number in removed][::-1]
    return (*rows, *(row_of(Kind.TAKEN_BACK, game, stamp, {}, number=number) for number in ordered))


def row_of(kind: Kind, game: int, stamp: GameStamp, body: Mapping[str, Any], number: int | None = None) -> Row:
    """Return a row that is not an event's; ``body`` holds JSON values."""
    return Row(kind.value, game, number, stamp.at, stamp.mono, stamp.boot, stamp.wall, encode(body))


def _same_game(old: Record | None, new: Record) -> bool:
    return new.before is not None or old is None or any(link is new for link in old)


def _event_row(link: Record, old: Record | None, game: int, stamp: GameStamp) -> Row:
    fields = format_event(link.event, link.given_by)
    if isinstance(link.event, events.NewGame | events.ChangeRulebook) and link.event.rulebook.text is not None:
        fields["rulebook_text"] = link.event.rulebook.text
    body = encode(fields, _faces(link, old))
    # The instant of the edge, not of writing.
    mono = stamp.mono - (stamp.at - link.at)
    return Row(Kind.EVENT.value, game, link.number, link.at, mono, stamp.boot, stamp.wall, body)


def _faces(link: Record, old: Record | None) -> dict[str, str]:
    """Return the face before and after one of ``WITH_FACES``, as JSON."""
    if not isinstance(link.event, WITH_FACES):
        return {}
    before = old if isinstance(link.event, events.Undo | events.NewGame) else link.before
    faces = {} if before is None else {"before": _shown_at(before, link.at)}
    return {**faces, "after": _shown_at(link, link.at)}


def _shown_at(record: Record, at: int) -> str:
    start = min(link.at for link in record)
    return show_line(record.game_at(at), at, format_seconds(at - start))
