"""What a device's chain proves beyond being whole: signed by this device, known to others since (docs/spec/wire.md, "Signed heads").

Another device's journal or log is a witness: each root of the hall that it has signed vouches for the heads that the root covers. So do the files
of heads and roots that the hall has kept, as `tilehall heads` writes them.
"""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from pydantic import ValidationError

from appliance.records.rows import hash_of
from appliance.records.sqlite import open_read_only
from faults.errors import TileclockError, reason
from wire.keys import is_genuine, signature_fits
from wire.record import EPOCH_DIGITS, SIGNED, body_of, last_signed_row
from wire.reports import SignedHead
from wire.signed_bytes import FIRST, Head, KnownHead, RootOfHeads, next_root
from wire.topics import CLOCK, STATION, device_id, is_device

if TYPE_CHECKING:
    from appliance.cli.heads import AskedProofs


_FIELDS: Final = 4
_REMEDY: Final = "Let the hall write the file again"


class BadHeads(TileclockError, ValueError):
    """The file is unusable."""


def read_heads(path: Path) -> tuple[KnownHead, ...]:
    """Return the heads in a file with a line ``device epoch seq head`` for each, as `tilehall` writes them; raises ``BadHeads``."""
    return tuple(_known(where, line.split()) for where, line in _lines(path))


def read_roots(path: Path) -> tuple[RootOfHeads, ...]:
    """Return the roots, from a file with a line ``n device epoch seq head`` for each head that root n covers; raises ``BadHeads``, also if it lacks one in between."""
    found = FIRST
    roots: list[RootOfHeads] = []
    for number, group in groupby(_lines(path), key=lambda each: each[1].split()[0]):
        where, _ = each = next(group)
        if number != str(found.n + 1):
            raise BadHeads(where=where, expected=f"root {found.n + 1}", found=number[:80], remedy=_REMEDY)
        found = next_root(found, (_known(at, line.split()[1:]) for at, line in (each, *group)))
        roots.append(found)
    return tuple(roots)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield where each line stands, and the line."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        found = reason(error) if isinstance(error, OSError) else "another kind of file"
        raise BadHeads(where=path, expected="a file with heads", found=found, remedy="Check the path") from error
    return ((f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip())


def _known(where: str, fields: Sequence[str]) -> KnownHead:
    if len(fields) == _FIELDS and is_device(fields[0]) and fields[2].isdigit():
        return KnownHead(fields[0], fields[1], int(fields[2]), fields[3])
    raise BadHeads(where=where, expected="device, epoch, row and hash", found=" ".join(fields)[:80], remedy=_REMEDY)


class BadWitness(TileclockError, ValueError):
    """The file of a witness is no journal or log."""


class Witness(Struct, frozen=True):
    """A device, and the roots in what it has signed, as ``n:root``."""

    device: str
    roots: frozenset[str]


def read_witness(path: Path) -> Witness:
    """Return what the journal or log at ``path`` has signed; raises ``BadWitness`` if that is nothing.

    Its own chain is not checked: the signatures alone vouch, for what others did.
    """
    try:
        with closing(open_read_only(path)) as connection:
            first = connection.execute("SELECT hash FROM rows WHERE seq = 1").fetchone()
            bodies = [str(body) for (body,) in connection.execute("SELECT body FROM rows WHERE kind = ? ORDER BY seq", (SIGNED,))]
    except (sqlite3.Error, OSError) as error:
        found = reason(error) if isinstance(error, OSError) else str(error)
        raise BadWitness(where=path, expected="the journal or log of another device", found=found, remedy="Check the path") from error
    epoch = "" if first is None else str(first[0])[:EPOCH_DIGITS]
    signed = list(_genuine(epoch, bodies))
    if not signed:
        remedy = "Take one of a device whose hall is switched on"
        raise BadWitness(where=path, expected="a journal or log with signatures", found="no signature that fits", remedy=remedy)
    # A device has one key.
    device = signed[-1][0]
    return Witness(device, frozenset(each.root for by, each in signed if by == device))


def _genuine(epoch: str, bodies: Sequence[str]) -> Iterator[tuple[str, SignedHead]]:
    for body in bodies:
        try:
            signed = SignedHead.model_validate_json(body)
        except ValidationError:
            continue
        for kind in (CLOCK, STATION):
            device = device_id(kind, base64.b64decode(signed.key))
            if is_genuine(device, epoch, signed):
                yield device, signed


class VouchedHead(Struct, frozen=True):
    """A head, and the other devices that vouch for it."""

    known: KnownHead
    by: tuple[str, ...]


def vouched_up_to(witnesses: Sequence[Witness], roots: Sequence[RootOfHeads]) -> list[VouchedHead]:
    """Return the heads that devices vouch for, by row. What a device says of itself does not count.

    ``roots``: from the first one on. They need no trust: each root was computed, and covers the ones before.
    """
    seen = {each.device: _last_seen(each, roots) for each in witnesses}
    found = []
    for root in roots:
        for known in map(KnownHead.of_line, root.lines):
            by = tuple(sorted(each for each, n in seen.items() if each != known.device and n >= root.n))
            if by:
                found.append(VouchedHead(known, by))
    return sorted(found, key=lambda each: each.known.seq)


def _last_seen(witness: Witness, roots: Sequence[RootOfHeads]) -> int:
    return max((root.n for root in roots if f"{root.n}:{root.root}" in witness.roots), default=0)


class Proof(Struct, frozen=True):
    """A sentence about what holds, and whether it is what was asked for."""

    sentence: str
    holds: bool = True


def signed_by(connection: sqlite3.Connection, kind: str, row: int | None, body: Mapping[str, Any], key: str | None) -> Proof:
    """Return whether the signature in a whole chain's last ``signed`` row (None: there is none) fits.

    ``kind``: ``topics.CLOCK`` or ``topics.STATION``. ``key``: the device's public key or id; None: any device's.
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
            f"The signature in row {row} does not fit: the rows before it were rewritten, or copied from another file.", holds=False
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


class Evidence(Struct, frozen=True):
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
    """Return what the files of the options hold, with the hall's ``roots`` where no file names them; raises ``BadHeads`` or ``BadWitness``."""
    return Evidence(
        asked.key,
        None if asked.known is None else read_heads(asked.known),
        tuple(map(read_witness, asked.witnesses)),
        roots if asked.roots is None else read_roots(asked.roots),
    )


def proofs(connection: sqlite3.Connection, kind: str, evidence: Evidence) -> list[Proof]:
    """Return what ``evidence`` shows of a whole chain, its last signature first; ``kind`` is ``topics.CLOCK`` or ``topics.STATION``."""
    last = last_signed_row(connection)
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
