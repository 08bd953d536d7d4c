"""Draw the footer of every page: lexicon, rulebook and station. One of the painters of ``paint_items``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from appliance.display.fit import SMALLEST
from appliance.display.lettering import Pen, measure, write
from kiosk.face.page import Tone
from kiosk.layout.placed import Placed
from kiosk.screens.palette import COATS, MIST, Coat


def footer(surface: pygame.Surface, item: Placed, _coat: Coat) -> None:
    """Draw all three side by side in one size, or the lexicon above the other two if the footer is high enough for two lines."""
    box = item.box
    lexicon, rulebook, station = item.texts
    surface.fill(COATS[Tone.QUIET].field, (box.x, box.y, box.width, box.height))
    inner = box.inset(item.size, max(1, box.height // 12))
    pens = [Pen(MIST, item.size, place) for place in (0.0, 0.5, 1.0)]
    if box.height > item.size * 2.4:
        half = inner.height // 2
        write(surface, [lexicon], inner.top(half), pens[0])
        low = inner.below(half)
        write(surface, [rulebook], low.left(low.width * 3 // 5), pens[0])
        write(surface, [station], low.beside(low.width * 3 // 5 + item.size), pens[2])
        return
    # One size for all three in full: the largest in which they fit side by side.
    size = next((size for size in range(item.size, SMALLEST, -1) if _beside(item.texts, size) <= inner.width), SMALLEST)
    first, last = measure(lexicon, size), measure(station, size)
    write(surface, [lexicon], inner.left(first), replace(pens[0], largest=size))
    write(surface, [rulebook], inner.beside(first + size).left(inner.width - first - last - 2 * size), replace(pens[1], largest=size))
    write(surface, [station], inner.beside(inner.width - last), replace(pens[2], largest=size))


def _beside(texts: Sequence[str], size: int) -> int:
    """Return the width of texts side by side, an em apart, in pixels."""
    return sum(measure(text, size) for text in texts) + (len(texts) - 1) * size
