"""Reading the file of a station's log: its rows, and whether they are whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.clocks import Stamp
from appliance.records import rows as chains
from appliance.records import sqlite as disk
from appliance.records.chain import ChainLink
from appliance.records.rows import MAX_SEQ, MarkedEnd, stored
from game.challenge_log.entry import Entry, Kind
from game.challenge_log.row import LOG, DamagedLog, LogError, NoLog, Row, decode

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
        return tuple(stored(connection, Row, "WHERE seq < ? ORDER BY seq DESC LIMIT ?", MAX_SEQ if before is None else before, limit))


def entry_of(link: ChainLink[Row]) -> Entry:
    """Return the entry of a row; raises ``DamagedLog`` for one that this program does not write."""
    return decode(link.row.kind, link.row.table, link.row.body)


def rows_from(connection: sqlite3.Connection, first: int) -> Iterator[ChainLink[Row]]:
    """Yield the rows with ``seq`` from ``first`` up."""
    return stored(connection, Row, "WHERE seq >= ? ORDER BY seq", first)


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


verify: Final = partial(chains.verify, end=read_mark, program="the station")
"""Returns the result for the chain from a row (1) to the end; ``rows`` counts from row 1. Never raises for a damaged log."""
