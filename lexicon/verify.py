"""From an open lexicon to the proof that every byte is as it was built, or a sentence that says what is not.

The hash over the units alone would find every accident. The rest is for a file that someone made: a graph that goes in circles, holds other words than its
header's list, or keeps them in another order, is refused whatever hashes it carries.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator

from lexicon.dawg import ENDS, TILE
from lexicon.errors import BadName, Damaged
from lexicon.header import Header, pack_header
from lexicon.layout import BASE
from lexicon.naming import check_names
from lexicon.spelling import Spelling, is_normal
from lexicon.walk import OpenGraph, walk

_States = dict[int, tuple[int, ...]]
"""Under its base, the units of each state, in order of their tiles."""

_FEW = 32
"""Endings that are kept ready for a state: below so many words, copying beats walking."""

_KEPT = 1 << 10
"""Bytes of them: for words of hundreds of tiles they would fill the memory."""


def verify(lexicon: OpenGraph) -> None:
    """Read all of ``lexicon`` and hold it against its header.

    Raises:
        Damaged: it differs.
        Closed: the lexicon is closed.
    """
    try:
        _verify(lexicon)
    except Damaged as error:
        error.where, error.remedy = str(lexicon.path), "Copy the file anew or build it again"
        raise


def _verify(lexicon: OpenGraph) -> None:
    header, payload, spelling = lexicon.header, lexicon.payload(), lexicon.header.spelling()
    _same("the SHA-256 of the units", header.payload_sha256.hex(), hashlib.sha256(payload).hexdigest())
    if not all(is_normal(text) for text in (*spelling.tiles, *spelling.typed)):
        raise Damaged(expected="tiles in capitals, composed (NFC)", found="others")
    try:
        check_names(header.name, header.edition)
    except BadName as error:
        raise Damaged(expected=error.expected, found=error.found) from error
    _same_header(header, spelling)
    states = _states(payload, header)
    measured = _Measured(states, spelling.tiles, header.longest)
    _same("the number of words", header.words, measured.words(header.root))
    _same("the tiles of the longest word", header.longest, measured.heights[header.root])
    _same("the number of states that words pass through", header.states, len(measured.heights) - 1)
    pairs = (
        {(unit & TILE, after & TILE) for units in states.values() for unit in units for after in states.get(unit >> BASE, ())}
        if spelling.joins
        else set()
    )
    if spelling.may_break(pairs) and not all(map(spelling.can_lay, walk(lexicon, b""))):
        raise Damaged(expected="words that can be laid", found="one that breaks up a tile")
    words = _canonical(lexicon) if spelling.needs_brackets(pairs) else measured.lines(header.root)
    digest = hashlib.sha256()
    for some in words:
        digest.update(some)
    _same("the SHA-256 of the words", header.words_sha256.hex(), digest.hexdigest())


def _same_header(header: Header, spelling: Spelling) -> None:
    """Hold every byte of the header, zeros and the quick table too, against what a builder would write."""
    figures = (header.units, header.words, header.states, header.edges, header.root, header.longest)
    names = (header.name, header.edition, header.alphabet)
    again = pack_header(
        names=names, spelling=spelling, figures=figures, payload_sha256=header.payload_sha256, words_sha256=header.words_sha256
    )
    if again != header.data:
        raise Damaged(expected="the header that a builder writes for this list", found="another")


def _same(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise Damaged(expected=f"{what} to be {expected}", found=str(found))


def _states(payload: bytes, header: Header) -> _States:
    """Take the units apart: each belongs to a state, each state but the first is led to, and no two are alike."""
    tiles = range(1, header.tiles + 1)
    if not set(payload[::4]) <= {0, *tiles, *(tile | ENDS for tile in tiles)}:
        raise Damaged(expected="units that carry tiles of the alphabet", found="others")
    units = array("I", payload)
    _same("the number of units without a tile", units.count(0), payload[::4].count(0))
    states: _States = {}
    # Tuples of numbers, put together from lists of numbers: a quarter of a million objects fewer for the garbage collector to look through.
    bases = [at - (unit & TILE) for at, unit in enumerate(units) if unit]
    for base, unit in zip(bases, filter(None, units), strict=True):
        if base in states:
            states[base] += (unit,)
        else:
            states[base] = (unit,)
    led_to = {unit >> BASE for unit in units} - {0}
    if header.root in led_to or led_to | {header.root} != states.keys() or min(states) < 1:
        raise Damaged(expected="edges that lead to all states and nowhere else", found="others")
    _same("the number of states", header.states, len(states))
    _same("the number of edges", header.edges, sum(map(len, states.values())))
    _same("the number of different states", header.states, len(set(states.values())))
    return states


class _Measured:
    """What lies below each state: how many words, how long, and their endings themselves where they are few."""

    def __init__(self, states: _States, tiles: tuple[str, ...], longest: int) -> None:
        self._states, self._longest = states, longest
        self._texts = [b"", *(tile.encode() for tile in tiles)]
        self._counts = {0: 0}
        self.heights = {0: 0}
        self._endings: dict[int, bytes] = {0: b""}
        """A line each."""

    def words(self, base: int, depth: int = 1) -> int:
        """Return how many words end below the state of this base, ``depth`` tiles into them; every state below is measured but once.

        Raises:
            Damaged: a way is longer than the longest word, or ends in no word.
        """
        # A graph that goes in circles is as deep as one likes.
        if depth > self._longest:
            raise Damaged(expected="no word longer than the header says", found="a longer one, or a circle")
        counts, heights, endings = self._counts, self.heights, self._endings
        count = height = 0
        few, lines = True, b""
        for unit in self._states[base]:
            below, text = unit >> BASE, self._texts[unit & TILE]
            if unit & ENDS:
                count += 1
                lines += text + b"\n"
            elif not below:
                raise Damaged(expected="every way to end in a word", found="one that does not")
            if below:
                beyond = counts.get(below)
                count += self.words(below, depth + 1) if beyond is None else beyond
                if heights[below] > height:  # noqa: PLR1730 - a quarter of a million times, and max() costs twice as much
                    height = heights[below]
                few = few and count <= _FEW and below in endings
                if few:
                    # The last of these texts belongs to a line that is not there.
                    lines += text + endings[below].replace(b"\n", b"\n" + text)[: -len(text)]
        counts[base], heights[base] = count, height + 1
        if few and len(lines) <= _KEPT:
            endings[base] = lines
        return count

    def lines(self, root: int) -> Iterator[bytes]:
        """Yield the lines of the canonical list, many at a time, for words whose text is just their tiles' texts."""
        trail = [(b"", iter(self._states[root]))]
        while trail:
            prefix, units = trail[-1]
            unit = next(units, None)
            if unit is None:
                trail.pop()
                continue
            prefix += self._texts[unit & TILE]
            if unit & ENDS:
                yield prefix + b"\n"
            endings = self._endings.get(unit >> BASE)
            if endings is None:
                trail.append((prefix, iter(self._states[unit >> BASE])))
            elif endings:
                yield prefix + endings.replace(b"\n", b"\n" + prefix)[: -len(prefix)]


def _canonical(lexicon: OpenGraph) -> Iterator[bytes]:
    """The lines of the canonical list, where some need brackets."""
    for codes in walk(lexicon, b""):
        yield f"{lexicon.spelling.text(codes)}\n".encode()
