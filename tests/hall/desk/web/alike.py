"""Whether two pictures of a page show the same, whoever has drawn the letters.

Another Chromium or FreeType draws the edges of letters differently, and lays a line out a pixel further on. So both pictures are compared in
cells of some pixels, each with the most alike of the other picture's cells around the same place. What is missing, new, elsewhere or of
another colour has no such cell. Small cells show letters and edges; large ones show faint grounds, in which letters hardly count.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import pygame

from tests.appliance.display.pictures import difference_of, plain

GRIDS: Final = ((4, 64), (24, 12))
"""Pixels of a cell's side, and the difference of a colour channel, of 255, that a cell may have: twice what letters with other hinting and without
subpixel positions make. What has moved by less than a small cell is alike; a hairline in light grey is too faint for both."""
_AROUND: Final = tuple(product((-1, 0, 1), repeat=2))


def differing(one: pygame.Surface, other: pygame.Surface) -> int:
    """Return how many cells of either picture have none alike in the other, each colour channel by itself; both have the same size."""
    return sum(_differing(_cells(one, cell), _cells(other, cell), tolerated) for cell, tolerated in GRIDS)


def _cells(picture: pygame.Surface, cell: int) -> pygame.Surface:
    width, height = picture.get_size()
    return pygame.transform.smoothscale(plain(picture), (width // cell, height // cell))


def _differing(cells: pygame.Surface, others: pygame.Surface, tolerated: int) -> int:
    least = (_least(cells, others), _least(others, cells))
    return sum(len(pygame.image.tobytes(each, "RGB").translate(None, bytes(range(tolerated + 1)))) for each in least)


def _least(cells: pygame.Surface, others: pygame.Surface) -> pygame.Surface:
    """Return the least difference of each of ``cells`` from ``others`` around its place."""
    least = difference_of(cells, others)
    for step in _AROUND:
        moved = others.copy()
        moved.blit(others, step)
        least.blit(difference_of(cells, moved), (0, 0), special_flags=pygame.BLEND_RGB_MIN)
    return least
