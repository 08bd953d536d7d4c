"""Verify the log: the whole chain, no gaps, and the mark that records its end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from appliance.records import verify as disk
from appliance.records.link import ChainLink, HashedLink
from appliance.records.verify import Chain, Verified
from game.challenge_log.reading import read_mark, rows_from
from game.challenge_log.row import covered


def verify(connection: sqlite3.Connection, first: int = 1) -> Verified:
    """Return the result for the chain from row ``first`` to the end; ``rows`` counts from row 1. Never raises for a damaged log."""
    return disk.verify(connection, _CHAIN, first)


def links(connection: sqlite3.Connection, first: int) -> Iterator[HashedLink]:
    """Yield the rows with ``seq`` from ``first`` up, with what their hashes cover."""
    return (ChainLink(stored.seq, covered(stored.seq, stored.row), stored.hash) for stored in rows_from(connection, first))


_CHAIN: Final = Chain(links, read_mark, "the station")
