"""Drawing on a surface: text in the typeface of both programs, shapes with smooth edges, and QR codes.

A text's size is the font's em in pixels; boxes bound the text. Fonts and their glyphs are cached, and the latest texts: words that players typed must not stay in
memory, so who has drawn them calls ``forget_texts``. Shapes are drawn four times as large, scaled down, cached. A QR code is as large as its box allows: whole pixels for a module, and the
quiet zone that readers need.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Final

import pygame
from msgspec import Struct

from appliance.display.layout import DISC, ONE_LINE, PITCH, SMALLEST, TYPEFACE, Box, Colour, Fitted, Point, Polyline, Shape, fit

CAPITAL: Final = 0.668
"""The height of a capital, in font sizes (the font's own measure)."""
RULER: Final = 120
EXACT: Final = 26
"""Up to this size rounding per letter matters, so texts are measured at their own size."""


class Pen(Struct, frozen=True):
    """A text style: largest size in pixels; ``place`` from 0.0 (left) to 1.0 (right); ``drop`` from 0.0 (top) to 1.0 (bottom)."""

    colour: Colour
    largest: int | None = None
    place: float = 0.0
    drop: float = 0.5
    one_line: float = ONE_LINE
    smallest: int = SMALLEST
    even: bool = False
    """Lines of a text are about equally long, and none is left with one word."""


@lru_cache(maxsize=48)
def font(size: int) -> pygame.font.Font:
    return pygame.font.Font(TYPEFACE, size)


def drawable(text: str) -> str:
    """Return ``text`` with escapes for characters no font accepts: lone surrogates (undecodable file names) and the null character."""
    return text if text.isprintable() else text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


def measure(text: str, size: int) -> int:
    return _width(text, size) if size <= EXACT else -(-_width(text, RULER) * size * 103 // (RULER * 100))


@lru_cache(maxsize=512)
def _width(text: str, size: int) -> int:
    return font(size).size(drawable(text))[0]


@lru_cache(maxsize=64)
def _rendered(text: str, size: int, colour: Colour) -> pygame.Surface:
    try:
        return font(size).render(text, True, colour)
    except pygame.error:
        # A text of combining characters alone has no width.
        return font(size).render("", True, colour)


def forget_texts() -> None:
    _width.cache_clear()
    _rendered.cache_clear()


def write(surface: pygame.Surface, texts: Sequence[str], box: Box, pen: Pen) -> None:
    fitted = fit([drawable(text) for text in texts], box, measure, pen.largest, pen.one_line, smallest=pen.smallest, even=pen.even)
    write_fitted(surface, fitted, box, pen)


def write_fitted(surface: pygame.Surface, fitted: Fitted, box: Box, pen: Pen) -> None:
    top = box.y + int((box.height - fitted.height) * pen.drop)
    for index, line in enumerate(fitted.lines):
        made = _rendered(line, fitted.size, pen.colour)
        left = box.x + int((box.width - made.get_width()) * pen.place)
        surface.blit(made, (left, _line_top(top, index, fitted)))


def _line_top(top: int, index: int, fitted: Fitted) -> int:
    """Centre the capitals on the line, which looks centred."""
    baseline = top + int((index + 0.5) * fitted.size * PITCH + CAPITAL * fitted.size / 2)
    return baseline - font(fitted.size).get_ascent()


FINER: Final = 4


@lru_cache(maxsize=192)
def stencil(shape: Shape, height: int, colour: Colour) -> pygame.Surface:
    width = max(1, round(shape.width * height))
    large = pygame.Surface((width * FINER, height * FINER), pygame.SRCALPHA)
    ink, unit = (*colour, 255), height * FINER
    for outline in shape.fills:
        pygame.draw.polygon(large, ink, [(x * unit, y * unit) for x, y in outline])
    for line in shape.lines:
        _stroke(large, line, shape.weight * unit / 2, unit, ink)
    small = pygame.transform.smoothscale(large, (width, height))
    # The ground was black where it is transparent, and darkens the edges: half the work of filling the large surface before.
    small.fill((*colour, 0), special_flags=pygame.BLEND_RGB_MAX)
    # Most of a numeral is all opaque or all transparent: in runs it is drawn in a third of the time.
    small.set_alpha(255, pygame.RLEACCEL)
    return small


def _stroke(surface: pygame.Surface, line: Polyline, half: float, unit: int, ink: tuple[int, int, int, int]) -> None:
    points = [(x * unit, y * unit) for x, y in line]
    for point in points:
        pygame.draw.circle(surface, ink, point, half)
    for start, end in pairwise(points):
        pygame.draw.polygon(surface, ink, _band(start, end, half))


def _band(start: Point, end: Point, half: float) -> list[Point]:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    across = (-(end[1] - start[1]) * half / length, (end[0] - start[0]) * half / length)
    return [
        (start[0] + across[0], start[1] + across[1]),
        (end[0] + across[0], end[1] + across[1]),
        (end[0] - across[0], end[1] - across[1]),
        (start[0] - across[0], start[1] - across[1]),
    ]


def stamp(surface: pygame.Surface, shape: Shape, box: Box, colour: Colour) -> None:
    height = max(1, min(box.height, int(box.width / shape.width)))
    made = stencil(shape, height, colour)
    surface.blit(made, (box.x + (box.width - made.get_width()) // 2, box.y + (box.height - height) // 2))


def rounded(surface: pygame.Surface, box: Box, radius: int, colour: Colour, weight: int | None = None) -> None:
    """Fill ``box`` with round corners; between them only ``weight`` pixels at both sides, if given: the inside comes next."""
    radius = min(radius, box.width // 2, box.height // 2)
    wide = box.width if weight is None or weight > radius else weight
    for x in {box.x, box.right - wide}:
        surface.fill(colour, (x, box.y + radius, wide, box.height - 2 * radius))
    if radius:
        for y in (box.y, box.bottom - radius):
            surface.fill(colour, (box.x + radius, y, box.width - 2 * radius, radius))
        disc = stencil(DISC, 2 * radius, colour)
        for x in (box.x, box.right - 2 * radius):
            for y in (box.y, box.bottom - 2 * radius):
                surface.blit(disc, (x, y))


def framed(surface: pygame.Surface, box: Box, radius: int, colours: tuple[Colour, Colour], weight: int) -> None:
    line, fill = colours
    rounded(surface, box, radius, line, None if fill == line else weight)
    if fill != line:
        rounded(surface, box.inset(weight), max(0, radius - weight), fill)


QUIET: Final = 4
"""Modules of the light edge, as the standard asks."""


def draw_qr(surface: pygame.Surface, box: Box, rows: Sequence[str], dark: Colour, light: Colour) -> None:
    """Draw the code in the middle of ``box``; nothing where it has no room. ``rows``: a text of 0 and 1 (dark) each; ``light`` is the edge's colour too."""
    modules = len(rows) + 2 * QUIET
    size = min(box.width, box.height) // modules
    left, top = (start + (length - size * modules) // 2 for start, length in ((box.x, box.width), (box.y, box.height)))
    surface.fill(light, (left, top, size * modules, size * modules))
    for down, row in enumerate(rows, QUIET):
        for across, module in enumerate(row, QUIET):
            if module == "1":
                surface.fill(dark, (left + across * size, top + down * size, size, size))
