"""The minimal graph of sorted words: builds it incrementally, and lays it out as units for look-up in place.

After J. Daciuk, S. Mihov, B. Watson, R. Watson, "Incremental construction of minimal acyclic finite-state automata", Computational Linguistics 26(1), 2000:
a branch that a later word has left cannot grow any more and is merged with an equal state if there is one. Memory grows with the graph, not
with the list. All writers, for our own and other programs' files, start from this graph.

An edge is one integer: tile in bits 0 to 5, "a word ends here" in bit 6, the next state's number above. State 0 has no edges.

The units are a double array in which each state has its own base. A state's edge for tile t is at its base + t and contains t, so one comparison shows whether it
exists. A state gets the first base where its edges fall into free units and that no other state has: states with a common base could be confused. The states that
most words pass through come first, so that a look-up touches few pages of the file. FORMAT.md describes the bits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lexicon.errors import TooLarge

TILE = 0x3F
"""Mask of an edge's tile number, 1 to 63."""

ENDS = 0x40
"""Flag of an edge that ends a word."""

NEXT = 7
"""Shift to the number of an edge's next state."""

Edges = tuple[int, ...]


class Dawg(Struct, frozen=True):
    """A minimal DAWG whose words end on edges.

    An edge always leads to a lower state number; the root is the last state; a state's edges ascend by tile.
    """

    states: tuple[Edges, ...]
    words: int
    longest: int

    @property
    def root(self) -> int:
        return len(self.states) - 1

    @property
    def edges(self) -> int:
        return sum(map(len, self.states))


def minimal(words: Iterable[bytes]) -> Dawg:
    """Build the graph of ``words``; raises ``ValueError`` unless they are ascending, unique and none is empty."""
    growing = _Growing()
    for word in words:
        growing.add(word)
    return growing.done()


def words_of(dawg: Dawg) -> Iterator[bytes]:
    states = dawg.states
    path = bytearray()
    trail = [iter(states[dawg.root])]
    while trail:
        edge = next(trail[-1], None)
        if edge is None:
            trail.pop()
            del path[-1:]
            continue
        path.append(edge & TILE)
        if edge & ENDS:
            yield bytes(path)
        trail.append(iter(states[edge >> NEXT]))


class _Growing:
    """The graph under construction: the finished states, and the branch of the last word, which may still grow."""

    def __init__(self) -> None:
        self._numbers: dict[Edges, int] = {(): 0}
        self._states: list[Edges] = [()]
        self._branch: list[list[int]] = [[]]
        self._last = b""
        self._words = 0
        self._longest = 0

    def add(self, word: bytes) -> None:
        last, branch = self._last, self._branch
        if word <= last:
            raise ValueError(f"expected words in ascending order, found {word!r} after {last!r}")
        shared = 0
        for mine, its in zip(word, last, strict=False):
            if mine != its:
                break
            shared += 1
        self._settle(shared)
        # _settle adds the next state's number to each edge later.
        for tile in word[shared:]:
            branch[-1].append(tile)
            branch.append([])
        branch[-2][-1] |= ENDS
        self._last = word
        self._words += 1
        self._longest = max(self._longest, len(word))

    def done(self) -> Dawg:
        self._settle(0)
        root = tuple(self._branch[0])
        if root:
            self._states.append(root)
        return Dawg(tuple(self._states), self._words, self._longest)

    def _settle(self, depth: int) -> None:
        branch, numbers, states = self._branch, self._numbers, self._states
        while len(branch) > depth + 1:
            edges = tuple(branch.pop())
            number = numbers.get(edges)
            if number is None:
                number = numbers[edges] = len(states)
                states.append(edges)
            branch[-1][-1] |= number << NEXT


BASE = 8
"""Shift to the base of an edge's next state; bit 7 is zero, bits 0 to 6 as in ``lexicon.dawg``."""

_BASES = 1 << (32 - BASE)

_WINDOW = 1 << 15
"""How many units behind the front are searched for free ones; further back a few may stay empty."""


class PlacedUnits(Struct, frozen=True):
    """The units of a lexicon file, and the root state's base."""

    units: array[int]
    root: int


def place(dawg: Dawg) -> PlacedUnits:
    """Lay out ``dawg``. The same graph always gives the same units. Raises ``TooLarge`` if a base exceeds 24 bits."""
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
