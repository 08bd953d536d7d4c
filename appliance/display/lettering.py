"""Words on a surface, in the one typeface of both programs. Sizes are the font's em in pixels; boxes bound what is drawn.

Fonts are kept, and in them each letter as it was drawn first. No text is: what players typed would lie in memory, in the order in which they did, long after the
screen has cleared itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.fit import ONE_LINE, PITCH, Fitted, fit
from appliance.display.typeface import TYPEFACE

CAPITAL: Final = 0.668
"""The height of a capital, in sizes (the font's own measure)."""
RULER: Final = 120
EXACT: Final = 26
"""Up to this size the rounding of each letter tells, and a text is measured in its own font."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How something is written: the largest size in pixels; ``place`` 0.0 left to 1.0 right; ``drop`` 0.0 at the top to 1.0 at the bottom."""

    colour: Colour
    largest: int | None = None
    place: float = 0.0
    drop: float = 0.5
    one_line: float = ONE_LINE
    """How far a text shrinks before it is wrapped, of its largest size."""


@lru_cache(maxsize=48)
def font(size: int) -> pygame.font.Font:
    """Return the font with an em of ``size`` pixels."""
    return pygame.font.Font(TYPEFACE, size)


def drawable(text: str) -> str:
    """Return ``text`` with escapes for what no font takes: half a surrogate pair (the name of a file that is no text) and the null character."""
    return text if text.isprintable() else text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


def measure(text: str, size: int) -> int:
    """Return the width of ``text`` in pixels at ``size``, or a little more."""
    text = drawable(text)
    if size <= EXACT:
        return font(size).size(text)[0]
    return -(-font(RULER).size(text)[0] * size * 103 // (RULER * 100))


def _written(text: str, size: int, colour: Colour) -> pygame.Surface:
    # Signs that only change the one before them are nothing by themselves, and pygame refuses to draw nothing.
    return font(size).render(text if font(size).size(text)[0] else "", True, colour)


def forget() -> None:
    """Let go of all fonts: those opened before ``pygame.font.quit`` may not be used after it."""
    font.cache_clear()


def write(surface: pygame.Surface, texts: Sequence[str], box: Box, pen: Pen) -> None:
    """Write ``texts``, each from a new line, so that they fit ``box``."""
    fitted = fit([drawable(text) for text in texts], box, measure, pen.largest, one_line=pen.one_line)
    top = box.y + int((box.height - fitted.height) * pen.drop)
    for index, line in enumerate(fitted.lines):
        made = _written(line, fitted.size, pen.colour)
        left = box.x + int((box.width - made.get_width()) * pen.place)
        surface.blit(made, (left, _line_top(top, index, fitted)))


def _line_top(top: int, index: int, fitted: Fitted) -> int:
    """The middle of the capitals on the middle of the line: what the eye takes for the middle."""
    baseline = top + int((index + 0.5) * fitted.size * PITCH + CAPITAL * fitted.size / 2)
    return baseline - font(fitted.size).get_ascent()
