"""Writes the listener's file: whatever one turn of the listener takes in is one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.clocks import wall_time
from appliance.records import fault
from appliance.records.sqlite import begin, connect
from hall.store.arrivals import NONE_HELD, HeldEnd, Rewritten
from hall.store.reading import StoreReader
from hall.store.roots import RootOfHeads
from hall.store.schema import STORE
from wire.messages.reports import SignedHead, WireRow
from wire.proof import KnownHead

_COMPACT: Final = (",", ":")


def open_store(path: Path) -> tuple[Store, Path | None]:
    """Open or create the file at ``path``; return it, and the new name of a damaged file that stood there.

    Raises:
        OSError, sqlite3.Error: it cannot be opened or created, or belongs to another program.
    """
    damaged = fault.quarantine(path, STORE, lambda _: None)
    if not path.exists():
        begin(path, STORE, lambda _: None, datetime.now(UTC))
    return Store(path), None if damaged is None else damaged.path


class Store(StoreReader):
    """The open file. Writing methods begin a transaction, ``commit`` ends it; used by one thread.

    Every method may raise ``sqlite3.Error`` or ``OSError``; call ``give_up`` then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(connect(path))
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

    def _write(self, statement: str, lines: Sequence[tuple[object, ...]]) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(statement, lines)
