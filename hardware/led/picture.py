"""Pictures for serial LED modules, as values: lit segments, points, colon and apostrophe, in a sequence of frames. Pure.

A module is a SparkFun Serial7Segment or OpenSegment: four digits of seven segments, each with a point at its lower right, a colon in the middle, an apostrophe at
the top between the third and fourth digit. The program makes a ``Picture``; ``hardware.led.module`` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DIGITS: Final = 4
A, B, C, D, E, F, G = (1 << bit for bit in range(7))
"""The segments of a digit in the module's order: A at the top, B to F clockwise, G in the middle."""
POINTS: Final = tuple(1 << digit for digit in range(DIGITS))
"""The points, from the left."""


@dataclass(frozen=True, slots=True)
class Lit:
    """The display at one instant."""

    digits: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The segments of each digit, from the left."""
    points: int = 0
    colon: bool = False
    apostrophe: bool = False


DARK: Final = Lit()
ALL_LIT: Final = Lit((A | B | C | D | E | F | G,) * DIGITS, sum(POINTS), colon=True, apostrophe=True)


@dataclass(frozen=True, slots=True)
class Frame:
    """A display and its duration in ms."""

    lit: Lit
    ms: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Frames in a loop; a single frame is a still picture."""

    frames: tuple[Frame, ...]
    theme: str = ""
    """A picture with the theme of the current one continues its timing; others start at the first frame."""

    def __post_init__(self) -> None:
        if not self.frames or any(frame.ms <= 0 for frame in self.frames):
            raise ValueError(f"expected frames that last, found {self.frames}")

    def at(self, ms: int) -> tuple[Lit, int | None]:
        """Return the display ``ms`` after the start, and its remaining time in ms (None: for ever)."""
        if len(self.frames) == 1:
            return self.frames[0].lit, None
        into = ms % sum(frame.ms for frame in self.frames)
        for frame in self.frames:
            if into < frame.ms:
                break
            into -= frame.ms
        return frame.lit, frame.ms - into


def still(lit: Lit) -> Picture:
    """Return a still picture."""
    return Picture((Frame(lit, 1),))
