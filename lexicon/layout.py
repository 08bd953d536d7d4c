"""Lays a graph out as units for look-up in place: a double array in which each state has its own base.

A state's edge for tile t is at its base + t and contains t, so one comparison shows whether it exists. A state gets the first base where its edges fall into free
units and that no other state has: states with a common base could be confused. The states that most words pass through come first, so that a look-up touches few
pages of the file. FORMAT.md describes the bits.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from lexicon.dawg import ENDS, NEXT, TILE, Dawg
from lexicon.errors import TooLarge

BASE = 8
"""Shift to the base of an edge's next state; bit 7 is zero, bits 0 to 6 as in ``lexicon.dawg``."""

_BASES = 1 << (32 - BASE)

_WINDOW = 1 << 15
"""How many units behind the front are searched for free ones; further back a few may stay empty."""


@dataclass(frozen=True, slots=True)
class PlacedUnits:
    """The units of a lexicon file, and the root state's base."""

    units: array[int]
    root: int


def place(dawg: Dawg) -> PlacedUnits:
    """Lay out ``dawg``. The same graph always gives the same units.

    Raises:
        TooLarge: a base exceeds 24 bits.
    """
    order = _busiest_first(dawg)
    bases = _bases(dawg, order)
    units = array("I", bytes(4 * (max(bases[state] + (dawg.states[state][-1] & TILE) for state in order) + 1)))
    for state in order:
        base = bases[state]
        for edge in dawg.states[state]:
            tile = edge & TILE
            units[base + tile] = bases[edge >> NEXT] << BASE | edge & ENDS | tile
    return PlacedUnits(units, bases[dawg.root])


def _busiest_first(dawg: Dawg) -> list[int]:
    """Return the states by the number of words that pass through them, descending; without state 0, which needs no units."""
    states = dawg.states
    endings = [0] * len(states)
    for state, edges in enumerate(states):
        endings[state] = sum([endings[edge >> NEXT] + (edge >> 6 & 1) for edge in edges])
    beginnings = [0] * len(states)
    beginnings[dawg.root] = 1
    for state in range(dawg.root, 0, -1):
        for edge in states[state]:
            beginnings[edge >> NEXT] += beginnings[state]
    return sorted(range(dawg.root, 0, -1), key=lambda state: -endings[state] * beginnings[state])


def _bases(dawg: Dawg, order: list[int]) -> list[int]:
    """Return the base of every state by number; 0, which no state has, for state 0."""
    bases = [0] * len(dawg.states)
    # Bit n: unit front + n is used; base front + n is taken.
    front, used, taken = 0, 0, 1
    for state in order:
        tiles = [edge & TILE for edge in dawg.states[state]]
        blocked = taken
        for tile in tiles:
            blocked |= used >> tile
        free = (~blocked & (blocked + 1)).bit_length() - 1
        bases[state] = front + free
        taken |= 1 << free
        for tile in tiles:
            used |= 1 << (free + tile)
        if free > 2 * TILE:
            front, used, taken = _moved_on(front, used, taken)
    if max(bases) >= _BASES:
        raise TooLarge(
            expected=f"a list whose graph needs at most {_BASES:,} bases",
            found=f"one that needs {max(bases) + 1:,}",
            remedy="Split the list",
        )
    return bases


def _moved_on(front: int, used: int, taken: int) -> tuple[int, int, int]:
    """Move the front past bases that cannot reach a free unit."""
    first_free = (~used & (used + 1)).bit_length() - 1
    by = max(first_free - TILE, used.bit_length() - _WINDOW, 0)
    return front + by, used >> by, taken >> by
