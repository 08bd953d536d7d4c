"""Shapes on a surface with smooth edges: drawn four times as large, scaled down, cached."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.shapes import DISC, Point, Polyline, Shape

FINER: Final = 4


@lru_cache(maxsize=192)
def stencil(shape: Shape, height: int, colour: Colour) -> pygame.Surface:
    """Return the shape ``height`` pixels tall, in ``colour`` on a transparent ground."""
    width = max(1, round(shape.width * height))
    large = pygame.Surface((width * FINER, height * FINER), pygame.SRCALPHA)
    large.fill((*colour, 0))
    ink, unit = (*colour, 255), height * FINER
    for outline in shape.fills:
        pygame.draw.polygon(large, ink, [(x * unit, y * unit) for x, y in outline])
    for line in shape.lines:
        _stroke(large, line, shape.weight * unit / 2, unit, ink)
    return pygame.transform.smoothscale(large, (width, height))


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
    """Draw the shape in the middle of ``box``, as large as fits."""
    height = max(1, min(box.height, int(box.width / shape.width)))
    made = stencil(shape, height, colour)
    surface.blit(made, (box.x + (box.width - made.get_width()) // 2, box.y + (box.height - height) // 2))


def rounded(surface: pygame.Surface, box: Box, radius: int, colour: Colour) -> None:
    """Fill ``box`` with round corners."""
    radius = min(radius, box.width // 2, box.height // 2)
    surface.fill(colour, (box.x, box.y + radius, box.width, box.height - 2 * radius))
    if radius:
        for y in (box.y, box.bottom - radius):
            surface.fill(colour, (box.x + radius, y, box.width - 2 * radius, radius))
        disc = stencil(DISC, 2 * radius, colour)
        for x in (box.x, box.right - 2 * radius):
            for y in (box.y, box.bottom - 2 * radius):
                surface.blit(disc, (x, y))


def framed(surface: pygame.Surface, box: Box, radius: int, colours: tuple[Colour, Colour], weight: int) -> None:
    """Fill ``box`` with round corners and an edge ``weight`` pixels wide; ``colours`` are those of edge and inside."""
    line, fill = colours
    rounded(surface, box, radius, line)
    rounded(surface, box.inset(weight), max(0, radius - weight), fill)
