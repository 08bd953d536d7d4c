"""A QR code, as large as its box allows: whole pixels for a module, and the quiet zone that readers need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour

QUIET: Final = 4
"""Modules of the light edge, as the standard asks."""


def draw_qr(surface: pygame.Surface, box: Box, rows: Sequence[str], dark: Colour, light: Colour) -> None:
    """Draw the code in the middle of ``box``; nothing where it has no room.

    Args:
        surface: to draw on.
        box: its room.
        rows: the modules, a text of 0 and 1 each; 1 is dark.
        dark: the colour of a 1.
        light: of a 0, and of the edge.
    """
    modules = len(rows) + 2 * QUIET
    size = min(box.width, box.height) // modules
    left, top = (start + (length - size * modules) // 2 for start, length in ((box.x, box.width), (box.y, box.height)))
    surface.fill(light, (left, top, size * modules, size * modules))
    for down, row in enumerate(rows, QUIET):
        for across, module in enumerate(row, QUIET):
            if module == "1":
                surface.fill(dark, (left + across * size, top + down * size, size, size))
