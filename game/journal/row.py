"""The rows of the journal as values, and the rows that record a change of a game.

This is the pure half of writing: ``rows_of`` compares two records, ``writer`` appends the rows. ``at`` is an instant of the game's timeline in
ns: CLOCK_MONOTONIC within a boot, continued from the last durable mark after an interruption.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from enum import StrEnum
from itertools import takewhile
from typing import Any, Final

from msgspec import Struct

from appliance.records.chain import GENESIS, chained
from appliance.records.sqlite import Schema, append_only
from faults.errors import TileclockError
from game import events
from game.event_table import EVENTS, format_event
from game.exact_json import encode
from game.history import History
from game.script import show_line
from rules.duration import format_seconds


class JournalError(TileclockError):
    """The journal cannot be used as requested."""


class NoJournal(JournalError, FileNotFoundError):
    """No journal exists at that path."""


class DamagedJournal(JournalError, ValueError):
    """The file exists but is not a readable journal."""


class AnotherEdition(JournalError, ValueError):
    """The journal has a game that was recorded under another edition of the events, or under none."""


class NoSuchGame(JournalError, LookupError):
    """The journal has no game of that number."""


WITH_FACES: Final = tuple(spec.kind for spec in EVENTS if spec.shows_face)


class Kind(StrEnum):
    """The kind of a row."""

    EVENT = "event"
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


class GameStamp(Struct, frozen=True):
    """One instant on all clocks: timeline and CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    at: int
    mono: int
    boot: str
    wall: str


class Row(Struct, frozen=True):
    """The content of a row, a field for each column; ``seq`` and hash are assigned on writing."""

    kind: str
    game: int
    """The number of the game in this journal; 0 before the first."""
    number: int | None
    """The event's number, its place in the game from 1."""
    at: int
    mono: int
    boot: str
    wall: str
    body: str
    """A JSON object; an event's has the keys of a script line."""


def rows_of(old: History | None, new: History, game: int, stamp: GameStamp) -> tuple[Row, ...]:
    """Return the rows of the events that ``new`` has after ``old``, as one batch; all of them where ``old`` is None or another game's."""
    links = list(takewhile(lambda link: link is not old, new))[::-1]
    return tuple(_event_row(link, old, game, stamp) for link in links)


def row_of(kind: Kind, game: int, stamp: GameStamp, body: Mapping[str, Any], number: int | None = None) -> Row:
    """Return a row that is not an event's; ``body`` holds JSON values."""
    return Row(kind.value, game, number, stamp.at, stamp.mono, stamp.boot, stamp.wall, encode(body))


def _event_row(link: History, old: History | None, game: int, stamp: GameStamp) -> Row:
    fields = format_event(link.event, link.given_by)
    if isinstance(link.event, events.NewGame | events.ChangeRulebook) and link.event.rulebook.text is not None:
        fields["rulebook_text"] = link.event.rulebook.text
    body = encode(fields, _faces(link, old))
    # The instant of the edge, not of writing.
    mono = stamp.mono - (stamp.at - link.at)
    return Row(Kind.EVENT.value, game, link.number, link.at, mono, stamp.boot, stamp.wall, body)


def _faces(link: History, old: History | None) -> dict[str, str]:
    """Return the face before and after one of ``WITH_FACES``, as JSON; before a new game, that of the game ``old``."""
    if not isinstance(link.event, WITH_FACES):
        return {}
    before = link.before or old
    faces = {} if before is None else {"before": _shown_at(before, link.at)}
    return {**faces, "after": _shown_at(link, link.at)}


def _shown_at(history: History, at: int) -> str:
    return show_line(history.game_at(at), at, format_seconds(at - history.first.at))


def seal(stamp: GameStamp, game: int, seq: int, head: str, commit_ns: int) -> str:
    """Return the hash of the durable mark, which is not a row: it reveals a flipped bit there too."""
    return chained(head, [stamp.at, stamp.mono, stamp.boot, stamp.wall, game, seq, commit_ns])


NEVER: Final = GameStamp(0, 0, "", "")
"""The stamp of a mark that was never set."""

_TABLES: Final = (
    """CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, game INTEGER NOT NULL, number INTEGER, at INTEGER NOT NULL, mono INTEGER NOT NULL,
    boot TEXT NOT NULL, wall TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
) STRICT""",
    """CREATE TABLE mark (
    id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL, mono INTEGER NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
    game INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, commit_ns INTEGER NOT NULL, seal TEXT NOT NULL
) STRICT""",
    *append_only("the journal"),
)

JOURNAL: Final = Schema("a journal", application_id=0x54434C4B, version=1, tables=_TABLES)
"""Its application id is ``TCLK``."""


def fill(connection: sqlite3.Connection) -> None:
    """Write the initial mark of an empty journal."""
    mark = (NEVER.at, NEVER.mono, NEVER.boot, NEVER.wall, 0, 0, GENESIS, 0, seal(NEVER, 0, 0, GENESIS, 0))
    connection.execute("INSERT INTO mark VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", mark)
