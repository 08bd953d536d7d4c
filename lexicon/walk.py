"""The words of an open lexicon one after the other: the way through its units that ``for word in lexicon`` takes.

Bounded even in a file that was never verified: no longer than its longest word, and with no more steps than its words can need.
"""

from __future__ import annotations

from collections.abc import Iterator

from lexicon.dawg import ENDS, TILE
from lexicon.errors import Damaged
from lexicon.layout import BASE
from lexicon.reader import Lexicon


def walk(lexicon: Lexicon, prefix: bytes) -> Iterator[bytes]:
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
            raise lexicon.is_closed()
        path.append(unit & TILE)
        steps -= 1
        # Every step of a whole file lies on the way to the next word.
        if steps < 0 or not words or len(path) > header.longest:
            raise Damaged(
                f"{lexicon.path}: expected {header.words:,} words of at most {header.longest} tiles, found more. Run: tilelexicon verify."
            )
        if unit & ENDS:
            steps, words = header.longest, words - 1
            yield bytes(path)
        base = unit >> BASE
        if base not in following:
            following[base] = lexicon.edges(unit)
        trail.append(iter(following[base]))
