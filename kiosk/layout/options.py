"""How the screen stands towards its players, and what a millimetre of it is in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

LEAST_MM: Final = 9.0
"""No target is narrower or lower."""
APART_MM: Final = 1.0
"""No two targets are closer."""
FLAT: Final = 85.92 / 154.08
"""Height to width of the official 7-inch panel, and of nearly every other. Its 800 x 480 pixels are a little wider than tall."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the director chose for this station's screen."""

    large_text: bool = False
    left_handed: bool = False
    """What the hand that types needs (next, erase, the pad of digits) stands on the left."""
    millimetres_wide: float = 154.08
    """The active width of the panel as it stands, by default that of the official 7-inch one lying; 85.92 where it stands upright."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Lengths of one screen in pixels."""

    width: int
    height: int
    across: float
    """Pixels in a millimetre, from left to right."""
    down: float
    """Pixels in a millimetre, from top to bottom."""
    text: int
    """The size of a sentence that two people read standing."""

    @property
    def lying(self) -> bool:
        """Whether it is at least as wide as it is high."""
        return self.width >= self.height

    @property
    def least_across(self) -> int:
        """The narrowest that a target may be."""
        return ceil(LEAST_MM * self.across)

    @property
    def least_down(self) -> int:
        """The lowest that a target may be."""
        return ceil(LEAST_MM * self.down)

    @property
    def gap_across(self) -> int:
        """What two targets side by side leave between them."""
        return ceil(APART_MM * self.across)

    @property
    def gap_down(self) -> int:
        """What two targets one under the other leave between them."""
        return ceil(APART_MM * self.down)

    def rows(self, count: int) -> int:
        """Return the height of ``count`` rows of the lowest targets."""
        return max(0, count * (self.least_down + self.gap_down) - self.gap_down)

    def most_across(self, width: int) -> int:
        """Return how many of the narrowest targets stand side by side in ``width`` pixels, at least one."""
        return max(1, (width + self.gap_across) // (self.least_across + self.gap_across))


def scale(size: tuple[int, int], options: Options) -> Scale:
    """Return the lengths of a screen of ``size`` pixels, width and height."""
    width, height = size
    wide = options.millimetres_wide
    high = wide * FLAT if width >= height else wide / FLAT
    text = min(width, height) / 20 * (1.25 if options.large_text else 1)
    return Scale(width, height, width / wide, height / high, round(text))
