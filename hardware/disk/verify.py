"""Is a file of record what was written? The chain of its rows, no holes, and the mark that knows where it ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hardware.disk.chain import GENESIS, chained


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


@dataclass(frozen=True, slots=True)
class Link:
    """A row as the chain sees it."""

    seq: int
    hash: str
    fields: Sequence[object]
    """What the hash covers besides the row before's hash."""


@dataclass(frozen=True, slots=True)
class End:
    """What the durable mark knows of the last row."""

    seq: int
    hash: str


def verify(links: Iterable[Link], end: Callable[[], End | Fault | None], program: str, before: tuple[int, str] = (0, GENESIS)) -> Verified:
    """Return what the chain is worth; ``rows`` counts from the first row of all. Never raises for a damaged file.

    Args:
        links: the rows to look at, up to the last; reading them may raise what SQLite raises.
        end: reads the durable mark when the rows are done: what it knows, what is wrong with it, or None where there is none.
        program: who writes to the file, for sentences: ``the clock``.
        before: the last row that is not looked at, and its hash.
    """
    rows, head = before
    try:
        for link in links:
            if link.seq != rows + 1:
                return Verified(rows, head, Fault(rows + 1, _missing(rows + 1, link.seq - 1)))
            if link.hash != chained(head, link.fields):
                meaning = f"row {link.seq} is not what was written: it, or the hash of the row before it, was changed"
                return Verified(rows, head, Fault(link.seq, meaning))
            rows, head = link.seq, link.hash
        return Verified(rows, head, _fault_of_end(end(), rows, head, program))
    except (sqlite3.Error, TypeError) as error:  # TypeError: a column of another type than ours
        return Verified(rows, head, Fault(rows + 1, f"row {rows + 1} or one after it cannot be read ({error})"))


def _fault_of_end(end: End | Fault | None, rows: int, head: str, program: str) -> Fault | None:
    if end is None:
        return Fault(0, "the durable mark is missing: rows at the end may have been removed")
    if isinstance(end, Fault):
        return end
    if end.seq > rows:
        return Fault(rows + 1, f"{_missing(rows + 1, end.seq)}: the durable mark knows of them")
    if end.seq < rows:
        return Fault(end.seq + 1, f"rows from {end.seq + 1} on were put in without {program}: the durable mark does not know them")
    if end.hash != head:
        return Fault(rows, f"the durable mark knows another row {rows}: the rows were written anew")
    return None


def _missing(first: int, last: int) -> str:
    return f"row {first} is missing" if first == last else f"rows {first} to {last} are missing"
