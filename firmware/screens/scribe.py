"""What every picture is drawn with: the colours and their use, even lines of type, and readings in the clock's own numerals.

Running and waiting halves differ in lightness, not in hue, so that colour-blind players see the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import pygame
from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, drawable, measure, stencil, write_fitted
from appliance.display.layout import ELLIPSIS, Box, Colour, Fitted, fit, leaves_a_word
from firmware.screens.digits import USUAL, Numerals

GROUND: Final[Colour] = (13, 16, 20)
IVORY: Final[Colour] = (247, 242, 228)
INK: Final[Colour] = (18, 20, 24)
AMBER: Final[Colour] = (255, 196, 46)
EMBER: Final[Colour] = (255, 110, 74)
STEEL: Final[Colour] = (70, 80, 92)
MIST: Final[Colour] = (168, 178, 190)
SLATE: Final[Colour] = (24, 29, 36)


class HalfColours(Struct, frozen=True):
    panel: Colour
    edge: Colour
    digits: Colour
    words: Colour
    quiet: Colour
    accent: Colour
    chip: Colour
    chip_words: Colour


RUNS: Final = HalfColours(IVORY, IVORY, INK, INK, (84, 80, 70), INK, INK, IVORY)
RUNS_OVER: Final = HalfColours(EMBER, EMBER, INK, INK, (54, 20, 11), INK, INK, EMBER)
WAITS: Final = HalfColours(SLATE, STEEL, IVORY, IVORY, MIST, AMBER, IVORY, INK)
WAITS_OVER: Final = HalfColours(SLATE, EMBER, EMBER, IVORY, MIST, AMBER, EMBER, INK)


def half_colours(*, runs: bool, overtime: bool) -> HalfColours:
    if runs:
        return RUNS_OVER if overtime else RUNS
    return WAITS_OVER if overtime else WAITS


TALL: Final = 100
"""More lines than a text has."""


@lru_cache(maxsize=512)
def _fit(  # noqa: PLR0913 - each parameter is a property of the style
    texts: tuple[str, ...], size: tuple[int, int], largest: int | None, one_line: float, smallest: int, *, even: bool = True
) -> Fitted:
    # The clock writes few texts, again and again, and to fit one takes longer than to write it.
    return fit([*map(drawable, texts)], Box(0, 0, *size), measure, largest, one_line, smallest=smallest, even=even)


class Scribe(Struct, frozen=True):
    """A surface and the smallest type on it, in pixels."""

    surface: pygame.Surface
    smallest: int

    def write(self, texts: Sequence[str], box: Box, pen: Pen) -> None:
        write_fitted(self.surface, self._fitted(texts, box, pen), box, pen)

    def write_most(self, texts: Sequence[str], box: Box, pen: Pen) -> None:
        """Write as many of ``texts`` as fit uncut, the most important first; at least the first."""
        while len(texts) > 1 and not self.fits(texts, box, pen):
            texts = texts[:-1]
        self.write(texts, box, pen)

    def fits(self, texts: Sequence[str], box: Box, pen: Pen) -> bool:
        fitted = self._fitted(texts, box, pen)
        return fitted.height <= box.height and not any(line.endswith(ELLIPSIS) for line in fitted.lines)

    def size(self, texts: Sequence[str], box: Box, pen: Pen) -> int:
        """Return the size in pixels at which ``texts`` are written; 0 if they are cut."""
        return self._fitted(texts, box, pen).size if self.fits(texts, box, pen) else 0

    def written(self, text: str, box: Box, pen: Pen) -> int:
        return len(" ".join(self._fitted([text], box, pen).lines))

    def is_even(self, text: str, box: Box, pen: Pen) -> bool:
        """Return whether ``text`` fits ``box`` uncut, with more than one word on its last line."""
        return self.fits([text], box, pen) and not leaves_a_word(self._fitted([text], box, pen).lines)

    def _fitted(self, texts: Sequence[str], box: Box, pen: Pen) -> Fitted:
        return _fit(tuple(texts), (box.width, box.height), pen.largest, pen.one_line, max(pen.smallest, self.smallest))

    def height(self, text: str, width: int, size: int, *, even: bool) -> int:
        """Return the height in pixels that ``text`` needs: in ``even`` lines, or in as few as possible."""
        return _fit((text,), (width, TALL * size), size, 1.0, size, even=even).height

    def on(self, surface: pygame.Surface) -> Scribe:
        return replace(self, surface=surface)


def reading(  # noqa: PLR0913 - each parameter is a property of the style
    surface: pygame.Surface, text: str, box: Box, colour: Colour, *, place: float = 0.5, heavy: bool = False, numerals: Numerals = USUAL
) -> None:
    """Draw a reading in the clock's numerals into ``box``, as tall as possible; ``place`` is 0.0 for left, 1.0 for right."""
    wide = numerals.width_of(text)
    height = max(1, min(box.height, int(box.width / wide)))
    left = box.x + (box.width - wide * height) * place
    for character in text:
        shape = (numerals.heavy if heavy else numerals.usual)[character]
        surface.blit(stencil(shape, height, colour), (round(left), box.y + (box.height - height) // 2))
        left += (shape.width + numerals.gap) * height
