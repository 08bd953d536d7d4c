"""Is the journal what was written? The whole chain, no holes, and the mark that knows where it ended."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from firmware.journal.chain import GENESIS, link_hash, seal
from firmware.journal.reading import Mark, hash_of, read_mark, rows_from


@dataclass(frozen=True, slots=True)
class Fault:
    """The first row that is not as it was written (0: the mark), and what that means."""

    seq: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Verified:
    """How many rows hold together, the hash of the last of them, and what is wrong after it."""

    rows: int
    head: str
    fault: Fault | None = None


def verify(connection: sqlite3.Connection, first: int = 1) -> Verified:
    """Return what the chain from row ``first`` to the end is worth; ``rows`` counts from the first row of all. Never raises for a damaged journal."""
    rows, head = first - 1, GENESIS
    try:
        head = head if rows == 0 else hash_of(connection, rows) or head
        for kept in rows_from(connection, first):
            if kept.seq != rows + 1:
                return Verified(rows, head, Fault(rows + 1, _missing(rows + 1, kept.seq - 1)))
            if kept.hash != link_hash(head, kept.seq, kept.row):
                meaning = f"row {kept.seq} is not what was written: it, or the hash of the row before it, was changed"
                return Verified(rows, head, Fault(kept.seq, meaning))
            rows, head = kept.seq, kept.hash
        return Verified(rows, head, _fault_of_mark(read_mark(connection), rows, head))
    except (sqlite3.Error, TypeError) as error:  # TypeError: a column of another type than ours
        return Verified(rows, head, Fault(rows + 1, f"row {rows + 1} or one after it cannot be read ({error})"))


def _fault_of_mark(mark: Mark | None, rows: int, head: str) -> Fault | None:
    if mark is None:
        return Fault(0, "the durable mark is missing: rows at the end may have been removed")
    if mark.seal != seal(mark.stamp, mark.game, mark.seq, mark.hash, mark.commit_ns):
        return Fault(0, "the durable mark is not what was written: how far time is known was changed")
    if mark.seq > rows:
        return Fault(rows + 1, f"{_missing(rows + 1, mark.seq)}: the durable mark knows of them")
    if mark.seq < rows:
        return Fault(mark.seq + 1, f"rows from {mark.seq + 1} on were put in without the clock: the durable mark does not know them")
    if mark.hash != head:
        return Fault(rows, f"the durable mark knows another row {rows}: the rows were written anew")
    return None


def _missing(first: int, last: int) -> str:
    return f"row {first} is missing" if first == last else f"rows {first} to {last} are missing"
