"""What a device's chain proves beyond being whole: signed by this device, known to others since (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from appliance.records.rows import hash_of
from wire.heads_file import read_heads, read_roots
from wire.keys import signature_fits
from wire.messages.reports import SignedHead
from wire.record import EPOCH_DIGITS, Links
from wire.roots import KnownHead, RootOfHeads
from wire.signed_bytes import Head
from wire.signing import body_of, last_signed_row
from wire.topics import device_id, is_device
from wire.witness import VouchedHead, Witness, read_witness, vouched_up_to

if TYPE_CHECKING:
    from appliance.cli.heads import AskedProofs


@dataclass(frozen=True, slots=True)
class Proof:
    """A sentence about what holds, and whether it is what was asked for."""

    sentence: str
    holds: bool = True


def signed_by(connection: sqlite3.Connection, kind: str, row: int | None, body: Mapping[str, Any], key: str | None) -> Proof:
    """Return whether the last signature in a whole chain fits.

    Args:
        connection: the file.
        kind: ``topics.CLOCK`` or ``topics.STATION``.
        row: the number of the last ``signed`` row; None: there is none.
        body: its fields.
        key: the device's public key or id, if it is known; None: anybody's.
    """
    if row is None:
        return Proof("Nothing is signed.", holds=key is None)
    try:
        signed = SignedHead.model_validate(body)
    except ValidationError:
        return Proof(f"Row {row} holds no signature that can be read.", holds=False)
    device = device_id(kind, base64.b64decode(signed.key))
    head = Head(device, (hash_of(connection, 1) or "")[:EPOCH_DIGITS], signed.seq, signed.head, signed.root)
    if (
        signed.seq >= row
        or hash_of(connection, signed.seq) != signed.head
        or not signature_fits(signed.key, signed.signature, head.signed_bytes)
    ):
        return Proof(
            f"The signature in row {row} does not fit: the rows before it were written anew, or copied from another file.", holds=False
        )
    if key not in (None, signed.key, device):
        return Proof(f"Signed by another device, {device}.", holds=False)
    whose = "this device" if key is not None else f"{device}: compare this with the device's id"
    return Proof(f"Signed up to row {signed.seq} by {whose}.")


def known_to_others(connection: sqlite3.Connection, heads: Iterable[KnownHead]) -> Proof:
    """Return whether the heads that others have kept of this file are in its chain."""
    own = sorted(heads, key=lambda each: each.seq)
    for each in own:
        fault = _fault(connection, each)
        if fault is not None:
            return Proof(f"Rewritten: others have kept row {each.seq}, which {fault} here.", holds=False)
    if not own:
        return Proof("Others have kept no row of this file.", holds=False)
    return Proof(f"Known to others up to row {own[-1].seq}.")


def known_to_witnesses(connection: sqlite3.Connection, vouched: Sequence[VouchedHead]) -> Proof:
    """Return whether the heads of this file that other devices vouch for, by row, are in its chain."""
    for each in vouched:
        fault = _fault(connection, each.known)
        if fault is not None:
            return Proof(f"Rewritten: {', '.join(each.by)} vouched for row {each.known.seq}, which {fault} here.", holds=False)
    if not vouched:
        return Proof("No other device vouches for a row of this file.", holds=False)
    return Proof(f"Known to {', '.join(vouched[-1].by)} since then, up to row {vouched[-1].known.seq}.")


def _fault(connection: sqlite3.Connection, known: KnownHead) -> str | None:
    found = hash_of(connection, known.seq)
    if found == known.head:
        return None
    return "is missing" if found is None else "is another one"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a chain is compared with beside itself."""

    key: str | None
    """The device's public key or id, if it is known."""
    heads: tuple[KnownHead, ...] | None
    """What others have kept; None: this is not asked."""
    witnesses: tuple[Witness, ...]
    """Other devices, by their own journals and logs."""
    roots: tuple[RootOfHeads, ...]
    """The hall's, from the first one on."""


def read_evidence(asked: AskedProofs, roots: tuple[RootOfHeads, ...] = ()) -> Evidence:
    """Return what the files of the options hold.

    Args:
        asked: the options.
        roots: the hall's, where no file names them.

    Raises:
        BadHeads: a file of heads or roots is unusable.
        BadWitness: a witness is no journal or log.
    """
    return Evidence(
        asked.key,
        None if asked.known is None else read_heads(asked.known),
        tuple(map(read_witness, asked.witnesses)),
        roots if asked.roots is None else read_roots(asked.roots),
    )


def proofs(connection: sqlite3.Connection, kind: str, links: Links, evidence: Evidence) -> list[Proof]:
    """Return what ``evidence`` shows of a whole chain, its last signature first.

    Args:
        connection: the file.
        kind: ``topics.CLOCK`` or ``topics.STATION``.
        links: reads its rows.
        evidence: what is asked, and what others have.
    """
    last = last_signed_row(connection, links)
    row, body = (None, {}) if last is None else (last.seq, body_of(last))
    found = [signed_by(connection, kind, row, body, evidence.key)]
    # Another device may have copied this one's first row, and so its epoch.
    device = _device_of(kind, evidence.key or body.get("key"))
    epoch = (hash_of(connection, 1) or "")[:EPOCH_DIGITS]
    if evidence.heads is not None:
        found.append(known_to_others(connection, [each for each in evidence.heads if _is_of(each, device, epoch)]))
    if evidence.witnesses:
        vouched = vouched_up_to(evidence.witnesses, evidence.roots)
        found.append(known_to_witnesses(connection, [each for each in vouched if _is_of(each.known, device, epoch)]))
    return found


def _device_of(kind: str, key: object) -> str | None:
    """Return the id that follows from a public key, or is given in its place; None: neither."""
    try:
        if not isinstance(key, str):
            return None
        return key if is_device(key) else device_id(kind, base64.b64decode(key))
    except ValueError:
        return None


def _is_of(head: KnownHead, device: str | None, epoch: str) -> bool:
    return head.epoch == epoch and device in (None, head.device)
