"""The 32-bit nodes of KWG and Zyzzyva: little-endian, the child list's index in the low bits, then two flags and the tile or letter."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

INDEX = 22
"""Bits of the index."""

LOW = (1 << INDEX) - 1
LAST, ENDS = 1 << 22, 1 << 23
TILE = 24
"""Shift to the tile or letter."""


def units(data: bytes) -> array[int]:
    """Return the 32-bit little-endian numbers in ``data``."""
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def packed(numbers: Sequence[int]) -> bytes:
    """Return ``numbers`` as 32-bit little-endian bytes."""
    units_of = array("I", numbers)
    if sys.byteorder == "big":
        units_of.byteswap()
    return units_of.tobytes()


def widened(nodes: Sequence[int]) -> list[int]:
    """Return nodes (index in bits 0 to 21, flags and tile above) as edges of ``siblings``."""
    return [node & LOW | node >> INDEX << 24 for node in nodes]
