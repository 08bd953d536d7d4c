"""Pictures for serial LED modules, as values: lit segments, points, colon and apostrophe, in a sequence of frames; the font; and the pictures as bytes. Pure.

A module is a SparkFun Serial7Segment or OpenSegment: four digits of seven segments, each with a point at its lower right, a colon in the middle, an apostrophe at
the top between the third and fourth digit. The program makes a ``Picture``; ``hardware.led.module`` shows it.

In the font the 7 has its upper left stroke, so that a dead top segment does not make it a 1. Letters that seven segments cannot draw (K, M, V, W, X) have the
nearest shape that is not another letter's. Text of any language is folded to these letters.

The bytes are the protocol of both modules (SparkFun's wiki, "Special Commands"):

| byte | command | its one argument |
| --- | --- | --- |
| 0x76 | clear, cursor to the left | none |
| 0x77 | points, colon, apostrophe | bits 0 to 3 the points from the left, 4 the colon, 5 the apostrophe |
| 0x79 | cursor | 0 to 3 |
| 0x7A | brightness | 0 to 100 |
| 0x7B to 0x7E | one digit's segments, from the left | bits 0 to 6 are A to G |

The module writes every brightness command to an EEPROM that endures about 100,000 writes: brightness is sent only when a port is opened. After a loss of power a
module has its old brightness and digits of its own (some firmware shows 1234): everything else is sent again every second.
"""

import unicodedata
from typing import Final

from msgspec import Struct

DIGITS: Final = 4
A, B, C, D, E, F, G = (1 << bit for bit in range(7))
"""The segments of a digit in the module's order: A at the top, B to F clockwise, G in the middle."""
POINTS: Final = tuple(1 << digit for digit in range(DIGITS))


class Lit(Struct, frozen=True):
    digits: tuple[int, int, int, int] = (0, 0, 0, 0)
    points: int = 0
    colon: bool = False
    apostrophe: bool = False


DARK: Final = Lit()
ALL_LIT: Final = Lit((A | B | C | D | E | F | G,) * DIGITS, sum(POINTS), colon=True, apostrophe=True)


class Frame(Struct, frozen=True):
    """A display and its duration in ms."""

    lit: Lit
    ms: int


class Picture(Struct, frozen=True):
    """Frames in a loop, each of some ms; a single frame is a still picture."""

    frames: tuple[Frame, ...]
    theme: str = ""
    """A picture with the theme of the current one continues its timing; others start at the first frame."""

    def at(self, ms: int) -> tuple[Lit, int | None]:
        """Return the display ``ms`` after the start, and its remaining time in ms (None: for ever)."""
        if len(self.frames) == 1:
            return self.frames[0].lit, None
        into = ms % sum(frame.ms for frame in self.frames)
        for frame in self.frames:
            if into < frame.ms:
                break
            into -= frame.ms
        return frame.lit, frame.ms - into


def still(lit: Lit) -> Picture:
    return Picture((Frame(lit, 1),))


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


class Cell(Struct, frozen=True):
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


POINTS_COMMAND: Final = 0x77
CURSOR_COMMAND: Final = 0x79
BRIGHTNESS_COMMAND: Final = 0x7A
DIGIT_COMMANDS: Final = (0x7B, 0x7C, 0x7D, 0x7E)
COLON_BIT: Final = 1 << 4
APOSTROPHE_BIT: Final = 1 << 5
IN_STEP: Final = bytes((CURSOR_COMMAND, 0))
"""Sent before each whole picture: a module still waiting for an argument takes the first byte as that argument, harmlessly, and shows the second as a digit that is
overwritten at once. Without it, the segments of an 8 would be the command that changes the speed."""
BRIGHTEST: Final = 100


def changes(before: Lit, now: Lit) -> bytes:
    sent = bytearray()
    for command, old, new in zip(DIGIT_COMMANDS, before.digits, now.digits, strict=True):
        if old != new:
            sent += bytes((command, new))
    if _marks(before) != _marks(now):
        sent += bytes((POINTS_COMMAND, _marks(now)))
    return bytes(sent)


def whole(lit: Lit) -> bytes:
    """Return the bytes of the whole display, valid whatever state the module is in."""
    digits = (byte for pair in zip(DIGIT_COMMANDS, lit.digits, strict=True) for byte in pair)
    return IN_STEP + bytes((*digits, POINTS_COMMAND, _marks(lit)))


def brightness(percent: int) -> bytes:
    return bytes((BRIGHTNESS_COMMAND, percent))


def _marks(lit: Lit) -> int:
    return lit.points | (COLON_BIT if lit.colon else 0) | (APOSTROPHE_BIT if lit.apostrophe else 0)
