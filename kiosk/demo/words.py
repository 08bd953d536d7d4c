"""The words of the scripted challenges: fixed ones if the list has them, otherwise some of the list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from kiosk.challenge.context import LONGEST_WORD, SHORTEST_WORD
from lexicon import Lexicon
from lexicon.errors import Unspellable

Tiles: TypeAlias = tuple[str, ...]
"""A word, as the texts of its tiles."""
_LOOKED_AT: Final = 5000
"""The number of words examined, from the list's beginning."""
_LIKED: Final = 5
"""The tiles of a word that is quick to type, and looks like a word."""


@dataclass(frozen=True, slots=True)
class TypedWords:
    """The words to type."""

    first: Tiles
    second: Tiles
    """With the first one, a play of two words, both in the list."""
    mistyped: Tiles
    """Not in the list."""
    meant: Tiles
    """In the list."""
    left: Tiles
    """Abandoned, and never judged."""


def words_of(lexicon: Lexicon) -> TypedWords | None:
    """Return the words for a demo with ``lexicon``; None: it has none for this script.

    Raises:
        LexiconError: the list cannot be read.
    """
    return _familiar(lexicon) or _chosen(lexicon)


def _familiar(lexicon: Lexicon) -> TypedWords | None:
    try:
        first, second, mistyped, meant, left = map(lexicon.spelling.codes, ("TILE", "RACKS", "CHALENGE", "CHALLENGE", "QI"))
    except Unspellable:
        return None
    if not all(map(lexicon.holds, (first, second, meant, left))) or lexicon.holds(mistyped):
        return None
    return _words(lexicon, first, second, mistyped, meant, left)


def _chosen(lexicon: Lexicon) -> TypedWords | None:
    known = sorted(_typeable(lexicon), key=lambda codes: abs(len(codes) - _LIKED))
    for meant in known:
        for mistyped in _slips(meant):
            if _can_be_typed(lexicon, mistyped) and not lexicon.holds(mistyped):
                return _words(lexicon, known[0], known[-1], mistyped, meant, known[0])
    return None


def _typeable(lexicon: Lexicon) -> Iterator[bytes]:
    codes = map(lexicon.spelling.codes, islice(lexicon, _LOOKED_AT))
    return (word for word in codes if _can_be_typed(lexicon, word))


def _can_be_typed(lexicon: Lexicon, codes: bytes) -> bool:
    """Return whether pressing these tiles' keys gives exactly this word."""
    pieces = (f"[{tile}]" if len(tile) > 1 else tile for tile in _tiles(lexicon, codes))
    try:
        return SHORTEST_WORD <= len(codes) <= LONGEST_WORD and lexicon.spelling.codes("".join(pieces)) == codes
    except Unspellable:
        return False


def _slips(codes: bytes) -> Iterator[bytes]:
    """Yield the word with one tile omitted or doubled."""
    for at in range(1, len(codes)):
        yield codes[:at] + codes[at + 1 :]
    for at in range(len(codes)):
        yield codes[: at + 1] + codes[at:]


def _words(lexicon: Lexicon, *codes: bytes) -> TypedWords:
    return TypedWords(*(_tiles(lexicon, each) for each in codes))


def _tiles(lexicon: Lexicon, codes: bytes) -> Tiles:
    return tuple(lexicon.spelling.tiles[code - 1] for code in codes)
