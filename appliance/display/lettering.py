"""Text on a surface, in the typeface of both programs. Sizes are the font's em in pixels; boxes bound the text.

Fonts and their glyphs are cached, texts are not: words that players typed must not stay in memory after the screen is cleared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.fit import ONE_LINE, PITCH, SMALLEST, Fitted, fit
from appliance.display.typeface import TYPEFACE

CAPITAL: Final = 0.668
"""The height of a capital, in font sizes (the font's own measure)."""
RULER: Final = 120
EXACT: Final = 26
"""Up to this size rounding per letter matters, so texts are measured at their own size."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A text style: largest size in pixels; ``place`` from 0.0 (left) to 1.0 (right); ``drop`` from 0.0 (top) to 1.0 (bottom)."""

    colour: Colour
    largest: int | None = None
    place: float = 0.0
    drop: float = 0.5
    one_line: float = ONE_LINE
    """The share of its largest size to which a text shrinks before it wraps."""
    smallest: int = SMALLEST
    """The smallest size in pixels: a longer text is cut."""
    even: bool = False
    """Lines of a text are about equally long, and none is left with one word."""


@lru_cache(maxsize=48)
def font(size: int) -> pygame.font.Font:
    """Return the font with an em of ``size`` pixels."""
    return pygame.font.Font(TYPEFACE, size)


def drawable(text: str) -> str:
    """Return ``text`` with escapes for characters no font accepts: lone surrogates (undecodable file names) and the null character."""
    return text if text.isprintable() else text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


def measure(text: str, size: int) -> int:
    """Return the width of ``text`` in pixels at ``size``, rounded up a little."""
    text = drawable(text)
    if size <= EXACT:
        return font(size).size(text)[0]
    return -(-font(RULER).size(text)[0] * size * 103 // (RULER * 100))


def _rendered(text: str, size: int, colour: Colour) -> pygame.Surface:
    # A text of combining characters alone has no width, and pygame raises an error for zero width.
    return font(size).render(text if font(size).size(text)[0] else "", True, colour)


def drop_fonts() -> None:
    """Clear the font cache: fonts are invalid after ``pygame.font.quit``."""
    font.cache_clear()


def write(surface: pygame.Surface, texts: Sequence[str], box: Box, pen: Pen) -> None:
    """Write ``texts``, each on a new line, fitted to ``box``."""
    fitted = fit([drawable(text) for text in texts], box, measure, pen.largest, pen.one_line, smallest=pen.smallest, even=pen.even)
    top = box.y + int((box.height - fitted.height) * pen.drop)
    for index, line in enumerate(fitted.lines):
        made = _rendered(line, fitted.size, pen.colour)
        left = box.x + int((box.width - made.get_width()) * pen.place)
        surface.blit(made, (left, _line_top(top, index, fitted)))


def _line_top(top: int, index: int, fitted: Fitted) -> int:
    """Centre the capitals on the line, which looks centred."""
    baseline = top + int((index + 0.5) * fitted.size * PITCH + CAPITAL * fitted.size / 2)
    return baseline - font(fitted.size).get_ascent()
