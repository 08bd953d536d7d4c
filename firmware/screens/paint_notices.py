"""Draw the shell's notices on a plate: messages that neither players nor director must miss."""

from __future__ import annotations

from typing import Final

from appliance.display.box import Box
from appliance.display.fit import fit
from appliance.display.lettering import Pen, measure
from appliance.display.stencil import rounded
from firmware.screens.palette import AMBER, INK
from firmware.screens.scribe import Scribe

LEGIBLE: Final = 0.28
"""The smallest text size, as a share of the plate's height: if all notices together would be smaller, only the gravest is shown, with a count of the rest."""


def paint_notices(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> None:
    """Draw ``notices``, gravest first, on a plate that fills ``box``."""
    rounded(scribe.surface, box, box.height // 6, AMBER)
    inner = box.inset(max(4, box.height // 5), max(1, box.height // 40))
    largest = max(11, inner.height * 6 // 10)
    if len(notices) > 1 and fit(notices, inner, measure, largest).size < max(LEGIBLE * box.height, scribe.smallest):
        counted = min(inner.height * 7 // 10, max(inner.width // 12, scribe.smallest * 2))
        more = counted * 2 // 3
        scribe.write([f"+{len(notices) - 1}"], inner.beside(inner.width - counted), Pen(INK, largest=more, place=1.0))
        inner, notices = inner.left(inner.width - counted), notices[:1]
    scribe.write(notices, inner, Pen(INK, largest=largest))
