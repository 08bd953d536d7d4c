"""Another device's journal or log as a witness: each root of the hall that it has signed vouches for the heads that the root covers."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from appliance.records.sqlite import open_read_only
from faults.errors import TileclockError, reason
from wire.genuine import is_genuine
from wire.messages.reports import SignedHead
from wire.record import EPOCH_DIGITS
from wire.roots import KnownHead, RootOfHeads
from wire.signing import SIGNED
from wire.topics import CLOCK, STATION, device_id


class BadWitness(TileclockError, ValueError):
    """The file of a witness is no journal or log."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A device, and the roots in what it has signed, as ``n:root``."""

    device: str
    roots: frozenset[str]


def read_witness(path: Path) -> Witness:
    """Return what the journal or log at ``path`` has signed. Its own chain is not checked: the signatures alone vouch, for what others did.

    Raises:
        BadWitness: it cannot be read, is another kind of file, or holds nothing that its device has signed.
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


@dataclass(frozen=True, slots=True)
class VouchedHead:
    """A head, and the other devices that vouch for it."""

    known: KnownHead
    by: tuple[str, ...]


def vouched_up_to(witnesses: Sequence[Witness], roots: Sequence[RootOfHeads]) -> list[VouchedHead]:
    """Return the heads that devices vouch for, by row. What a device says of itself does not count.

    Args:
        witnesses: the devices.
        roots: the hall's, from the first one on. They need no trust: each root was computed, and covers the ones before.
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
