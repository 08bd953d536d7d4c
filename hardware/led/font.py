"""The seven-segment font. Pure.

The 7 has its upper left stroke, so that a dead top segment does not make it a 1. Letters that seven segments cannot draw (K, M, V, W, X) have the nearest
shape that is not another letter's. Text of any language is folded to these letters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from hardware.led.picture import DIGITS, POINTS, A, B, C, D, E, F, G, Lit

GLYPHS: Final[dict[str, int]] = {
    "0": A | B | C | D | E | F,
    "1": B | C,
    "2": A | B | D | E | G,
    "3": A | B | C | D | G,
    "4": B | C | F | G,
    "5": A | C | D | F | G,
    "6": A | C | D | E | F | G,
    "7": A | B | C | F,
    "8": A | B | C | D | E | F | G,
    "9": A | B | C | D | F | G,
    "A": A | B | C | E | F | G,
    "B": C | D | E | F | G,
    "C": A | D | E | F,
    "c": D | E | G,
    "D": B | C | D | E | G,
    "E": A | D | E | F | G,
    "F": A | E | F | G,
    "G": A | C | D | E | F,
    "H": B | C | E | F | G,
    "h": C | E | F | G,
    "I": E | F,
    "J": B | C | D | E,
    "K": A | C | E | F | G,
    "L": D | E | F,
    "M": A | C | E,
    "N": C | E | G,
    "O": A | B | C | D | E | F,
    "o": C | D | E | G,
    "P": A | B | E | F | G,
    "Q": A | B | C | F | G,
    "R": E | G,
    "S": A | C | D | F | G,
    "T": D | E | F | G,
    "U": B | C | D | E | F,
    "u": C | D | E,
    "V": B | D | F,
    "W": B | D | F | G,
    "X": C | F | G,
    "Y": B | C | D | F | G,
    "Z": A | B | D | E,
    " ": 0,
    "-": G,
    "_": D,
    "+": E | F | G,
    "=": D | G,
    "≡": A | D | G,
    "?": A | B | E | G,
    "!": B,
    "'": F,
    "/": B | E | G,
    "(": A | D | E | F,
    ")": A | B | C | D,
}
"""Segments by character. Upper and lower case share a glyph unless both are listed."""
_POINTED: Final = ".,:;"
"""Shown as the point of the previous glyph."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One digit: its segments, and whether its point is lit."""

    segments: int
    point: bool = False


def glyph(character: str) -> int:
    """Return the segments of a character; blank if unknown."""
    for each in (character, character.upper(), character.lower()):
        if each in GLYPHS:
            return GLYPHS[each]
    return 0


def cells(text: str) -> tuple[Cell, ...]:
    """Return a text as cells; accents are dropped, and punctuation becomes the point of the previous cell."""
    places: list[Cell] = []
    for character in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(character):
            continue
        if character in _POINTED and places and not places[-1].point:
            places[-1] = Cell(places[-1].segments, point=True)
        else:
            places.append(Cell(0, point=True) if character in _POINTED else Cell(glyph(character)))
    return tuple(places)


def lit(places: tuple[Cell, ...]) -> Lit:
    """Return the first four cells as a display, padded with blanks on the right."""
    first, second, third, fourth = (*places, *(Cell(0),) * DIGITS)[:DIGITS]
    points = sum(bit for bit, place in zip(POINTS, (first, second, third, fourth), strict=True) if place.point)
    return Lit((first.segments, second.segments, third.segments, fourth.segments), points)
