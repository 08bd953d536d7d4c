"""A time frame on four digits: its letter, then the remaining time. Pure.

Below ten minutes, as in ``H0:15``: the letter and the frame's reading. From ten minutes on, as in ``=10'``: the letter and the minutes begun, with
the apostrophe as the sign of minutes. No point is lit, so that a frame never looks like a clock. While the frame runs, the colon is dark for the
second half of each second; once expired, everything flashes.
"""

from __future__ import annotations

from typing import Final

from firmware.face.value import WindowFace
from hardware.led.font import glyph
from hardware.led.picture import DARK, Frame, Lit

LETTERS: Final = {
    "courtesy_draw": "H",
    "out_play": "o",
    "missed_press": "P",
    "return_to_table": "b",
    "overdraw_decision": "d",
    "tiles_returned": "t",
    "tile_decision": "c",
    "mixing": "n",
    "recount": "r",
    "recount_warning": "A",
    "late_start": "L",
    "between_rounds": "=",
    "disconnected": "F",
}
"""The letter of each time frame, by its name in the rulebooks."""
HALF_MS: Final = 500


def window_lit(window: WindowFace, *, colon: bool = True) -> Lit:
    """Return the segments for a window; ``colon`` false: the dark half of the second."""
    minutes, seconds = (int(part) for part in window.reading.split(":"))
    short = minutes < 10
    text = f"{minutes}{seconds:02d}" if short else f"{min(99, minutes + (seconds > 0)):2d} "
    first, second, third, fourth = (glyph(character) for character in LETTERS[window.name] + text)
    return Lit((first, second, third, fourth), colon=short and colon, apostrophe=not short and colon)


def window_frames(window: WindowFace) -> tuple[Frame, Frame]:
    """Return one second of a running or expired window."""
    dark = DARK if window.expired else window_lit(window, colon=False)
    return Frame(window_lit(window), HALF_MS), Frame(dark, HALF_MS)
