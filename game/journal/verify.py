"""Verify the journal: the whole chain, no gaps, and the mark that records its end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from appliance.phrase import Phrase
from appliance.records import verify as disk
from appliance.records.link import ChainLink, HashedLink
from appliance.records.verify import Chain, ChainFault, MarkedEnd, Verified
from game.journal.chain import covered, seal
from game.journal.reading import read_mark, rows_from


def verify(connection: sqlite3.Connection, first: int = 1) -> Verified:
    """Return the result for the chain from row ``first`` to the end; ``rows`` counts from row 1. Never raises for a damaged journal."""
    return disk.verify(connection, _CHAIN, first)


def links(connection: sqlite3.Connection, first: int) -> Iterator[HashedLink]:
    """Yield the rows with ``seq`` from ``first`` up, with what their hashes cover."""
    return (ChainLink(stored.seq, covered(stored.seq, stored.row), stored.hash) for stored in rows_from(connection, first))


def _end(connection: sqlite3.Connection) -> MarkedEnd | ChainFault | None:
    mark = read_mark(connection)
    if mark is None:
        return None
    if mark.seal != seal(mark.stamp, mark.game, mark.seq, mark.hash, mark.commit_ns):
        return ChainFault(0, Phrase("the durable mark is not what was written: how far time is known was changed"))
    return MarkedEnd(mark.seq, mark.hash)


_CHAIN: Final = Chain(links, _end, "the clock")
