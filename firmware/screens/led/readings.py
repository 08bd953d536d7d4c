"""A clock's reading on four digits, so that no reading can be taken for another. Pure.

| reading | digits | colon | points | apostrophe |
| --- | --- | --- | --- | --- |
| 0:00 to 9:59 | blank, m, s, s | lit | the last | - |
| 10:00 to 99:59 | m, m, s, s | lit | the last | - |
| 100:00 to 599:59 | h, ``H``, m, m | - | the last | - |
| more | ``HHHH`` | - | the last | - |
| -0:00 to -9:59 | minus, m, s, s | lit | all four | lit |
| -10:00 to -99:59 | m, m, s, s | lit | all four | lit |
| -100:00 to -599:59 | h, ``H``, m, m | - | all four | lit |
| less | ``HHHH`` | - | all four | lit |

- Overtime is underlined by the points and has the apostrophe, whether there is room for a minus or not: with points, apostrophe or the minus dead it is overtime still.
- The last point is the foot of every reading and of nothing else. No module has a light where that point comes to stand when it is seen from the wrong side, so
  12:51 from there is no 15:21.
- While a clock runs its colon (or ``H``) is dark for the second half of each second, as on chess clocks; a stopped one's stands.
"""

from __future__ import annotations

from typing import Final

from hardware.led.font import glyph
from hardware.led.picture import POINTS, Lit

FOOT: Final = POINTS[-1]
"""The point of every reading."""
OVERTIME: Final = sum(POINTS)
"""The points of a reading below zero."""
_HOURS_FROM: Final = 100
"""Minutes that two digits do not hold."""
_MOST: Final = 10
"""Hours that one digit does not hold."""


def reading_lit(reading: str, *, colon: bool = True) -> Lit:
    """Return what is lit for a reading as a face has it (``24:59``, ``-0:07``); without ``colon``: in the dark half of the second."""
    below = reading.startswith("-")
    minutes, seconds = (int(part) for part in reading.lstrip("-").split(":"))
    text = _digits(minutes, seconds, below=below, lit=colon)
    first, second, third, fourth = (glyph(character) for character in text)
    return Lit((first, second, third, fourth), OVERTIME if below else FOOT, colon=colon and minutes < _HOURS_FROM, apostrophe=below)


def _digits(minutes: int, seconds: int, *, below: bool, lit: bool) -> str:
    if minutes < _HOURS_FROM:
        return f"{f'-{minutes}' if below and minutes < 10 else f'{minutes:2d}'}{seconds:02d}"
    sign = "H" if lit else " "
    hours, minutes = divmod(minutes, 60)
    return f"{hours}{sign}{minutes:02d}" if hours < _MOST else sign * 4
