"""Is the journal what was written? The whole chain, no holes, and the mark that knows where it ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from firmware.journal.chain import covered, seal
from firmware.journal.reading import hash_of, read_mark, rows_from
from hardware.disk import verify as disk
from hardware.disk.chain import GENESIS
from hardware.disk.verify import End, Fault, Link, Verified


def verify(connection: sqlite3.Connection, first: int = 1) -> Verified:
    """Return what the chain from row ``first`` to the end is worth; ``rows`` counts from the first row of all. Never raises for a damaged journal."""
    head = GENESIS
    if first > 1:
        # Where it cannot be read, the first row does not fit, and that is said.
        with suppress(sqlite3.Error):
            head = hash_of(connection, first - 1) or head
    return disk.verify(_links(connection, first), partial(_end, connection), "the clock", (first - 1, head))


def _links(connection: sqlite3.Connection, first: int) -> Iterator[Link]:
    # A generator: nothing is read before the check that knows what a failure means.
    for kept in rows_from(connection, first):
        yield Link(kept.seq, kept.hash, covered(kept.seq, kept.row))


def _end(connection: sqlite3.Connection) -> End | Fault | None:
    mark = read_mark(connection)
    if mark is None:
        return None
    if mark.seal != seal(mark.stamp, mark.game, mark.seq, mark.hash, mark.commit_ns):
        return Fault(0, "the durable mark is not what was written: how far time is known was changed")
    return End(mark.seq, mark.hash)
