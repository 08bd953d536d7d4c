"""What the device's signature in a chain proves beyond the chain being whole (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

import base64
import sqlite3

from msgspec import Struct

from appliance.records.rows import hash_of
from wire.keys import is_genuine
from wire.record import EPOCH_DIGITS, last_signed_row, signed_head_in
from wire.topics import device_id


class Proof(Struct, frozen=True):
    """A sentence about what holds, and whether it is what was asked for."""

    sentence: str
    holds: bool = True


def signed_by(connection: sqlite3.Connection, kind: str, key: str | None) -> Proof:
    """Return whether the last signature in a whole chain fits.

    ``kind``: ``topics.CLOCK`` or ``topics.STATION``. ``key``: the device's public key or id; None: any device's.
    """
    row = last_signed_row(connection)
    if row is None:
        return Proof("Nothing is signed.", holds=key is None)
    signed = signed_head_in(row.row)
    if signed is None:
        return Proof(f"Row {row.seq} holds no signature that can be read.", holds=False)
    device = device_id(kind, base64.b64decode(signed.key))
    epoch = (hash_of(connection, 1) or "")[:EPOCH_DIGITS]
    if hash_of(connection, signed.seq) != signed.head or not is_genuine(device, epoch, signed):
        return Proof(
            f"The signature in row {row.seq} does not fit: the rows before it were rewritten, or copied from another file.", holds=False
        )
    if key not in (None, signed.key, device):
        return Proof(f"Signed by another device, {device}.", holds=False)
    whose = "this device" if key is not None else f"{device}: compare this with the device's id"
    return Proof(f"Signed up to row {signed.seq} by {whose}.")
