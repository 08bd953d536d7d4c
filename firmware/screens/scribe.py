"""Writes on one surface with the layout's smallest type: even lines, no word left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from appliance.display.box import Box
from appliance.display.fit import ELLIPSIS, fit
from appliance.display.lettering import Pen, drawable, measure, write


@dataclass(frozen=True, slots=True)
class Scribe:
    """A surface and the smallest type on it, in pixels."""

    surface: pygame.Surface
    smallest: int

    def write(self, texts: Sequence[str], box: Box, pen: Pen) -> None:
        """Write ``texts``, each on a new line, fitted to ``box``."""
        write(self.surface, texts, box, self._own(pen))

    def write_most(self, texts: Sequence[str], box: Box, pen: Pen) -> None:
        """Write as many of ``texts`` as fit uncut, the most important first; at least the first."""
        while len(texts) > 1 and not self.fits(texts, box, pen):
            texts = texts[:-1]
        self.write(texts, box, pen)

    def fits(self, texts: Sequence[str], box: Box, pen: Pen) -> bool:
        """Return whether ``texts`` fit ``box`` uncut."""
        own = self._own(pen)
        fitted = fit([drawable(text) for text in texts], box, measure, own.largest, own.one_line, smallest=own.smallest, even=True)
        return fitted.height <= box.height and not any(line.endswith(ELLIPSIS) for line in fitted.lines)

    def on(self, surface: pygame.Surface) -> Scribe:
        """Return a scribe for another surface of the same screen."""
        return replace(self, surface=surface)

    def _own(self, pen: Pen) -> Pen:
        return replace(pen, smallest=max(pen.smallest, self.smallest), even=True)
