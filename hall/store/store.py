"""Writes the listener's file: whatever one turn of the listener takes in is one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.clocks import wall_time
from appliance.records import fault
from appliance.records.sqlite import begin, connect, open_read_only
from hall.store.arrivals import NONE_HELD, HeldEnd, Rewritten
from hall.store.roots import FIRST, MOST_HEADS, KnownHead, RootOfHeads
from hall.store.schema import STORE
from wire.messages.reports import SignedHead, WireRow

_COMPACT: Final = (",", ":")


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


def open_store(path: Path) -> tuple[Store, Path | None]:
    """Open or create the file at ``path``; return it, and the new name of a damaged file that stood there.

    Raises:
        OSError, sqlite3.Error: it cannot be opened or created, or belongs to another program.
    """
    damaged = fault.quarantine(path, STORE, lambda _: None)
    if not path.exists():
        begin(path, STORE, lambda _: None, datetime.now(UTC))
    return Store(path), None if damaged is None else damaged.path


def held_rows(path: Path) -> int:
    """Return how many rows the file at ``path`` holds, while another process writes to it.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    with closing(open_read_only(path)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM rows").fetchone()
    return int(count)


class Store:
    """The open file. Writing methods begin a transaction, ``commit`` ends it; used by one thread.

    Every method may raise ``sqlite3.Error`` or ``OSError``; call ``give_up`` then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path)
        self._held: dict[tuple[str, str], HeldEnd] = {}

    def close(self) -> None:
        """Close the file, without what is not committed."""
        self._connection.close()

    def append(self, device: str, epoch: str, rows: Sequence[WireRow]) -> None:
        """Add the rows that follow those held."""
        held = self.held(device, epoch) or NONE_HELD
        lines = [
            (device, epoch, seq, digest, None if fields is None else json.dumps(fields, separators=_COMPACT))
            for seq, (digest, fields) in enumerate(rows, held.seq + 1)
        ]
        self._write("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", lines)
        self._held[device, epoch] = HeldEnd(held.seq + len(rows), rows[-1][0])

    def begin_epoch(self, device: str, epoch: str) -> None:
        """Note an epoch that is new."""
        self._write("INSERT OR IGNORE INTO epochs VALUES (?, ?, ?, NULL)", [(device, epoch, wall_time())])

    def quarantine(self, device: str, epoch: str, found: Rewritten) -> None:
        """Note that an epoch contradicts itself, with the evidence; its rows stay."""
        fields = None if found.fields is None else json.dumps(found.fields, separators=_COMPACT)
        self._write("UPDATE epochs SET rewritten = ? WHERE device = ? AND epoch = ?", [(found.why, device, epoch)])
        evidence = (device, epoch, found.seq, found.hash, fields, wall_time())
        self._write("INSERT INTO contradictions VALUES (?, ?, ?, ?, ?, ?)", [evidence])

    def add_head(self, device: str, epoch: str, signed: SignedHead) -> None:
        """Add a signed head; one that is known changes nothing."""
        head = (device, epoch, signed.seq, signed.head, signed.key, signed.signature, signed.root, wall_time())
        self._write("INSERT OR IGNORE INTO heads VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)", [head])

    def add_root(self, root: RootOfHeads, heads: Sequence[KnownHead]) -> None:
        """Add a root, and note which heads it covers."""
        self._write("INSERT INTO roots VALUES (?, ?, ?, ?)", [(root.n, root.root, "\n".join(root.lines), wall_time())])
        covered = [(root.n, head.device, head.epoch, head.seq, head.head) for head in heads]
        self._write("UPDATE heads SET root = ? WHERE device = ? AND epoch = ? AND seq = ? AND head = ?", covered)

    def commit(self) -> bool:
        """Write everything since the last commit to the disk; return whether there was anything."""
        if not self._connection.in_transaction:
            return False
        self._connection.execute("COMMIT")
        return True

    def give_up(self) -> None:
        """Drop what is not committed."""
        self._held.clear()
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def held(self, device: str, epoch: str) -> HeldEnd | None:
        """Return the last row held of an epoch; None: none."""
        known = self._held.get((device, epoch))
        if known is None:
            query = "SELECT seq, hash FROM rows WHERE device = ? AND epoch = ? ORDER BY seq DESC LIMIT 1"
            found = self._connection.execute(query, (device, epoch)).fetchone()
            if found is None:
                return None
            known = self._held[device, epoch] = HeldEnd(*found)
        return known

    def hash_of(self, device: str, epoch: str, seq: int) -> str | None:
        """Return the hash of a row that is held; None: it is not."""
        if (known := self.held(device, epoch)) is not None and known.seq == seq:
            return known.head
        found = self._connection.execute(
            "SELECT hash FROM rows WHERE device = ? AND epoch = ? AND seq = ?", (device, epoch, seq)
        ).fetchone()
        return None if found is None else str(found[0])

    def rows(self, device: str, epoch: str, after: int = 0) -> Iterator[StoredWireRow]:
        """Yield the rows held of an epoch, in order."""
        query = "SELECT seq, hash, fields FROM rows WHERE device = ? AND epoch = ? AND seq > ? ORDER BY seq"
        for found in self._connection.execute(query, (device, epoch, after)):
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

    def _write(self, statement: str, lines: Sequence[tuple[object, ...]]) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(statement, lines)
