"""Draw the shell's notices on a plate: messages that neither players nor director must miss."""

from __future__ import annotations

from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.fit import fit
from appliance.display.lettering import Pen, measure, write
from appliance.display.stencil import rounded
from firmware.screens.palette import AMBER, INK

LEGIBLE: Final = 0.28
"""The smallest text size, as a share of the plate's height: if all notices together would be smaller, only the gravest is shown, with a count of the rest."""


def paint_notices(surface: pygame.Surface, box: Box, notices: tuple[str, ...]) -> None:
    """Draw ``notices``, gravest first, on a plate that fills ``box``."""
    rounded(surface, box, box.height // 6, AMBER)
    inner = box.inset(max(4, box.height // 5), max(1, box.height // 14))
    largest = max(11, inner.height * 6 // 10)
    if len(notices) > 1 and fit(notices, inner, measure, largest).size < LEGIBLE * box.height:
        counted, more = inner.height * 7 // 10, inner.height * 45 // 100
        write(surface, [f"+{len(notices) - 1}"], inner.beside(inner.width - counted), Pen(INK, largest=more, place=1.0))
        inner, notices = inner.left(inner.width - counted), notices[:1]
    write(surface, notices, inner, Pen(INK, largest=largest))
