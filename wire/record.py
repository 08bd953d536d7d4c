"""A device's file of record as the hall reads it: rows from any one on, the head of the chain, the epoch; and which rows the device's key signs.

Each call opens the file anew, since it can be replaced. A signature is the body of a row (docs/spec/wire.md, "Signed heads"), the same for journal and log.
"""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct
from pydantic import ValidationError

from appliance.records.chain import GENESIS, HashedLink
from appliance.records.rows import hash_of, last_of, links
from faults.errors import TileclockError
from wire.reports import MAX_ROW_BYTES, RowBatch, SignedHead, WireRow
from wire.topics import EPOCH_DIGITS, device_id

if TYPE_CHECKING:
    from wire.keys import DeviceKey


Opened: TypeAlias = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Opens the file for reading, in one consistent state."""


class RecordEnd(Struct, frozen=True):
    epoch: str | None
    """None: it has no rows yet."""
    seq: int
    head: str


NO_ROWS: Final = RecordEnd(None, 0, GENESIS)


class DeviceRecord:
    """The committed rows of a journal or a log. Never raises: what cannot be read now is not there, and the device's own screen says why."""

    def __init__(self, opened: Opened, path: Path | None = None) -> None:
        self.opened = opened
        self.path = path

    def free(self) -> int | None:
        """Return how many bytes are free where the file is; None: that is unknown."""
        try:
            return None if self.path is None else disk_usage(self.path.parent).free
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
        """Return at most ``limit`` rows after row ``after``, in at most ``MAX_ROW_BYTES``."""
        try:
            with self.opened() as connection:
                epoch, previous = _epoch(connection), GENESIS if after == 0 else hash_of(connection, after)
                if epoch is None or previous is None:
                    return None
                rows = list(_fitting(islice(links(connection, after + 1), limit)))
        except (TileclockError, OSError):
            return None
        if not rows:
            return None
        return RowBatch(epoch=epoch, first=after + 1, last=after + len(rows), previous=previous, rows=rows)


def _epoch(connection: sqlite3.Connection) -> str | None:
    first = hash_of(connection, 1)
    return None if first is None else first[:EPOCH_DIGITS]


def _fitting(found: Iterator[HashedLink]) -> Iterator[WireRow]:
    """Yield rows until their bytes are used up; a first row that is too large goes without its content."""
    left = MAX_ROW_BYTES
    for link in found:
        size = len(json.dumps([link.hash, link.row], ensure_ascii=False).encode(errors="replace"))
        if size > MAX_ROW_BYTES:
            if left == MAX_ROW_BYTES:
                yield link.hash, None
            return
        left -= size
        if left < 0:
            return
        yield link.hash, list(link.row)


SIGNED: Final = "signed"
Wants: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
"""Whether the head is signed at a row of this kind with this body."""


class HeadSigner:
    """Signs the heads of rows that ``wants`` accepts, each once. Used by one thread."""

    def __init__(self, wants: Wants) -> None:
        self.covered = ""
        """The kind of the row whose head ``sign`` signed last."""
        self._wants = wants
        self._looked_at = 0
        self._epoch = ""

    def sign(self, connection: sqlite3.Connection, key: Callable[[], DeviceKey]) -> SignedHead | None:
        """Return the signature of the last row since the last call that is to be signed.

        Raises ``TileclockError`` without a key or a readable file.
        """
        from wire.keys import signed_head  # noqa: PLC0415 - cryptography, in the server's thread

        first = next(links(connection, 1), None)
        if first is None:
            return None
        if first.hash != self._epoch:
            # The device has just started, or has begun another file.
            (last, _), found = last_of(connection) or (0, ""), last_signed_row(connection)
            self._epoch = first.hash
            # After a start at most the last 100 rows are looked at.
            self._looked_at = max(0 if found is None else found.seq, last - 100)
        wanted = None
        for link in links(connection, self._looked_at + 1):
            self._looked_at = link.seq
            if self._wants(str(link.row[1]), _body_of(link)):
                wanted = link
        if wanted is None:
            return None
        self.covered = str(wanted.row[1])
        return signed_head(key(), self._epoch[:EPOCH_DIGITS], wanted.seq, wanted.hash)


def last_signed_row(connection: sqlite3.Connection) -> HashedLink | None:
    (seq,) = connection.execute("SELECT max(seq) FROM rows WHERE kind = ?", (SIGNED,)).fetchone()
    return None if seq is None else next(links(connection, seq), None)


def _body_of(link: HashedLink) -> dict[str, Any]:
    try:
        found = json.loads(str(link.row[-1]))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def signed_head_in(row: Sequence[object]) -> SignedHead | None:
    """Return what a row of the kind ``SIGNED`` says; None: it cannot be read."""
    try:
        return SignedHead.model_validate_json(str(row[-1]))
    except ValidationError:
        return None


class Proof(Struct, frozen=True):
    """A sentence about what holds, and whether it is what was asked for."""

    sentence: str
    holds: bool = True


def signed_by(connection: sqlite3.Connection, kind: str, key: str | None) -> Proof:
    """Return whether the last signature in a whole chain fits.

    ``kind``: ``topics.CLOCK`` or ``topics.STATION``. ``key``: the device's public key or id; None: any device's.
    """
    from wire.keys import is_genuine  # noqa: PLC0415 - cryptography

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
