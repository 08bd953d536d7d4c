"""Verifies that every byte of an open lexicon is as built, or says in one sentence what is not.

The hash of the units alone finds every accident. The other checks are against forged files: a graph with cycles, with other words than the header's list or in
another order is rejected whatever its hashes. A name or edition that no builder would write is rejected too: screens show it, and people read it aloud.
"""

import hashlib
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator
from datetime import date

from faults.errors import Phrase, as_phrase
from lexicon.dawg import BASE, ENDS, TILE
from lexicon.errors import BadName, Damaged
from lexicon.header import Header, pack_header
from lexicon.spelling import Spelling, is_normal

_BYTES = 100
_EDITION = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", re.ASCII)


def check_names(name: str, edition: str) -> None:
    """Check a list's name and edition; raises ``BadName``.

    ``name``: 1 to 100 bytes of UTF-8, composed (NFC), printable, without surrounding blanks. ``edition``: YYYY-MM-DD, YYYY-MM or YYYY, or empty.
    """
    composed = name.isprintable() and name == unicodedata.normalize("NFC", name)
    if not composed or not name or name != name.strip() or len(name.encode()) > _BYTES:
        raise BadName(
            expected=Phrase("a printable name of 1 to {most} bytes, without blanks around it", most=_BYTES),
            found=repr(name),
            remedy="Choose another",
        )
    if edition and not _is_date(edition):
        raise BadName(
            expected="an edition's date as YYYY-MM-DD, YYYY-MM or YYYY", found=repr(edition), remedy="Write it so, or leave it out"
        )


def _is_date(edition: str) -> bool:
    found = _EDITION.fullmatch(edition)
    if found is None:
        return False
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


_States = dict[int, tuple[int, ...]]
"""The units of each state by its base, in tile order."""

_CACHED_WORDS = 32
"""Most endings cached per state: for few words, copying is faster than walking."""

_CACHED_BYTES = 1 << 10
"""Most bytes of cached endings per state: those of very long words would fill the memory."""


def verify(header: Header, payload: bytes, walk: Callable[[], Iterator[bytes]]) -> None:
    """Check all bytes of a lexicon's units against its header; raises ``Damaged``. ``walk`` yields its words."""
    spelling = header.spelling()
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
    if spelling.may_split_tiles(pairs) and not all(map(spelling.can_spell, walk())):
        raise Damaged(expected="words that tiles spell", found="one that splits a tile")
    words = _canonical(spelling, walk()) if spelling.needs_brackets(pairs) else measured.lines(header.root)
    digest = hashlib.sha256()
    for some in words:
        digest.update(some)
    _same("the SHA-256 of the words", header.words_sha256.hex(), digest.hexdigest())


def _same_header(header: Header, spelling: Spelling) -> None:
    """Compare every byte of the header, including padding and the quick table, with what a builder would write."""
    figures = (header.units, header.words, header.states, header.edges, header.root, header.longest)
    names = (header.name, header.edition, header.alphabet)
    again = pack_header(
        names=names, spelling=spelling, figures=figures, payload_sha256=header.payload_sha256, words_sha256=header.words_sha256
    )
    if again != header.data:
        raise Damaged(expected="the header that a builder writes for this list", found="another header")


def _same(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise Damaged(expected=Phrase("{what} to be {expected}", what=as_phrase(what), expected=expected), found=str(found))


def _states(payload: bytes, header: Header) -> _States:
    """Group the units by state. Each must belong to a state, each state but the root must be a target, and no two may be equal."""
    tiles = range(1, header.tiles + 1)
    if not set(payload[::4]) <= {0, *tiles, *(tile | ENDS for tile in tiles)}:
        raise Damaged(expected="units that carry tiles of the alphabet", found="others")
    units = array("I", payload)
    _same("the number of units without a tile", units.count(0), payload[::4].count(0))
    states: _States = {}
    # Tuples from flat lists of numbers: a quarter of a million fewer objects for the garbage collector.
    bases = [at - (unit & TILE) for at, unit in enumerate(units) if unit]
    for base, unit in zip(bases, filter(None, units), strict=True):
        if base in states:
            states[base] += (unit,)
        else:
            states[base] = (unit,)
    targets = {unit >> BASE for unit in units} - {0}
    if header.root in targets or targets | {header.root} != states.keys() or min(states) < 1:
        raise Damaged(expected="edges that lead to all states and nowhere else", found="others")
    _same("the number of states", header.states, len(states))
    _same("the number of edges", header.edges, sum(map(len, states.values())))
    _same("the number of different states", header.states, len(set(states.values())))
    return states


class _Measured:
    """Measures the words below each state: number, length, and the endings themselves if few."""

    def __init__(self, states: _States, tiles: tuple[str, ...], longest: int) -> None:
        self._states, self._longest = states, longest
        self._texts = [b"", *(tile.encode() for tile in tiles)]
        self._counts = {0: 0}
        self.heights = {0: 0}
        self._endings: dict[int, bytes] = {0: b""}

    def words(self, base: int, depth: int = 1) -> int:
        """Return the number of words below the state with this base, ``depth`` tiles deep; each state is measured once.

        Raises:
            Damaged: a path is longer than the longest word, or ends without a word.
        """
        # A cyclic graph has no bottom.
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
                if heights[below] > height:  # noqa: PLR1730 - runs a quarter of a million times, and max() takes twice as long
                    height = heights[below]
                few = few and count <= _CACHED_WORDS and below in endings
                if few:
                    # Remove the last text, which starts a line that does not exist.
                    lines += text + endings[below].replace(b"\n", b"\n" + text)[: -len(text)]
        counts[base], heights[base] = count, height + 1
        if few and len(lines) <= _CACHED_BYTES:
            endings[base] = lines
        return count

    def lines(self, root: int) -> Iterator[bytes]:
        """Yield the canonical list, many lines at a time, for words that need no brackets."""
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


def _canonical(spelling: Spelling, words: Iterable[bytes]) -> Iterator[bytes]:
    for codes in words:
        yield f"{spelling.text(codes)}\n".encode()
