"""A device's file of record as the hall reads it: rows from any one on, the head of the chain, the epoch. Each call opens the file anew, since it can be replaced."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from shutil import disk_usage
from typing import Final, TypeAlias

from appliance.records.chain import GENESIS
from appliance.records.link import HashedLink
from appliance.records.rows import hash_of, last_of
from faults.errors import TileclockError
from wire.messages.reports import MOST_ROW_BYTES, RowBatch, WireRow

Opened: TypeAlias = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Opens the file for reading, in one consistent state."""
Links: TypeAlias = Callable[[sqlite3.Connection, int], Iterator[HashedLink]]
"""The rows from a number on, as what their hashes cover."""
EPOCH_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class RecordEnd:
    """Where the file ends."""

    epoch: str | None
    """None: it has no rows yet."""
    seq: int
    head: str
    """The whole hash of row ``seq``."""


NO_ROWS: Final = RecordEnd(None, 0, GENESIS)


class DeviceRecord:
    """The committed rows of a journal or a log. Never raises: what cannot be read now is not there, and the device's own screen says why."""

    def __init__(self, opened: Opened, links: Links, path: Path | None = None) -> None:
        self.opened = opened
        self.links = links
        self._path = path

    def free(self) -> int | None:
        """Return how many bytes are free where the file is; None: that is unknown."""
        try:
            return None if self._path is None else disk_usage(self._path.parent).free
        except OSError:
            return None

    def end(self) -> RecordEnd:
        """Return where the file ends; ``NO_ROWS`` if it is empty or unreadable."""
        try:
            with self.opened() as connection:
                last = last_of(connection)
                return NO_ROWS if last is None else RecordEnd(_epoch(connection), *last)
        except (TileclockError, OSError):
            return NO_ROWS

    def rows(self, after: int, limit: int) -> RowBatch | None:
        """Return at most ``limit`` rows after row ``after``, in at most ``MOST_ROW_BYTES``; None: there are none."""
        try:
            with self.opened() as connection:
                epoch, previous = _epoch(connection), GENESIS if after == 0 else hash_of(connection, after)
                if epoch is None or previous is None:
                    return None
                rows = list(_fitting(islice(self.links(connection, after + 1), limit)))
        except (TileclockError, OSError):
            return None
        if not rows:
            return None
        return RowBatch(epoch=epoch, first=after + 1, last=after + len(rows), previous=previous, rows=rows)


def _epoch(connection: sqlite3.Connection) -> str | None:
    first = hash_of(connection, 1)
    return None if first is None else first[:EPOCH_DIGITS]


def _fitting(links: Iterator[HashedLink]) -> Iterator[WireRow]:
    """Yield rows until their bytes are used up; a first row that is too large goes without its content."""
    left = MOST_ROW_BYTES
    for link in links:
        size = len(json.dumps([link.hash, link.row], ensure_ascii=False).encode(errors="replace"))
        if size > MOST_ROW_BYTES:
            if left == MOST_ROW_BYTES:
                yield link.hash, None
            return
        left -= size
        if left < 0:
            return
        yield link.hash, list(link.row)
