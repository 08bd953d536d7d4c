"""What the page of devices says of a device's card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from rules.duration import NS
from wire.reports import CardHealth

FULL_BYTES: Final = 16 << 20
"""Less is a failure for `tileclock doctor` too."""
SLOW_NS: Final = NS
"""A mark is due each second, and a commit that lasts longer is too slow for `tileclock doctor` too."""
_GB: Final = 1_000_000_000
_MB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class StorageWords:
    """A card in words."""

    mark: Literal["", "soft", "bad"]
    """How the words are marked; empty: all is well."""
    words: str
    more: str
    """What stands beside them."""


def storage_words(card: CardHealth) -> StorageWords:
    """Return the words for ``card``, the gravest first."""
    free = "" if card.free is None else f"{amount(card.free)} free"
    if card.fault is not None:
        return StorageWords("bad", "cannot be written", card.fault)
    if card.free is not None and card.free < FULL_BYTES:
        return StorageWords("bad", "full", free)
    if card.slowest_ns >= SLOW_NS:
        return StorageWords("soft", "slow", ", ".join(filter(None, (f"{card.slowest_ns / NS:.1f} s for a row", free))))
    return StorageWords("", "ok", free)


def amount(size: int) -> str:
    """Return a number of bytes as ``2.1 GB`` or ``840 MB``."""
    return f"{size / _GB:.1f} GB" if size >= _GB else f"{size // _MB} MB"
