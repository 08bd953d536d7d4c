"""What the hall's rows prove of each journal or log: whether it is whole, up to where its device signed it, and others vouch for it.

Also a device's own file against what the hall holds of it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from appliance.records.chain import GENESIS, HashedLink, chained, short
from appliance.records.files import is_closed, is_foreign
from appliance.records.rows import links
from appliance.records.sqlite import open_read_only
from hall.errors import UnknownRecord
from hall.store.reading import KnownEpoch, StoredHead, StoredWireRow, StoreReader
from records.journal import JOURNAL
from records.journal import reading as reading_journal
from records.log import LOG
from records.log import reading as reading_log
from wire.keys import is_genuine
from wire.proof import Evidence, Proof, proofs
from wire.signed_bytes import FIRST, RootOfHeads, root_of
from wire.topics import CLOCK, STATION


class EpochProof(Struct, frozen=True):
    """What is shown of one journal or log."""

    device: str
    epoch: str
    rows: int
    """Whole up to this row."""
    head: str
    without_fields: int
    """Rows among them that were too large for a message: only their hashes are held."""
    signed: int
    """Signed by the device up to this row; 0: nothing."""
    vouched: int
    """Vouched for by other devices up to this row; 0: nothing."""
    fault: str | None
    """What is wrong, as a clause; None: nothing."""

    @property
    def sentence(self) -> str:
        parts = [f"whole up to row {self.rows}, whose hash begins {short(self.head)}" if self.rows else "no rows"]
        if self.without_fields:
            parts.append(f"{self.without_fields} of them only by their hash")
        parts.append(f"signed by this device up to row {self.signed}" if self.signed else "not signed")
        parts.append(f"known to other devices up to row {self.vouched}" if self.vouched else "not yet known to other devices")
        said = f"{self.device}, journal {self.epoch}: {'; '.join(parts)}."
        return said if self.fault is None else f"{said} Broken: {self.fault}."


def epoch_proofs(store: StoreReader) -> tuple[list[EpochProof], str | None]:
    """Return what is shown of everything that the store holds, and what is wrong with the roots (a sentence; None: nothing)."""
    roots, heads = list(store.roots()), list(store.heads())
    found = [
        _proof(device, known, store.rows(device, known.epoch), heads, {root.n: root.root for root in roots})
        for device in store.devices()
        for known in store.epochs(device)
    ]
    return found, _fault_of_roots(roots, heads)


def proof(store: StoreReader, device: str, epoch: str) -> EpochProof | None:
    """Return what is shown of one journal or log; None: the store holds nothing of it."""
    known = next((each for each in store.epochs(device) if each.epoch == epoch), None)
    if known is None:
        return None
    roots = {root.n: root.root for root in store.roots()}
    return _proof(device, known, store.rows(device, epoch), list(store.heads()), roots)


def _proof(device: str, known: KnownEpoch, rows: Iterable[StoredWireRow], heads: Sequence[StoredHead], roots: dict[int, str]) -> EpochProof:
    own = {(head.signed.seq, head.signed.head): head for head in heads if (head.device, head.epoch) == (device, known.epoch)}
    end, head, without, signed, vouched = 0, GENESIS, 0, 0, 0
    fault = known.rewritten
    for row in rows:
        if row.seq != end + 1 or (row.fields is not None and chained(head, json.loads(row.fields)) != row.hash):
            fault = f"row {end + 1} is missing or was changed in the hall's own file"
            break
        end, head, without = row.seq, row.hash, without + (row.fields is None)
        found = own.get((row.seq, row.hash))
        if found is not None and is_genuine(device, known.epoch, found.signed):
            signed = row.seq
            vouched = row.seq if _is_vouched(found, heads, roots) else vouched
    return EpochProof(device, known.epoch, end, head, without, signed, vouched, fault)


def _is_vouched(head: StoredHead, heads: Sequence[StoredHead], roots: dict[int, str]) -> bool:
    """Return whether another device has signed a root that covers ``head``."""
    return head.root is not None and any(
        other.device != head.device and _root_seen(other, roots) >= head.root and is_genuine(other.device, other.epoch, other.signed)
        for other in heads
    )


def _root_seen(head: StoredHead, roots: dict[int, str]) -> int:
    """Return the number of the hall's root that a device had seen when it signed; -1: none of this hall's."""
    number, _, root = head.signed.root.partition(":")
    return int(number) if number.isdecimal() and roots.get(int(number)) == root else -1


def _fault_of_roots(roots: Sequence[RootOfHeads], heads: Sequence[StoredHead]) -> str | None:
    before = FIRST
    covered = {(head.root, head.line) for head in heads if head.root is not None}
    for root in roots:
        if root.n != before.n + 1 or root.root != root_of(before.root, root.lines):
            return f"Root {root.n} does not follow from the one before: the hall's own file was changed."
        if any((root.n, line) not in covered for line in root.lines):
            return f"Root {root.n} covers a head that the hall no longer holds: its own file was changed."
        before = root
    return None


class Comparison(Struct, frozen=True):
    """A file and the hall, row by row. All numbers are rows."""

    device: str
    equal: int
    """The same up to this one."""
    own: int
    """The last of the file."""
    held: int
    """The last that the hall holds."""

    @property
    def agrees(self) -> bool:
        """Neither was changed or cut: the file may only have more."""
        return self.equal == self.held

    @property
    def sentence(self) -> str:
        if self.equal < min(self.own, self.held):
            return f"Rewritten: row {self.equal + 1} is not the one that the hall holds of {self.device}; the rows before it are."
        if self.own < self.held:
            return f"Cut: it ends at row {self.own}; the hall holds {self.held} rows of {self.device}."
        more = f" Row {self.held + 1} to row {self.own} have not come to the hall." if self.own > self.held else ""
        return f"The hall holds the same {self.held} rows of {self.device}.{more}"


def compared(store: StoreReader, path: Path) -> Comparison:
    """Return how the file at ``path`` and the hall's rows of it compare; raises ``UnknownRecord`` if there is nothing to compare."""
    with _connected(path) as (connection, _):
        rows = links(connection, 1)
        first = next(rows, None)
        epoch = "" if first is None else first.hash[:16]
        device = store.device_of(epoch)
        if first is None or device is None:
            found = "one without rows" if first is None else f"one whose first hash begins {epoch}"
            raise UnknownRecord(
                where=path, expected="a journal or log that the hall knows", found=found, remedy="Is this the hall's own file?"
            )
        held = {row.seq: row.hash for row in store.rows(device, epoch)}
        equal, own, head, same = 0, 0, GENESIS, True
        for link in _all(first, rows):
            # Not the hash that the file states, but that of what stands in it.
            own, head = link.seq, chained(head, link.row)
            same = same and held.get(own) == head
            equal = own if same else equal
    return Comparison(device, equal, own, max(held, default=0))


