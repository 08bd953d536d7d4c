"""A clock's reading on four digits, so that no two readings look alike. Pure.

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

- Overtime is underlined by the points and has the apostrophe, even if there is room for a minus: it stays recognisable if points, apostrophe or
  the minus are dead.
- Only readings light the last point, their foot. No module has a light where that point is when seen upside down, so 12:51 from there is not 15:21.
- While a clock runs, its colon (or ``H``) is dark for the second half of each second, as on chess clocks; that of a stopped clock is lit.
"""

from __future__ import annotations

from typing import Final

from hardware.led.font import glyph
from hardware.led.picture import POINTS, Lit

FOOT: Final = POINTS[-1]
"""The last point, lit in every reading."""
OVERTIME: Final = sum(POINTS)
"""The points of a reading below zero."""
_HOURS_FROM: Final = 100
"""From this many minutes on, show hours."""
_MOST: Final = 10
"""The first number of hours that one digit cannot show."""


def reading_lit(reading: str, *, colon: bool = True) -> Lit:
    """Return the segments for a reading of a face (``24:59``, ``-0:07``); ``colon`` false: the dark half of the second."""
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
