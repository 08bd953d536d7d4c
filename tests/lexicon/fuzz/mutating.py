"""A mutated lexicon file, asked everything that a reader can be asked: each answer is a verdict or a LexiconError, and soon."""

import hashlib
from contextlib import suppress
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from lexicon import Lexicon, LexiconError
from tests.lexicon.crafting import Crafted, resealed, taken_apart, true_words

_ASKED = ("AT", "cha", "CHAT", "[CH]AT", "Á", "a\u0301t", "", "TTTTTTTTTTTT", "?", "\ud800", "C", "S" * 300)
_FEW = 3000
"""Words that are walked through: a file that says it has millions may have them."""


def asked(path: Path) -> bool:
    """Open, look up, walk and verify ``path``; tell whether it was found whole.

    Raises:
        AssertionError: it was verified, but does not hold what a plain reading finds.
    """
    try:
        lexicon = Lexicon.open(path)
    except LexiconError:
        return False
    with lexicon:
        for word in _ASKED:
            with suppress(LexiconError):
                assert (word in lexicon) in {True, False}
        for prefix in ("", "CH", "A"):
            with suppress(LexiconError):
                assert all(map(len, islice(lexicon.starting(prefix), _FEW)))
        try:
            lexicon.verify()
        except LexiconError:
            return False
        content = path.read_bytes()
        assert hashlib.sha256(content[lexicon.header.size :]).digest() == content[64:96]
        words = true_words(taken_apart(content))
        assert words is not None
        assert [lexicon.spelling.codes(word) for word in lexicon] == words
        assert len(lexicon) == len(words)
    return True


def mutated(whole: bytes, changes: list[tuple[int, int]], cut: int, *, seal: bool) -> bytes:
    """Return ``whole`` with bytes changed (place, new value), cut to ``cut`` bytes if that is shorter, its header's CRC made to fit if ``seal``."""
    data = bytearray(whole)
    for at, value in changes:
        data[at % len(data)] = value
    size = int.from_bytes(whole[12:16], "little")
    if seal:
        data[:size] = resealed(bytes(data[:size]))
    return bytes(data[: max(cut, 0)] if cut < len(data) else data)


def recrafted(whole: bytes, changes: list[tuple[int, int]], root: int | None, *, count: bool) -> Crafted:
    """Return the file ``whole`` with units changed (index, new value), perhaps another root, and counts that fit as far as any can."""
    crafted = taken_apart(whole)
    units = list(crafted.units)
    for at, unit in changes:
        units[at % len(units)] = unit & 0xFFFFFFFF
    changed = replace(crafted, units=tuple(units), root=crafted.root if root is None else root)
    return changed.counted() if count else changed
