"""The exact bytes that each Ed25519 signature covers, and the root of all signed heads (docs/spec/wire.md, "Signed heads").

Each signature's bytes begin with its purpose, so that no signature is good for another one. Once a minute a root covers the new heads and the root before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct


class Head(Struct, frozen=True):
    """The head of a device's chain, as the device signs it."""

    device: str
    epoch: str
    seq: int
    head: str
    """The whole hash of row ``seq``, in hexadecimal."""
    root: str
    """The last root of the hall that the device has seen, ``n:root``; empty: none."""

    @property
    def signed_bytes(self) -> bytes:
        """What the device's signature covers."""
        return _lines("tc/1 head", self.device, self.epoch, str(self.seq), self.head, self.root)


def order_bytes(hall: str, body: str) -> bytes:
    """Return what the director's signature of an order covers; ``body`` is the text as sent."""
    return _lines("tc/1 order", hall, body)


def verdict_bytes(hall: str, body: str) -> bytes:
    """Return what a station's signature of a verdict covers; ``body`` is the text as sent."""
    return _lines("tc/1 verdict", hall, body)


def credential_bytes(hall: str, body: str) -> bytes:
    """Return what the hall's signature of a device's credential covers; ``body`` is the text as sent."""
    return _lines("tc/1 credential", hall, body)


def enrolment_bytes(transcript: str) -> bytes:
    """Return what a device's own key and its link's key sign to show that the device has them; ``transcript`` is the hash of the enrolment."""
    return _lines("tc/1 enrolment", transcript)


def renewal_bytes(hall: str, device: str, nonce: str) -> bytes:
    """Return what a link's key signs to renew the certificate of ``device``; ``nonce`` is the hall's."""
    return _lines("tc/1 renewal", hall, device, nonce)


def grant_bytes(hall: str, conversation: str, body: str) -> bytes:
    """Return what the hall's signature of an answer covers; ``conversation`` is the transcript of an enrolment, or the nonce of a renewal."""
    return _lines("tc/1 grant", hall, conversation, body)


def _lines(*lines: str) -> bytes:
    # The body comes last: it alone may contain line ends.
    return "\n".join(lines).encode()


EVERY_NS: Final = 60 * 1_000_000_000
MAX_HEADS: Final = 10_000
"""The most heads that one root covers; more wait for the next."""


class KnownHead(Struct, frozen=True):
    """A head that somebody else has kept."""

    device: str
    epoch: str
    seq: int
    head: str

    @classmethod
    def of_line(cls, line: str) -> KnownHead:
        device, epoch, seq, head = line.split()
        return cls(device, epoch, int(seq), head)

    @property
    def line(self) -> str:
        """The line of a file of heads, and what a root covers."""
        return f"{self.device} {self.epoch} {self.seq} {self.head}"


class RootOfHeads(Struct, frozen=True):
    """A root, its number, and the sorted lines that it covers beside the root before."""

    n: int
    root: str
    lines: tuple[str, ...]


FIRST: Final = RootOfHeads(0, "0" * 64, ())
"""The root "before" the first."""


def next_root(before: RootOfHeads, heads: Iterable[KnownHead]) -> RootOfHeads:
    lines = tuple(sorted({head.line for head in heads}))
    return RootOfHeads(before.n + 1, root_of(before.root, lines), lines)


def root_of(before: str, lines: Sequence[str]) -> str:
    """Return the root of sorted ``lines`` after the root ``before``, both in hexadecimal."""
    return hashlib.sha256("\n".join((before, *lines)).encode()).hexdigest()
