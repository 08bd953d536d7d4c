"""What the painter draws with: the colours, the icons, and plates, icons and texts in a box.

Every text has a contrast of at least 7 to 1; good and bad also differ in lightness, so that colour-blind players can tell them apart. Icons need no font:
each is a figure of strokes one unit high.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import Final

import pygame
from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, framed, measure, stamp, write
from appliance.display.layout import Box, Colour, Polyline, Shape, lines_height
from kiosk.face.page import Icon, Tone
from kiosk.layout.labels import ABOVE, APART, BARE, BESIDE, LEAST, SIGN, goes_above, largest

GROUND: Final[Colour] = (13, 17, 23)
IVORY: Final[Colour] = (247, 242, 228)
INK: Final[Colour] = (14, 18, 24)
MIST: Final[Colour] = (176, 186, 198)
SLATE: Final[Colour] = (33, 41, 52)
NIGHT: Final[Colour] = (20, 26, 34)
STEEL: Final[Colour] = (84, 98, 114)
AMBER: Final[Colour] = (255, 198, 62)
MEADOW: Final[Colour] = (116, 214, 140)
CRIMSON: Final[Colour] = (152, 18, 30)
ROSE: Final[Colour] = (255, 138, 128)


class ItemColours(Struct, frozen=True):
    """The colours of a part: field, edge, text and icon, secondary text."""

    field: Colour
    edge: Colour
    text: Colour
    quiet: Colour

    @property
    def pressed(self) -> ItemColours:
        """The inverted colours of a pressed target."""
        return ItemColours(self.text, self.text, self.field, self.field)


COLOURS: Final[dict[Tone, ItemColours]] = {
    Tone.PLAIN: ItemColours(SLATE, STEEL, IVORY, MIST),
    Tone.MAIN: ItemColours(AMBER, AMBER, INK, INK),
    Tone.GOOD: ItemColours(MEADOW, MEADOW, INK, INK),
    Tone.BAD: ItemColours(CRIMSON, ROSE, IVORY, IVORY),
    Tone.WARNING: ItemColours(AMBER, AMBER, INK, INK),
    Tone.QUIET: ItemColours(NIGHT, STEEL, IVORY, MIST),
    Tone.OFF: ItemColours(NIGHT, NIGHT, MIST, MIST),
}
LETTER: Final = ItemColours(IVORY, IVORY, INK, INK)
"""For a key of the keyboard: a tile."""
CHOSEN: Final = ItemColours(SLATE, AMBER, IVORY, AMBER)
"""For the word being typed."""
BARE_COLOURS: Final = ItemColours(GROUND, GROUND, IVORY, MIST)
"""For text without a target."""


WEIGHT: Final = 0.13


def _arc(middle: tuple[float, float], radius: float, start: int, end: int) -> Polyline:
    """Return an arc; degrees run clockwise from the right."""
    steps = max(4, abs(end - start) // 10)
    angles = [radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple((middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles)


def _sign(name: Icon, *lines: Polyline, weight: float = WEIGHT, fills: tuple[Polyline, ...] = ()) -> Shape:
    return Shape(name.value, 1.0, lines, weight, fills)


_LOW: Final = 0.14
_HIGH: Final = 0.86
_SHOULDERS: Final[Polyline] = (*_arc((0.5, 0.98), 0.38, 180, 360), (0.12, 0.98))
_HEAD: Final = _arc((0.5, 0.27), 0.19, 0, 360)
_KEYHOLE: Final[Polyline] = ((0.2, 0.46), (0.8, 0.46), (0.8, 0.9), (0.2, 0.9), (0.2, 0.46))
_LEFT: Final[Polyline] = ((0.78, 0.1), (0.2, 0.5), (0.78, 0.9), (0.78, 0.1))
_SIGN: Final[Polyline] = ((0.5, 0.12), (0.92, 0.86), (0.08, 0.86), (0.5, 0.12))

SIGNS: Final[dict[Icon, Shape]] = {
    Icon.TICK: _sign(Icon.TICK, ((0.1, 0.55), (0.38, 0.84), (0.9, 0.18)), weight=0.19),
    Icon.CROSS: _sign(Icon.CROSS, ((_LOW, _LOW), (_HIGH, _HIGH)), ((_HIGH, _LOW), (_LOW, _HIGH)), weight=0.19),
    Icon.WARNING: _sign(Icon.WARNING, _SIGN, ((0.5, 0.4), (0.5, 0.58)), ((0.5, 0.72), (0.5, 0.721)), weight=0.1),
    Icon.LEFT: _sign(Icon.LEFT, _LEFT, fills=(_LEFT,), weight=0.1),
    Icon.RIGHT: _sign(Icon.RIGHT, tuple((1 - x, y) for x, y in _LEFT), fills=(tuple((1 - x, y) for x, y in _LEFT),), weight=0.1),
    Icon.UP: _sign(Icon.UP, tuple((y, x) for x, y in _LEFT), fills=(tuple((y, x) for x, y in _LEFT),), weight=0.1),
    Icon.DOWN: _sign(Icon.DOWN, tuple((y, 1 - x) for x, y in _LEFT), fills=(tuple((y, 1 - x) for x, y in _LEFT),), weight=0.1),
    Icon.BACK: _sign(Icon.BACK, ((0.1, 0.5), (0.92, 0.5)), ((0.44, _LOW), (0.1, 0.5), (0.44, _HIGH))),
    Icon.ERASE: _sign(
        Icon.ERASE,
        ((0.36, 0.18), (0.94, 0.18), (0.94, 0.82), (0.36, 0.82), (0.07, 0.5), (0.36, 0.18)),
        ((0.5, 0.38), (0.74, 0.62)),
        ((0.74, 0.38), (0.5, 0.62)),
        weight=0.09,
    ),
    Icon.PLUS: _sign(Icon.PLUS, ((0.5, 0.1), (0.5, 0.9)), ((0.1, 0.5), (0.9, 0.5)), weight=0.16),
    Icon.MINUS: _sign(Icon.MINUS, ((0.1, 0.5), (0.9, 0.5)), weight=0.16),
    Icon.REPEAT: _sign(Icon.REPEAT, _arc((0.5, 0.52), 0.36, -40, 250), ((0.52, 0.3), (0.8, 0.3), (0.8, 0.04))),
    Icon.PERSON: _sign(Icon.PERSON, _HEAD, _SHOULDERS[:-1], fills=(_HEAD, _SHOULDERS), weight=0.04),
    Icon.LOCK: _sign(
        Icon.LOCK, (*_arc((0.5, 0.34), 0.21, 180, 360), (0.71, 0.5)), ((0.29, 0.34), (0.29, 0.5)), fills=(_KEYHOLE,), weight=0.1
    ),
    Icon.HELP: _sign(Icon.HELP, (*_arc((0.5, 0.34), 0.23, 180, 405), (0.5, 0.58), (0.5, 0.66)), ((0.5, 0.87), (0.5, 0.871))),
    Icon.SPACE: _sign(Icon.SPACE, ((0.1, 0.46), (0.1, 0.72), (0.9, 0.72), (0.9, 0.46))),
    Icon.CLOCK: _sign(Icon.CLOCK, _arc((0.5, 0.5), 0.41, 0, 360), ((0.5, 0.26), (0.5, 0.52), (0.68, 0.62)), weight=0.1),
}


NEARLY: Final = 0.85


def plate(surface: pygame.Surface, box: Box, colours: ItemColours, *, edge: int | None = None) -> None:
    low = min(box.width, box.height)
    framed(surface, box, max(3, low // 8), (colours.edge, colours.field), max(1, low // 40) if edge is None else edge)


def sign(surface: pygame.Surface, icon: Icon, box: Box, colour: Colour) -> None:
    """Draw an icon in the middle of ``box``, as large as possible."""
    stamp(surface, SIGNS[icon], box, colour)


def sentence(surface: pygame.Surface, texts: Sequence[str], box: Box, pen: Pen) -> None:
    """Write ``texts``; wrap them, in even lines, before making them much smaller, and cut them before they are illegible."""
    write(surface, texts, box, replace(pen, one_line=NEARLY, even=True, smallest=LEAST))


def labelled(surface: pygame.Surface, box: Box, text: str, icon: Icon | None, pen: Pen) -> None:
    """Write ``text`` with its icon at the pen's place: side by side, or the icon above if that makes both larger.

    An icon that points to the right follows its text.
    """
    if not text:
        if icon is not None:
            sign(surface, icon, box.inset(box.width // 5, box.height // 5), pen.colour)
        return
    top = pen.largest or box.height
    beside = largest(text, box, top, BESIDE if icon else BARE, measure)
    above = largest(text, box, top, ABOVE, measure) if icon else (0, ())
    if icon is not None and goes_above(above[0], beside[0]):
        _draw_above(surface, box, icon, above[1], replace(pen, largest=above[0]))
    else:
        _draw_beside(surface, box, icon, beside[1], replace(pen, largest=beside[0]))


def _draw_beside(surface: pygame.Surface, box: Box, icon: Icon | None, lines: tuple[str, ...], pen: Pen) -> None:
    size = pen.largest or box.height
    tall, apart = (int(size * SIGN), int(size * APART)) if icon else (0, 0)
    wide = min(box.width - tall - apart, max(measure(line, size) for line in lines))
    left = box.x + int((box.width - wide - tall - apart) * pen.place)
    behind = icon is Icon.RIGHT
    if icon is not None:
        sign(surface, icon, Box(left + (wide + apart if behind else 0), box.y + (box.height - tall) // 2, tall, tall), pen.colour)
    field = Box(left + (0 if behind else tall + apart), box.y, wide, box.height)
    # Two lines are aligned to an icon before them; with an icon behind them they are centred, which looks better.
    write(surface, lines, field, pen if behind or not icon else replace(pen, place=0.0))


def _draw_above(surface: pygame.Surface, box: Box, icon: Icon, lines: tuple[str, ...], pen: Pen) -> None:
    size = pen.largest or box.height
    written = lines_height(len(lines), size)
    tall = max(int(size * SIGN), min(box.height - written, size * 2))
    top = box.y + max(0, box.height - tall - written) // 2
    sign(surface, icon, Box(box.x + int((box.width - tall) * pen.place), top, tall, tall), pen.colour)
    write(surface, lines, Box(box.x, top + tall, box.width, max(1, box.bottom - top - tall)), replace(pen, drop=0.0))
