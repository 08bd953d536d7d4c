"""What a serial LED module shows, as values: which segments, points, colon and apostrophe are lit, and in which turn. Pure.

A module is a SparkFun Serial7Segment or OpenSegment: four digits of seven segments, a point at the right foot of each, a colon in the middle, an apostrophe at
the top between the third and the fourth digit. Whoever knows the game makes a ``Picture``; ``hardware.led.module`` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DIGITS: Final = 4
A, B, C, D, E, F, G = (1 << bit for bit in range(7))
"""The segments of a digit as the module counts them: A at the top, B to F clockwise round, G in the middle."""
POINTS: Final = tuple(1 << digit for digit in range(DIGITS))
"""The points, from the left."""


@dataclass(frozen=True, slots=True)
class Lit:
    """What is lit at one instant."""

    digits: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The segments of each digit, from the left."""
    points: int = 0
    colon: bool = False
    apostrophe: bool = False


DARK: Final = Lit()
ALL_LIT: Final = Lit((A | B | C | D | E | F | G,) * DIGITS, sum(POINTS), colon=True, apostrophe=True)


@dataclass(frozen=True, slots=True)
class Frame:
    """What is lit for a time, in ms."""

    lit: Lit
    ms: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Frames that are shown one after another, over and over; one frame alone simply stands."""

    frames: tuple[Frame, ...]
    theme: str = ""
    """A picture of the theme that stands already goes on where that one was; any other begins with its first frame."""

    def __post_init__(self) -> None:
        if not self.frames or any(frame.ms <= 0 for frame in self.frames):
            raise ValueError(f"expected frames that last, found {self.frames}")

    def at(self, ms: int) -> tuple[Lit, int | None]:
        """Return what is lit ``ms`` after the beginning, and for how many ms more (None: for ever)."""
        if len(self.frames) == 1:
            return self.frames[0].lit, None
        into = ms % sum(frame.ms for frame in self.frames)
        for frame in self.frames:
            if into < frame.ms:
                break
            into -= frame.ms
        return frame.lit, frame.ms - into


def still(lit: Lit) -> Picture:
    """Return the picture that simply stands."""
    return Picture((Frame(lit, 1),))
