"""Reading the file of a station's log: its rows, and whether they are whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from appliance.clocks import Stamp
from appliance.records import rows as chains
from appliance.records import sqlite as disk
from appliance.records.chain import ChainLink, HashedLink
from appliance.records.rows import Chain, MarkedEnd, Verified
from game.challenge_log.entry import Entry, Kind
from game.challenge_log.row import LOG, BadEntry, DamagedLog, LogError, NoLog, Row, covered, decode

_SELECT: Final = "SELECT seq, kind, mono, boot, wall, station, table_number, body, hash FROM rows"
_REFUSALS: Final = disk.Refusals(NoLog, DamagedLog, LogError)


class DoorRefusals(Struct, frozen=True):
    """How often a wrong PIN was entered since the director's door was last opened, and when last (None: never)."""

    count: int
    last: Stamp | None


def reading(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Return a context manager with a read-only connection to the log at ``path``, in one consistent state.

    Raises:
        NoLog: the file does not exist.
        DamagedLog: it is not a log, or a damaged one.
        LogError: it cannot be read now, or has another version.
    """
    return disk.reading(path, LOG, _REFUSALS)


def rows(path: Path, before: int | None, limit: int) -> tuple[ChainLink[Row], ...]:
    """Return at most ``limit`` rows, newest first: those before row ``before``, or the last ones (None). Raises ``LogError``."""
    with reading(path) as connection:
        return newest(connection, before, limit)


def entry_of(stored: ChainLink[Row]) -> Entry:
    """Return the entry of a row; raises ``DamagedLog`` for one that this program does not write."""
    try:
        return decode(stored.row.kind, stored.row.table, stored.row.body)
    except BadEntry as error:
        raise DamagedLog(expected="what the station writes", found=error.found, remedy="See `tilekiosk log verify`") from error


def newest(connection: sqlite3.Connection, before: int | None, limit: int) -> tuple[ChainLink[Row], ...]:
    """Return at most ``limit`` rows, newest first: those before row ``before``, or the last ones (None)."""
    condition = "" if before is None else " WHERE seq < ?"
    bounds = (limit,) if before is None else (before, limit)
    return tuple(map(_stored_row, connection.execute(f"{_SELECT}{condition} ORDER BY seq DESC LIMIT ?", bounds)))


def rows_from(connection: sqlite3.Connection, first: int) -> Iterator[ChainLink[Row]]:
    """Yield the rows with ``seq`` from ``first`` up."""
    return map(_stored_row, connection.execute(f"{_SELECT} WHERE seq >= ? ORDER BY seq", (first,)))


def read_mark(connection: sqlite3.Connection) -> MarkedEnd | None:
    """Return the last row according to the durable mark, or None if the mark is missing."""
    found = connection.execute("SELECT seq, hash FROM mark").fetchone()
    return None if found is None else MarkedEnd(*found)


def door_refusals(connection: sqlite3.Connection) -> DoorRefusals:
    """Return how often a wrong PIN was entered since the director's door was last opened."""
    (opened,) = connection.execute("SELECT max(seq) FROM rows WHERE kind = ?", (Kind.DOOR_OPENED.value,)).fetchone()
    since = (Kind.DOOR_REFUSED.value, opened or 0)
    count, last = connection.execute("SELECT count(*), max(seq) FROM rows WHERE kind = ? AND seq > ?", since).fetchone()
    if not count:
        return DoorRefusals(0, None)
    return DoorRefusals(count, next(rows_from(connection, last)).row.stamp)


def _stored_row(found: tuple[Any, ...]) -> ChainLink[Row]:
    seq, kind, mono, boot, wall, station, table, body, own_hash = found
    if not all(isinstance(text, str) for text in (kind, boot, wall, station, body, own_hash)):
        # A flipped bit can turn text into bytes; SQLite checks types only on writing.
        raise sqlite3.DatabaseError(f"row {seq} holds a value that is not text")
    return ChainLink(seq, Row(kind, Stamp(mono, boot, wall), station, table, body), own_hash)


def verify(connection: sqlite3.Connection, first: int = 1) -> Verified:
    """Return the result for the chain from row ``first`` to the end; ``rows`` counts from row 1. Never raises for a damaged log."""
    return chains.verify(connection, _CHAIN, first)


def links(connection: sqlite3.Connection, first: int) -> Iterator[HashedLink]:
    """Yield the rows with ``seq`` from ``first`` up, with what their hashes cover."""
    return (ChainLink(stored.seq, covered(stored.seq, stored.row), stored.hash) for stored in rows_from(connection, first))


_CHAIN: Final = Chain(links, read_mark, "the station")
