"""Iterates over the words of an open lexicon, for ``for word in lexicon``.

Bounded even for unverified files: by the longest word and the number of words in the header.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from faults.errors import Phrase
from lexicon.dawg import ENDS, TILE
from lexicon.errors import Closed, Damaged
from lexicon.header import Header
from lexicon.layout import BASE
from lexicon.spelling import Spelling


class OpenGraph(Protocol):
    """The part of an open ``Lexicon`` that walking and verifying need. ``Lexicon`` imports both, so they cannot import it."""

    @property
    def path(self) -> str:
        """The file's path, for messages."""

    @property
    def header(self) -> Header:
        """The file's header."""

    @property
    def spelling(self) -> Spelling:
        """The spelling of the file's alphabet."""

    @property
    def closed(self) -> bool:
        """Whether it is closed."""

    def closed_error(self) -> Closed:
        """Return the error for using it closed."""

    def reach(self, codes: bytes) -> int:
        """Return the unit reached by these tiles, 0 for none."""

    def edges(self, unit: int) -> list[int]:
        """Return the units that can follow ``unit``."""

    def payload(self) -> bytes:
        """Return all units' bytes."""


def walk(lexicon: OpenGraph, prefix: bytes) -> Iterator[bytes]:
    """Yield the words that begin with the tiles ``prefix``, as tile numbers, in order.

    Raises:
        Damaged: the file has longer or more words than its header says, or leads out of itself.
        Closed: the lexicon is closed.
    """
    start = lexicon.reach(prefix)
    if start & ENDS:
        yield prefix
    header = lexicon.header
    steps, words = header.longest, header.words
    path = bytearray(prefix)
    # Cache: most states are visited repeatedly.
    following: dict[int, list[int]] = {}
    trail = [iter(lexicon.edges(start))] if start else []
    while trail:
        unit = next(trail[-1], None)
        if unit is None:
            trail.pop()
            del path[-1:]
            continue
        if lexicon.closed:
            raise lexicon.closed_error()
        path.append(unit & TILE)
        steps -= 1
        # In a sound file every step leads to the next word.
        if steps < 0 or not words or len(path) > header.longest:
            raise _more_than_the_header_says(lexicon)
        if unit & ENDS:
            steps, words = header.longest, words - 1
            yield bytes(path)
        base = unit >> BASE
        if base not in following:
            following[base] = lexicon.edges(unit)
        trail.append(iter(following[base]))


def _more_than_the_header_says(lexicon: OpenGraph) -> Damaged:
    header = lexicon.header
    return Damaged(
        where=lexicon.path,
        expected=Phrase("{words:,} words of at most {tiles} tiles", words=header.words, tiles=header.longest),
        found="more",
        remedy="Run: tilelexicon verify",
    )
