"""Draw readings in the clock's own numerals."""

from __future__ import annotations

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.stencil import stencil
from firmware.screens.digits import GAP, HEAVY_NUMERALS, NUMERALS, width_of


def reading(  # noqa: PLR0913 - each parameter is a property of the style
    surface: pygame.Surface, text: str, box: Box, colour: Colour, *, place: float = 0.5, heavy: bool = False
) -> None:
    """Draw a reading in the clock's numerals into ``box``, as tall as possible; ``place`` is 0.0 for left, 1.0 for right."""
    height = max(1, min(box.height, int(box.width / width_of(text))))
    left = box.x + (box.width - width_of(text) * height) * place
    for character in text:
        shape = (HEAVY_NUMERALS if heavy else NUMERALS)[character]
        surface.blit(stencil(shape, height, colour), (round(left), box.y + (box.height - height) // 2))
        left += (shape.width + GAP) * height