def shown(path: Path, evidence: Evidence) -> list[Proof]:
    """Return what ``evidence`` shows of the file at ``path``, once ``compared`` has read it."""
    with _connected(path) as (connection, kind):
        return proofs(connection, kind, evidence)


def _all(first: HashedLink, rest: Iterator[HashedLink]) -> Iterator[HashedLink]:
    yield first
    yield from rest


@contextmanager
def _connected(path: Path) -> Iterator[tuple[sqlite3.Connection, str]]:
    """Yield a clock's journal or a station's log; what else is wrong with it, the reader says."""
    found = _neither(path)
    if found is not None:
        raise UnknownRecord(where=path, expected="a clock's journal or a station's log", found=found, remedy="Check the path")
    if _application(path) == LOG.application_id:
        with reading_log(path) as connection:
            yield connection, STATION
    else:
        with reading_journal(path, any_edition=True) as connection:
            yield connection, CLOCK


def _neither(path: Path) -> str | None:
    """Return what is found in place of a journal or log; None: it may be one."""
    if is_closed(path):
        return "you have no permission to read it"
    if not path.exists():
        return "no such file"
    return "another kind of file" if all(is_foreign(path, schema.application_id) for schema in (JOURNAL, LOG)) else None


def _application(path: Path) -> int | None:
    """Return which program's file it is; None: it is too damaged to say so."""
    with suppress(sqlite3.Error, OSError), closing(open_read_only(path)) as connection:
        return int(connection.execute("PRAGMA application_id").fetchone()[0])
    return None
