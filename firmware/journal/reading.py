"""Reading a journal without touching it: while the clock writes to it, or long after."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from appliance.records import reading as disk
from firmware.journal.errors import DamagedJournal, JournalError, NoJournal
from firmware.journal.row import Kind, Row, Stamp, StoredRow
from firmware.journal.schema import JOURNAL

_COLUMNS: Final = "seq, kind, game, number, at, mono, boot, wall, body, hash"
_REFUSALS: Final = disk.Refusals(NoJournal, DamagedJournal, JournalError)


@dataclass(frozen=True, slots=True)
class Mark:
    """The durable mark: how far time is known, and the last row that was written with or before it."""

    stamp: Stamp
    game: int
    """The game that was on the clock when the mark was set."""
    seq: int
    hash: str
    commit_ns: int
    """By how much the next mark may be late (``lateness``). The column has its name from programs that kept the last commit's duration there."""
    seal: str


def reading(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Give a read-only connection to the journal at ``path``, in one consistent state, and close it afterwards.

    Raises:
        NoJournal: there is no such file.
        DamagedJournal: it is no journal, or a broken one.
        JournalError: it cannot be read here and now, or is of another version.
    """
    return disk.reading(path, JOURNAL, _REFUSALS)


def rows_from(connection: sqlite3.Connection, first: int) -> Iterator[StoredRow]:
    """Yield the rows with ``seq`` from ``first`` up."""
    return map(_kept, connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE seq >= ? ORDER BY seq", (first,)))  # noqa: S608 - our own column names


def rows_of_game(connection: sqlite3.Connection, game: int) -> tuple[StoredRow, ...]:
    """Return the rows of one game, oldest first."""
    found = connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE game = ? ORDER BY seq", (game,))  # noqa: S608 - our own column names
    return tuple(map(_kept, found))


def notes_since(connection: sqlite3.Connection, wall: str) -> Iterator[StoredRow]:
    """Yield the notes that were kept at ``wall`` (UTC, ISO 8601) or later by the clock on the wall, oldest first."""
    found = connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE kind = ? AND wall >= ? ORDER BY seq", (Kind.NOTE.value, wall))  # noqa: S608 - our own column names
    return map(_kept, found)


def games(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Return the running numbers of the games that have events."""
    found = connection.execute("SELECT DISTINCT game FROM rows WHERE kind = ? ORDER BY game", (Kind.EVENT.value,))
    return tuple(number for (number,) in found)


def last_game_begins(connection: sqlite3.Connection) -> int | None:
    """Return the ``seq`` of the row that began the last game, or None before the first.

    Read off its event number, not the game's: a damaged row then makes the stretch longer or is in it, and is noticed either way.
    """
    (seq,) = connection.execute("SELECT max(seq) FROM rows WHERE kind = ? AND number = 1", (Kind.EVENT.value,)).fetchone()
    return None if seq is None else int(seq)


def read_mark(connection: sqlite3.Connection) -> Mark | None:
    """Return the durable mark, or None where its row is missing."""
    found = connection.execute("SELECT at, mono, boot, wall, game, seq, hash, commit_ns, seal FROM mark").fetchone()
    return None if found is None else Mark(Stamp(*found[:4]), *found[4:])


def _kept(found: tuple[Any, ...]) -> StoredRow:
    return StoredRow(found[0], Row(*found[1:9]), found[9])
