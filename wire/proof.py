"""What a device's chain proves beyond being whole: signed by this device, known to others since (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from appliance.errors import TileclockError, reason
from appliance.records.rows import hash_of
from wire.keys import DeviceKey, signature_fits
from wire.messages.reports import SignedHead
from wire.record import EPOCH_DIGITS
from wire.signed_bytes import Head
from wire.topics import device_id, is_device

_FIELDS: Final = 4


class BadHeads(TileclockError, ValueError):
    """The file of ``--known`` is unusable."""


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A head that somebody else has kept."""

    device: str
    epoch: str
    seq: int
    head: str

    @property
    def line(self) -> str:
        """The line of a file of heads, and what a root covers."""
        return f"{self.device} {self.epoch} {self.seq} {self.head}"


@dataclass(frozen=True, slots=True)
class Proof:
    """A sentence about what holds, and whether it is what was asked for."""

    sentence: str
    holds: bool = True


def signed_head(key: DeviceKey, epoch: str, seq: int, head: str, root: str) -> SignedHead:
    """Return the signature of a head; ``root``: the hall's last, ``n:root``, or empty."""
    signature = key.sign(Head(key.device, epoch, seq, head, root).signed_bytes)
    return SignedHead(seq=seq, head=head, root=root, key=key.public, signature=signature)


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
    epoch = (hash_of(connection, 1) or "")[:EPOCH_DIGITS]
    own = sorted((each for each in heads if each.epoch == epoch), key=lambda each: each.seq)
    for each in own:
        found = hash_of(connection, each.seq)
        if found != each.head:
            what = "is missing" if found is None else "is another one"
            return Proof(f"Rewritten: others have kept row {each.seq}, which {what} here.", holds=False)
    if not own:
        return Proof("Others have kept no row of this file.", holds=False)
    return Proof(f"Known to others up to row {own[-1].seq}.")


def read_heads(path: Path) -> tuple[KnownHead, ...]:
    """Return the heads in a file with a line ``device epoch seq head`` for each, as `tilehall` writes them.

    Raises:
        BadHeads: it cannot be read, or has another line.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        found = reason(error) if isinstance(error, OSError) else "another kind of file"
        raise BadHeads(where=path, expected="a file with heads", found=found, remedy="Check the path") from error
    return tuple(_known(path, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _known(path: Path, number: int, line: str) -> KnownHead:
    fields = line.split()
    if len(fields) == _FIELDS and is_device(fields[0]) and fields[2].isdigit():
        return KnownHead(fields[0], fields[1], int(fields[2]), fields[3])
    raise BadHeads(
        where=f"{path}, line {number}", expected="device, epoch, row and hash", found=line[:80], remedy="Let the hall write the file anew"
    )
