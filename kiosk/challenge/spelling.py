"""From typed input to a word: the lexicon's spelling defines characters and tiles, and how a word is made of tiles.

A piece of a word is a keyboard character, perhaps a part of a tile (the C of CH), or the tile of an on-screen key. In the text that is looked up,
a tile that could be read otherwise is in brackets. Without a lexicon, a word judge can still write slips: every letter then counts as a tile.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from typing import Final

from kiosk.challenge.context import SHORTEST_WORD
from kiosk.challenge.flow import Notice, TypedWord
from kiosk.challenge.notices import notice
from lexicon.errors import Ambiguous, Unspellable
from lexicon.spelling import LONGEST_TEXT, Spelling, normalised

_CACHED: Final = 4
"""The number of alphabets whose characters are cached: the one in use, and those loaded next."""
_SPACES: Final = frozenset("\t\n\v\f\r")


def lookup_text(word: TypedWord) -> str:
    """Return the text for the lexicon: keys of several letters, and tiles that could be read otherwise, are in brackets."""
    return "".join(piece if len(piece) == 1 or piece.startswith("[") else f"[{piece}]" for piece in word)


def log_text(word: TypedWord, spelling: Spelling | None) -> str:
    """Return the spelling of a word for the log and the slips, the same for typed letters and for tile keys; looking it up gives the same result.

    Brackets surround only what would be read otherwise without; an incomplete word stays as typed.
    """
    text = lookup_text(word)
    try:
        return text if spelling is None else spelling.text(spelling.codes(text))
    except Unspellable:
        return text


def shown_text(word: TypedWord) -> str:
    """Return the word for players, without brackets."""
    return "".join(piece.strip("[]") for piece in word)


def pieces_of(character: str, spelling: Spelling | None) -> TypedWord | None:
    """Return the pieces of a typed (composed) character: capitals; for an accented letter that is on no tile, the tiles that represent it.

    None: the character belongs to no tile and to no typed form of one. That includes the digit that some lists write for a tile.
    """
    capitals = normalised(character)
    if spelling is None:
        return tuple(capitals) if capitals.isalpha() else None
    if capitals in spelling.typed:
        return _stands_for(capitals, spelling) if capitals.isalpha() else None
    return tuple(capitals) if set(capitals) <= _characters(spelling) else None


def with_pieces(word: TypedWord, pieces: TypedWord, spelling: Spelling | None) -> TypedWord:
    """Return the word with ``pieces`` appended; if they complete the typed form of a tile (the L.L of Catalan), the tile replaces it."""
    longer = (*word, *pieces)
    for length in range(min(len(longer), LONGEST_TEXT), 1, -1) if spelling is not None else ():
        text = "".join(longer[-length:])
        if spelling is not None and text in spelling.typed:
            return (*longer[:-length], *_stands_for(text, spelling))
    return longer


def piece_of(tile: str, spelling: Spelling | None) -> str | None:
    """Return the piece of a tile's key; None: the alphabet has no such tile."""
    if spelling is None:
        return tile if len(tile) == 1 and tile.isalpha() else None
    if tile not in spelling.tiles:
        return None
    return f"[{tile}]" if tile in _parts(spelling) else tile


def tiles_in(word: TypedWord, spelling: Spelling | None) -> int:
    """Return the number of tiles of a word; for an incomplete one, the number once its last tile (such as a half-typed L·L) is complete."""
    if spelling is None:
        return len(word)
    laid = _laid(word, spelling)
    if laid is not None:
        return laid
    counts = [0]
    for end in range(1, len(word) + 1):
        laid = _laid(word[:end], spelling)
        counts.append(1 + min(counts[end - length] for length in _last(word[:end], spelling)) if laid is None else laid)
    return counts[-1]


def fault(word: TypedWord, spelling: Spelling | None) -> Notice | None:
    """Return why a word cannot be looked up, or None: it is too short, it has no spelling in tiles, or more than one."""
    shown = shown_text(word)
    try:
        tiles = len(word) if spelling is None else len(spelling.codes(lookup_text(word)))
    except Ambiguous:
        return notice("ambiguous", word=shown)
    except Unspellable:
        return notice("unspellable", word=shown)
    return notice("short", word=shown, least=SHORTEST_WORD) if tiles < SHORTEST_WORD else None


def cleaned(text: str) -> str:
    """Return a typed text without control characters; tabs and line ends remain, as white space."""
    return "".join(character for character in text if character in _SPACES or not unicodedata.category(character).startswith("C"))


def named(characters: Iterator[str]) -> str:
    """Return characters for a sentence, each once; unprintable ones as their code point."""
    return " ".join(dict.fromkeys(_named(character) for character in characters))


def _named(character: str) -> str:
    alone = character.isprintable() and not unicodedata.combining(character)
    return character if alone else f"U+{ord(character):04X}"


def _stands_for(text: str, spelling: Spelling) -> TypedWord:
    """Return the tiles that a typed text represents, as the pieces of their keys."""
    return tuple(filter(None, (piece_of(spelling.tiles[number - 1], spelling) for number in spelling.typed[text])))


def _laid(word: TypedWord, spelling: Spelling) -> int | None:
    try:
        return len(spelling.codes(lookup_text(word)))
    except Unspellable:
        return None


def _last(word: TypedWord, spelling: Spelling) -> list[int]:
    """Return how many pieces at the end of a word may be one half-typed tile; always includes 1."""
    most = min(len(word), LONGEST_TEXT - 1)
    return [1, *(length for length in range(2, most + 1) if "".join(word[-length:]) in _begun(spelling))]


@functools.lru_cache(_CACHED)
def _begun(spelling: Spelling) -> frozenset[str]:
    """Return the beginnings of everything that takes several characters to type."""
    return frozenset(text[:end] for text in (*spelling.tiles, *spelling.typed) for end in range(1, len(text)))


@functools.lru_cache(_CACHED)
def _characters(spelling: Spelling) -> frozenset[str]:
    """Return all characters of tiles and of their typed forms."""
    return frozenset(character for text in (*spelling.tiles, *spelling.typed) for character in text)


@functools.lru_cache(_CACHED)
def _parts(spelling: Spelling) -> frozenset[str]:
    """Return the tiles that side by side may be read as another: A and B, if there is an AB. Not C and H of Spanish, which are never side by side."""
    longer = [tile for tile in spelling.tiles if len(tile) > 1 and _laid(tuple(tile), spelling) is None]
    return frozenset(tile for tile in spelling.tiles if len(tile) == 1 and any(tile in text for text in longer))
