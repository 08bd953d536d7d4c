"""The table ``rows`` of every file of record: each row has a number (``seq``, from 1) and a ``hash``.

Reads single rows, and verifies all: the hash chain, no gaps, and the durable mark of its end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from appliance.finding import counted
from appliance.records.chain import GENESIS, ChainLink, HashedLink, chained, short
from faults.errors import Phrase

T = TypeVar("T")
MAX_SEQ: Final = 2**63 - 1


def last_of(connection: sqlite3.Connection) -> tuple[int, str] | None:
    """Return number and hash of the last row; None if there is none."""
    found = connection.execute("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
    return None if found is None else (found[0], found[1])


def row_with(connection: sqlite3.Connection, beginning: str) -> int | None:
    """Return the last row whose hash begins with ``beginning``, the head that somebody wrote down; None: there is none. It proves something only in a verified file."""
    (seq,) = connection.execute("SELECT max(seq) FROM rows WHERE substr(hash, 1, ?) = ?", (len(beginning), beginning.lower())).fetchone()
    return None if seq is None else int(seq)


def hash_of(connection: sqlite3.Connection, seq: int) -> str | None:
    """Return the hash of a row; None if there is no such row."""
    found = connection.execute("SELECT hash FROM rows WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else str(found[0])


class ChainFault(Struct, frozen=True):
    """The first wrong row (0: the mark), and what is wrong."""

    seq: int
    meaning: Phrase


class Verified(Struct, frozen=True):
    """The number of intact rows, the hash of the last one, and the fault after it."""

    rows: int
    head: str
    fault: ChainFault | None = None


class MarkedEnd(Struct, frozen=True):
    """The last row according to the durable mark."""

    seq: int
    hash: str


def stored(connection: sqlite3.Connection, content: Callable[..., T], condition: str, *values: object) -> Iterator[ChainLink[T]]:
    """Yield the rows for which ``condition`` of SQL holds, each with what ``content`` makes of its columns between ``seq`` and ``hash``."""
    for seq, *columns, own_hash in connection.execute(f"SELECT * FROM rows {condition}", values):  # noqa: S608 - our own conditions
        if bytes in map(type, (*columns, own_hash)):
            # A flipped bit can turn text into bytes; SQLite checks types only on writing.
            raise sqlite3.DatabaseError(f"row {seq} holds a value that is not text")
        yield ChainLink(seq, content(*columns), own_hash)


def links(connection: sqlite3.Connection, first: int) -> Iterator[HashedLink]:
    """Yield the rows with ``seq`` from ``first`` up, with what their hashes cover: all columns before the hash."""
    for each in stored(connection, lambda *columns: columns, "WHERE seq >= ? ORDER BY seq", first):
        yield ChainLink(each.seq, [each.seq, *each.row], each.hash)


End: TypeAlias = Callable[[sqlite3.Connection], MarkedEnd | ChainFault | None]
"""Returns the durable mark, its fault, or None if there is none. May raise SQLite's errors."""


def verify(connection: sqlite3.Connection, first: int = 1, *, end: End, program: str) -> Verified:
    """Verify the chain from row ``first`` to the end; ``rows`` counts from the very first row. Never raises for a damaged file.

    ``program``: the one that writes the file, for sentences: ``the clock``.
    """
    rows, head = first - 1, _head_before(connection, first)
    try:
        for link in links(connection, first):
            if link.seq != rows + 1:
                return Verified(rows, head, ChainFault(rows + 1, _missing(rows + 1, link.seq - 1)))
            if link.hash != chained(head, link.row):
                meaning = Phrase("row {row} is not what was written: it, or the hash of the row before it, was changed", row=link.seq)
                return Verified(rows, head, ChainFault(link.seq, meaning))
            rows, head = link.seq, link.hash
        # The mark after all rows.
        return Verified(rows, head, _fault_of_end(end(connection), rows, head, program))
    except (sqlite3.Error, TypeError) as error:  # TypeError: a column of another type
        return Verified(
            rows, head, ChainFault(rows + 1, Phrase("row {row} or one after it cannot be read ({error})", row=rows + 1, error=str(error)))
        )


def in_words(found: Verified) -> tuple[str, ...]:
    """Return the result of ``verify`` as sentences, one per line."""
    if found.fault is None:
        return (f"Whole: {counted(found.rows, 'row')}; the hash of the last begins {short(found.head)}.",)
    return (f"Broken: {found.fault.meaning}.", f"Whole up to row {found.rows}, whose hash begins {short(found.head)}.")


def _head_before(connection: sqlite3.Connection, first: int) -> str:
    if first > 1:
        # If it is unreadable, the first row fails verification.
        with suppress(sqlite3.Error):
            return hash_of(connection, first - 1) or GENESIS
    return GENESIS


def _fault_of_end(end: MarkedEnd | ChainFault | None, rows: int, head: str, program: str) -> ChainFault | None:
    if end is None:
        return ChainFault(0, Phrase("the durable mark is missing: rows at the end may have been removed"))
    if isinstance(end, ChainFault):
        return end
    if end.seq > rows:
        return ChainFault(rows + 1, Phrase("{missing}: the durable mark knows of them", missing=_missing(rows + 1, end.seq)))
    if end.seq < rows:
        return ChainFault(
            end.seq + 1,
            Phrase(
                "rows from {row} on were put in without {program}: the durable mark does not know them",
                row=end.seq + 1,
                program=Phrase(program),
            ),
        )
    if end.hash != head:
        return ChainFault(rows, Phrase("the durable mark knows another row {row}: the rows were rewritten", row=rows))
    return None


def _missing(first: int, last: int) -> Phrase:
    return (
        Phrase("row {first} is missing", first=first)
        if first == last
        else Phrase("rows {first} to {last} are missing", first=first, last=last)
    )


class RecordFile(Struct, frozen=True):
    """A kind of file of record, for those who read it."""

    command: str
    """The group of its verbs."""
    reading: Callable[[Path], AbstractContextManager[sqlite3.Connection]]
    verify: Callable[[sqlite3.Connection], Verified]
