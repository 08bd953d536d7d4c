"""Reads the listener's file, also while the listener writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance.records.reading import Refusals, reading
from hall.errors import DamagedStore, NoStore, StoreError
from hall.store.roots import FIRST, MOST_HEADS, RootOfHeads
from hall.store.schema import STORE
from wire.messages.reports import SignedHead
from wire.proof import KnownHead


@dataclass(frozen=True, slots=True)
class StoredWireRow:
    """A row as held: its sequence, its hash, and the JSON of what the hash covers; None: it was too large for a message."""

    seq: int
    hash: str
    fields: str | None


@dataclass(frozen=True, slots=True)
class KnownEpoch:
    """A journal or log of a device: since when it is known (UTC, ISO 8601), and why it is no longer taken; None: it is."""

    epoch: str
    since: str
    rewritten: str | None


@dataclass(frozen=True, slots=True)
class StoredHead:
    """A signed head as received, and the number of the root that covers it; None: none yet."""

    device: str
    epoch: str
    signed: SignedHead
    root: int | None

    @property
    def line(self) -> str:
        """The line that a root covers."""
        return KnownHead(self.device, self.epoch, self.signed.seq, self.signed.head).line


@contextmanager
def reading_store(path: Path) -> Iterator[StoreReader]:
    """Yield the file at ``path`` in one consistent state.

    Raises:
        NoStore: it does not exist.
        DamagedStore: it is damaged.
        StoreError: it cannot be read now, or is another program's.
    """
    with reading(path, STORE, Refusals(NoStore, DamagedStore, StoreError)) as connection:
        yield StoreReader(connection)


class StoreReader:
    """The rows, heads and roots in an open file. Every method may raise ``sqlite3.Error``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def count(self) -> int:
        """Return how many rows there are."""
        (count,) = self._connection.execute("SELECT count(*) FROM rows").fetchone()
        return int(count)

    def rows(self, device: str, epoch: str, after: int = 0) -> Iterator[StoredWireRow]:
        """Yield the rows held of an epoch, in order."""
        query = "SELECT seq, hash, fields FROM rows WHERE device = ? AND epoch = ? AND seq > ? ORDER BY seq"
        for found in self._connection.execute(query, (device, epoch, after)):
            yield StoredWireRow(*found)

    def rows_back(self, device: str, epoch: str) -> Iterator[StoredWireRow]:
        """Yield the rows held of an epoch, the last one first."""
        query = "SELECT seq, hash, fields FROM rows WHERE device = ? AND epoch = ? ORDER BY seq DESC"
        for found in self._connection.execute(query, (device, epoch)):
            yield StoredWireRow(*found)

    def epochs(self, device: str) -> tuple[KnownEpoch, ...]:
        """Return the epochs of a device, oldest first."""
        query = "SELECT epoch, since, rewritten FROM epochs WHERE device = ? ORDER BY since, epoch"
        return tuple(KnownEpoch(*found) for found in self._connection.execute(query, (device,)))

    def devices(self) -> tuple[str, ...]:
        """Return the devices with rows."""
        return tuple(device for (device,) in self._connection.execute("SELECT DISTINCT device FROM epochs ORDER BY device"))

    def heads_without_root(self) -> tuple[KnownHead, ...]:
        """Return the heads that the next root covers."""
        query = "SELECT device, epoch, seq, head FROM heads WHERE root IS NULL LIMIT ?"
        return tuple(KnownHead(*found) for found in self._connection.execute(query, (MOST_HEADS,)))

    def last_root(self) -> RootOfHeads:
        """Return the last root; ``FIRST`` before any."""
        found = self._connection.execute("SELECT n, root, lines FROM roots ORDER BY n DESC LIMIT 1").fetchone()
        return FIRST if found is None else RootOfHeads(found[0], found[1], tuple(found[2].splitlines()))

    def device_of(self, epoch: str) -> str | None:
        """Return the device of an epoch; None: it is not known."""
        found = self._connection.execute("SELECT device FROM epochs WHERE epoch = ?", (epoch,)).fetchone()
        return None if found is None else str(found[0])

    def heads(self) -> Iterator[StoredHead]:
        """Yield all signed heads."""
        query = "SELECT device, epoch, seq, head, seen_root, key, signature, root FROM heads ORDER BY device, epoch, seq"
        for device, epoch, seq, head, seen, key, signature, root in self._connection.execute(query):
            yield StoredHead(device, epoch, SignedHead(seq=seq, head=head, root=seen, key=key, signature=signature), root)

    def roots(self) -> Iterator[RootOfHeads]:
        """Yield all roots, the first one first."""
        for n, root, lines in self._connection.execute("SELECT n, root, lines FROM roots ORDER BY n"):
            yield RootOfHeads(n, root, tuple(lines.splitlines()))

    def known_heads(self) -> Iterator[KnownHead]:
        """Yield what the hall can say that it has had: the signed heads, and the last row of each epoch."""
        query = """SELECT device, epoch, seq, head FROM heads
            UNION SELECT device, epoch, seq, hash FROM rows AS last
            WHERE seq = (SELECT max(seq) FROM rows WHERE device = last.device AND epoch = last.epoch) ORDER BY 1, 2, 3"""
        for found in self._connection.execute(query):
            yield KnownHead(*found)
