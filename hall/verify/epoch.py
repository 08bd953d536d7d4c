"""One journal or log as the hall holds it: whether it is whole, up to where its device signed it, up to where others vouch for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.records.chain import GENESIS, chained, short
from hall.store.reading import KnownEpoch, StoredHead, StoredWireRow, StoreReader
from wire.genuine import is_genuine
from wire.roots import FIRST, RootOfHeads, root_of


@dataclass(frozen=True, slots=True)
class EpochProof:
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
        """All of it for people."""
        parts = [f"whole up to row {self.rows}, whose hash begins {short(self.head)}" if self.rows else "no rows"]
        if self.without_fields:
            parts.append(f"{self.without_fields} of them only by their hash")
        parts.append(f"signed by this device up to row {self.signed}" if self.signed else "not signed")
        parts.append(f"known to other devices up to row {self.vouched}" if self.vouched else "not yet known to other devices")
        said = f"{self.device}, journal {self.epoch}: {'; '.join(parts)}."
        return said if self.fault is None else f"{said} Broken: {self.fault}."


def proofs(store: StoreReader) -> tuple[list[EpochProof], str | None]:
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
