"""Drawing primitives: a plate, an icon, an icon beside a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.fit import lines_height
from appliance.display.lettering import Pen, measure, write
from appliance.display.stencil import framed, stamp
from kiosk.face.page import Icon
from kiosk.layout.labels import ABOVE, APART, BARE, BESIDE, SIGN, goes_above, largest
from kiosk.screens.icons import SIGNS
from kiosk.screens.palette import Coat

NEARLY: Final = 0.85


def plate(surface: pygame.Surface, box: Box, coat: Coat, *, edge: int | None = None) -> None:
    """Draw a field with round corners."""
    low = min(box.width, box.height)
    framed(surface, box, max(3, low // 8), (coat.edge, coat.field), max(1, low // 40) if edge is None else edge)


def sign(surface: pygame.Surface, icon: Icon, box: Box, colour: Colour) -> None:
    """Draw an icon in the middle of ``box``, as large as possible."""
    stamp(surface, SIGNS[icon], box, colour)


def sentence(surface: pygame.Surface, texts: Sequence[str], box: Box, pen: Pen) -> None:
    """Write ``texts``; wrap them, in even lines, before making them much smaller."""
    write(surface, texts, box, replace(pen, one_line=NEARLY, even=True))


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
