"""Sibling lists of edges, common to KWG, Zyzzyva and Quackle files; checked before words are read from them.

The edges of a state are consecutive, up to one flagged as last; an edge leads to the first edge of another list, or to none. A list may start in the middle of
another (wolges shares tails). Here an edge is one integer: the index of its child list in bits 0 to 23 (0: none), "last sibling" in bit 24, "a word ends here" in
bit 25, its tile or letter above. Index 0 is not an edge in any of the formats.

A file whose lists are checked is ``Found``: recognised, before its alphabet is chosen.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from msgspec import Struct

from lexicon.errors import TILES_IN_WORD, WORDS_IN_LEXICON, BadWordFile

CHILD = 0xFFFFFF
"""Mask of the index of an edge's child list."""

LAST = 1 << 24
ENDS = 1 << 25
TILE = 26
"""Shift to an edge's tile or letter."""

MAX_NODES = 1 << 22
"""The most edges read or written: the maximum of KWG, many times the need of the longest list, and few enough for memory."""

_UNSEEN, _OPEN, _DONE = range(3)


class Siblings(Struct, frozen=True):
    """Checked edges. Iteration yields each word once, one byte per tile in the file's numbering, in the file's order."""

    edges: Sequence[int]
    root: int
    words: int
    tiles: int
    """The number of tiles of all words together."""
    longest: int
    used: frozenset[int]

    def __iter__(self) -> Iterator[bytes]:
        edges, at = self.edges, self.root
        path, trail = bytearray(), list[int]()
        while True:
            edge = edges[at]
            path.append(edge >> TILE)
            if edge & ENDS:
                yield bytes(path)
            trail.append(at)
            at = edge & CHILD
            while not at:
                if not trail:
                    return
                last = trail.pop()
                path.pop()
                at = 0 if edges[last] & LAST else last + 1


class Census:
    """Traverses a file's edges, the whole array: counts the words and tiles behind each, and finds unreached edges.

    ``ordered``: siblings must ascend by tile; otherwise they must only differ. Raises ``BadWordFile``: too many edges, or an edge or list leads out.
    """

    def __init__(self, edges: Sequence[int], *, ordered: bool) -> None:
        size = len(edges)
        if not 1 < size <= MAX_NODES:
            raise BadWordFile(expected=f"2 to {MAX_NODES:,} nodes", found=f"{size:,}", remedy="Give a word file")
        if max([edge & CHILD for edge in edges]) >= size:
            raise _damaged("a node that leads out of the file")
        if not edges[-1] & LAST:
            raise _damaged("that its last list has no end")
        self.edges, self._ordered = edges, ordered
        self._seen = bytearray(size)
        self._words, self._tiles = [0] * size, [0] * size
        self._longest = bytearray(size)
        # For each edge, a bit set of its tile and its later siblings' tiles; only needed if siblings are not ordered.
        self._alike = [] if ordered else [0] * size

    def siblings(self, root: int, most: int = WORDS_IN_LEXICON) -> Siblings:
        """Follow all edges from the list at ``root``.

        Raises ``BadWordFile``: a cycle, a dead end, more than ``most`` words, an impossibly long word, or equal or unordered siblings.
        """
        edges, seen = self.edges, self._seen
        waiting = self._list(root)
        while waiting:
            at = waiting[-1]
            child = edges[at] & CHILD
            if seen[at] == _UNSEEN and seen[child] != _DONE and child:
                seen[at] = _OPEN
                waiting += self._list(child)
                continue
            self._close(at)
            if self._words[at] > most:
                raise BadWordFile(expected=f"at most {most:,} words", found="more", remedy="Give an intact word file, or split the list")
            waiting.pop()
        used = frozenset([edge >> TILE for edge, mark in zip(edges, seen, strict=True) if mark == _DONE])
        return Siblings(edges, root, self._words[root], self._tiles[root], self._longest[root], used)

    def unreached(self) -> Iterator[int]:
        """Yield the index of every edge but the first that has not been reached."""
        return (at for at, mark in enumerate(self._seen) if mark == _UNSEEN and at)

    def climbs(self) -> bool:
        """Return whether no reached edge leads to a lower tile: true for alphagrams, each word's letters in order."""
        edges = self.edges
        below = ((edge >> TILE, edges[edge & CHILD] >> TILE) for edge, mark in zip(edges, self._seen, strict=True) if mark and edge & CHILD)
        return all(tile <= next_tile for tile, next_tile in below)

    def _list(self, head: int) -> list[int]:
        """Return the edges from ``head`` on still to be traversed: the list, or its part before a finished tail."""
        edges, seen, at = self.edges, self._seen, head
        while seen[at] == _UNSEEN and not edges[at] & LAST:
            at += 1
        if seen[at] == _OPEN:
            raise _damaged("nodes that lead in a circle")
        return list(range(head, at if seen[at] == _DONE else at + 1))

    def _close(self, at: int) -> None:
        edge = self.edges[at]
        child, ends = edge & CHILD, edge & ENDS
        if not (child or ends):
            raise _damaged("a node where no word ends or continues")
        words = self._words[child] + bool(ends)
        tiles = self._tiles[child] + words
        longest = self._longest[child] + 1
        if not edge & LAST:
            words += self._words[at + 1]
            tiles += self._tiles[at + 1]
            longest = max(longest, self._longest[at + 1])
        if longest > TILES_IN_WORD:
            raise BadWordFile(expected=f"words of at most {TILES_IN_WORD} letters", found="a longer one", remedy="Give an intact word file")
        self._check_siblings(at, edge)
        self._words[at], self._tiles[at], self._longest[at] = words, tiles, longest
        self._seen[at] = _DONE

    def _check_siblings(self, at: int, edge: int) -> None:
        if self._ordered:
            if not edge & LAST and edge >> TILE >= self.edges[at + 1] >> TILE:
                raise _damaged("letters side by side that do not ascend")
            return
        later = 0 if edge & LAST else self._alike[at + 1]
        own = 1 << (edge >> TILE)
        if later & own:
            raise _damaged("the same letter twice side by side")
        self._alike[at] = later | own


def _damaged(found: str) -> BadWordFile:
    return BadWordFile(expected="the nodes of a word graph", found=f"{found}: damaged, or another kind of file", remedy="Copy it again")


class Format(Enum):
    """The word file formats; the values are their names on the command line."""

    TILECLOCK = "tileclock"
    TEXT = "text"
    KWG = "kwg"
    ZYZZYVA = "zyzzyva"
    QUACKLE = "quackle"
    QUACKLE0 = "quackle0"


class Found(Struct, frozen=True):
    """A file with checked edges.

    ``letters`` maps letters to texts if the file contains them; otherwise letters are tile numbers of an unnamed alphabet. ``whole``: ``letters`` is the whole
    alphabet, not only the used letters. ``doubts``: what else the file could be, each to follow "found" in a sentence.
    """

    format: Format
    siblings: Siblings
    letters: Mapping[int, str] | None = None
    whole: bool = False
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def no_words() -> BadWordFile:
    """Return the error for a sound file without words, which is always a mistake."""
    return BadWordFile(expected="words", found="a file that holds none", remedy="Give another")
