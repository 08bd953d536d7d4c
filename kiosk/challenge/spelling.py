"""From what is typed to what stands in a word: the lexicon's own spelling says which characters and tiles there are, and how a word is laid.

A piece of a word is a character as a keyboard gave it (it may be a part of a tile: C of CH), or a tile of one of the screen's keys. A tile that could be read
otherwise stands in brackets in the text that is looked up. Where there is no lexicon a word judge still writes slips: then every letter counts as a tile.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from typing import Final

from kiosk.challenge.context import SHORTEST_WORD
from kiosk.challenge.flow import Notice, Word
from kiosk.challenge.notices import notice
from lexicon.errors import Ambiguous, Unspellable
from lexicon.spelling import LONGEST_TEXT, Spelling, normalised

_KEPT: Final = 4
"""Alphabets of which the characters are remembered: the one in use, and one that is taken next."""
_SPACES: Final = frozenset("\t\n\v\f\r")


def lookup_text(word: Word) -> str:
    """Return the text that the lexicon takes: what was one key and is more than one letter, or could be read otherwise, in brackets."""
    return "".join(piece if len(piece) == 1 or piece.startswith("[") else f"[{piece}]" for piece in word)


def kept_text(word: Word, spelling: Spelling | None) -> str:
    """Return the one spelling of a word that the log keeps and slips bear, whether tiles were typed or their keys pressed; it is looked up by the same.

    In brackets stands only what would be read otherwise without; a word that is not complete stays as it was typed.
    """
    text = lookup_text(word)
    try:
        return text if spelling is None else spelling.text(spelling.codes(text))
    except Unspellable:
        return text


def shown_text(word: Word) -> str:
    """Return the word as players read it, without brackets."""
    return "".join(piece.strip("[]") for piece in word)


def pieces_of(character: str, spelling: Spelling | None) -> Word | None:
    """Return what a typed character (composed) puts into a word: capitals, of an accented letter that is on no tile those that stand for it.

    None where it is on no tile and in nothing that is typed for one; so is the figure that some lists write for a tile, for nobody types that.
    """
    capitals = normalised(character)
    if spelling is None:
        return tuple(capitals) if capitals.isalpha() else None
    if capitals in spelling.typed:
        return _stands_for(capitals, spelling) if capitals.isalpha() else None
    return tuple(capitals) if set(capitals) <= _characters(spelling) else None


def with_pieces(word: Word, pieces: Word, spelling: Spelling | None) -> Word:
    """Return the word with ``pieces`` at its end; where that completes what is typed for a tile (the L.L of Catalan), the tile stands there."""
    longer = (*word, *pieces)
    for length in range(min(len(longer), LONGEST_TEXT), 1, -1) if spelling is not None else ():
        text = "".join(longer[-length:])
        if spelling is not None and text in spelling.typed:
            return (*longer[:-length], *_stands_for(text, spelling))
    return longer


def piece_of(tile: str, spelling: Spelling | None) -> str | None:
    """Return what a tile's key puts into a word; None where the alphabet has no such tile."""
    if spelling is None:
        return tile if len(tile) == 1 and tile.isalpha() else None
    if tile not in spelling.tiles:
        return None
    return f"[{tile}]" if tile in _parts(spelling) else tile


def tiles_in(word: Word, spelling: Spelling | None) -> int:
    """Return how many tiles a word has; of one that cannot be laid as it stands, how many it will have once its last tile (the L·L half typed) is whole."""
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


def fault(word: Word, spelling: Spelling | None) -> Notice | None:
    """Return why a word cannot be looked up as it stands, or None: it is too short, it cannot be laid, or in two ways."""
    shown = shown_text(word)
    try:
        tiles = len(word) if spelling is None else len(spelling.codes(lookup_text(word)))
    except Ambiguous:
        return notice("ambiguous", word=shown)
    except Unspellable:
        return notice("unspellable", word=shown)
    return notice("short", word=shown, least=SHORTEST_WORD) if tiles < SHORTEST_WORD else None


def cleaned(text: str) -> str:
    """Return a typed text without control characters and the like: they are nobody's letters. Tabulators and line ends stay, as white space."""
    return "".join(character for character in text if character in _SPACES or not unicodedata.category(character).startswith("C"))


def named(characters: Iterator[str]) -> str:
    """Return characters for a sentence, each once; what cannot be shown by itself as its code point."""
    return " ".join(dict.fromkeys(_named(character) for character in characters))


def _named(character: str) -> str:
    alone = character.isprintable() and not unicodedata.combining(character)
    return character if alone else f"U+{ord(character):04X}"


def _stands_for(text: str, spelling: Spelling) -> Word:
    """Return the tiles that a text is typed for, as their keys would put them into a word."""
    return tuple(filter(None, (piece_of(spelling.tiles[number - 1], spelling) for number in spelling.typed[text])))


def _laid(word: Word, spelling: Spelling) -> int | None:
    try:
        return len(spelling.codes(lookup_text(word)))
    except Unspellable:
        return None


def _last(word: Word, spelling: Spelling) -> list[int]:
    """How many pieces at the end of a word may be one tile half typed; the last by itself in any case."""
    most = min(len(word), LONGEST_TEXT - 1)
    return [1, *(length for length in range(2, most + 1) if "".join(word[-length:]) in _begun(spelling))]


@functools.lru_cache(_KEPT)
def _begun(spelling: Spelling) -> frozenset[str]:
    """The beginnings of what takes several characters to type."""
    return frozenset(text[:end] for text in (*spelling.tiles, *spelling.typed) for end in range(1, len(text)))


@functools.lru_cache(_KEPT)
def _characters(spelling: Spelling) -> frozenset[str]:
    """Every character of a tile, or of something typed for one."""
    return frozenset(character for text in (*spelling.tiles, *spelling.typed) for character in text)


@functools.lru_cache(_KEPT)
def _parts(spelling: Spelling) -> frozenset[str]:
    """The tiles that side by side may be read as another: A and B, where there is an AB too. Not C and H of Spanish, which are never laid so."""
    longer = [tile for tile in spelling.tiles if len(tile) > 1 and _laid(tuple(tile), spelling) is None]
    return frozenset(tile for tile in spelling.tiles if len(tile) == 1 and any(tile in text for text in longer))
