"""The words of an open lexicon one after the other: the way through its units that ``for word in lexicon`` takes.

Bounded even in a file that was never verified: no longer than its longest word, and with no more steps than its words can need.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from lexicon.dawg import ENDS, TILE
from lexicon.errors import Closed, Damaged
from lexicon.header import Header
from lexicon.layout import BASE
from lexicon.spelling import Spelling


class OpenGraph(Protocol):
    """As much of an open ``Lexicon`` as walking and verifying need. ``Lexicon`` starts both, so they cannot import it."""

    @property
    def path(self) -> str:
        """Where the file is, for messages."""

    @property
    def header(self) -> Header:
        """What the file says of itself."""

    @property
    def spelling(self) -> Spelling:
        """How words are laid."""

    @property
    def closed(self) -> bool:
        """Whether it was closed."""

    def closed_error(self) -> Closed:
        """Return the refusal of a closed one."""

    def reach(self, codes: bytes) -> int:
        """Return the unit that these tiles lead to, 0 for none."""

    def edges(self, unit: int) -> list[int]:
        """Return the units that can follow ``unit``."""

    def payload(self) -> bytes:
        """Return all the units' bytes."""


def walk(lexicon: OpenGraph, prefix: bytes) -> Iterator[bytes]:
    """Yield the words, as tile numbers, that begin with the tiles ``prefix``, in order.

    Raises:
        Damaged: the file has longer or more words than it says, or leads out of itself.
        Closed: the lexicon is closed.
    """
    start = lexicon.reach(prefix)
    if start & ENDS:
        yield prefix
    header = lexicon.header
    steps, words = header.longest, header.words
    path = bytearray(prefix)
    # Most states are passed through again and again.
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
        # Every step of a whole file lies on the way to the next word.
        if steps < 0 or not words or len(path) > header.longest:
            raise Damaged(
                where=lexicon.path,
                expected=f"{header.words:,} words of at most {header.longest} tiles",
                found="more",
                remedy="Run: tilelexicon verify",
            )
        if unit & ENDS:
            steps, words = header.longest, words - 1
            yield bytes(path)
        base = unit >> BASE
        if base not in following:
            following[base] = lexicon.edges(unit)
        trail.append(iter(following[base]))
