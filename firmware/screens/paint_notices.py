"""What the shell has to say aloud, on a plate: what both players or the director must not miss."""

from __future__ import annotations

from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.fit import fit
from appliance.display.lettering import Pen, measure, write
from appliance.display.stencil import rounded
from firmware.screens.palette import AMBER, INK

LEGIBLE: Final = 0.28
"""Of the plate's height: notices that would be written smaller than this together are not; the gravest is, and the others are counted."""


def paint_notices(surface: pygame.Surface, box: Box, notices: tuple[str, ...]) -> None:
    """Write ``notices``, gravest first, on a plate that fills ``box``."""
    rounded(surface, box, box.height // 6, AMBER)
    inner = box.inset(max(4, box.height // 5), max(1, box.height // 14))
    largest = max(11, inner.height * 6 // 10)
    if len(notices) > 1 and fit(notices, inner, measure, largest).size < LEGIBLE * box.height:
        counted, more = inner.height * 7 // 10, inner.height * 45 // 100
        write(surface, [f"+{len(notices) - 1}"], inner.beside(inner.width - counted), Pen(INK, largest=more, place=1.0))
        inner, notices = inner.left(inner.width - counted), notices[:1]
    write(surface, notices, inner, Pen(INK, largest=largest))
