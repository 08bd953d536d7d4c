"""Builds the minimal graph of sorted words, incrementally.

After J. Daciuk, S. Mihov, B. Watson, R. Watson, "Incremental construction of minimal acyclic finite-state automata", Computational Linguistics 26(1), 2000:
a branch that a later word has left cannot grow any more and is merged with an equal state if there is one. Memory grows with the graph, not
with the list. All writers, for our own and other programs' files, start from this graph.

An edge is one integer: tile in bits 0 to 5, "a word ends here" in bit 6, the next state's number above. State 0 has no edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

TILE = 0x3F
"""Mask of an edge's tile number, 1 to 63."""

ENDS = 0x40
"""Flag of an edge that ends a word."""

NEXT = 7
"""Shift to the number of an edge's next state."""

Edges = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dawg:
    """A minimal DAWG whose words end on edges.

    An edge always leads to a lower state number; the root is the last state; a state's edges ascend by tile.
    """

    states: tuple[Edges, ...]
    words: int
    longest: int
    """Tiles of the longest word."""

    @property
    def root(self) -> int:
        """The number of the root state; 0 if there are no words."""
        return len(self.states) - 1

    @property
    def edges(self) -> int:
        """The total number of edges."""
        return sum(map(len, self.states))


def minimal(words: Iterable[bytes]) -> Dawg:
    """Build the graph of ``words``: ascending, unique, none empty.

    Raises:
        ValueError: they are not ascending, or one is repeated or empty.
    """
    growing = _Growing()
    for word in words:
        growing.add(word)
    return growing.done()


def words_of(dawg: Dawg) -> Iterator[bytes]:
    """Yield every word of ``dawg`` in order."""
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
        """Merge or number the states of the branch below ``depth``."""
        branch, numbers, states = self._branch, self._numbers, self._states
        while len(branch) > depth + 1:
            edges = tuple(branch.pop())
            number = numbers.get(edges)
            if number is None:
                number = numbers[edges] = len(states)
                states.append(edges)
            branch[-1][-1] |= number << NEXT
