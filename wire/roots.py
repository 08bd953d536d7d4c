"""The root of all signed heads: once a minute it covers the new ones and the root before (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

EVERY_NS: Final = 60 * 1_000_000_000
MOST_HEADS: Final = 10_000
"""The most heads that one root covers; more wait for the next."""


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A head that somebody else has kept."""

    device: str
    epoch: str
    seq: int
    head: str

    @classmethod
    def of_line(cls, line: str) -> KnownHead:
        """Return the head in a well-formed line."""
        device, epoch, seq, head = line.split()
        return cls(device, epoch, int(seq), head)

    @property
    def line(self) -> str:
        """The line of a file of heads, and what a root covers."""
        return f"{self.device} {self.epoch} {self.seq} {self.head}"


@dataclass(frozen=True, slots=True)
class RootOfHeads:
    """A root, its number, and the sorted lines that it covers beside the root before."""

    n: int
    root: str
    lines: tuple[str, ...]


FIRST: Final = RootOfHeads(0, "0" * 64, ())
"""The root "before" the first."""


def next_root(before: RootOfHeads, heads: Iterable[KnownHead]) -> RootOfHeads:
    """Return the root of ``heads`` after ``before``."""
    lines = tuple(sorted({head.line for head in heads}))
    return RootOfHeads(before.n + 1, root_of(before.root, lines), lines)


def root_of(before: str, lines: Sequence[str]) -> str:
    """Return the root of sorted ``lines`` after the root ``before``, both in hexadecimal."""
    return hashlib.sha256("\n".join((before, *lines)).encode()).hexdigest()
