"""Any text on four digits: fixed if it fits, otherwise scrolled once from right to left. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from firmware.screens.led.readings import FOOT
from hardware.led.font import Cell, cells, lit
from hardware.led.picture import DIGITS, Frame

STEP_MS: Final = 300
"""The time for scrolling by one place."""
REST_MS: Final = 900
"""How long beginning and end remain."""


# Cached: a notice lasts for minutes, and every change of the face needs all its frames.
@lru_cache(maxsize=64)
def marquee(text: str) -> tuple[Frame, ...]:
    """Return the frames of a text; none if it is empty."""
    return tuple(_frames(text))


def _frames(text: str) -> Iterator[Frame]:
    places = cells(text)
    if places and places[-1].point:
        places = (*places, Cell(0))
    last = max(0, len(places) - DIGITS)
    for first in range(last + 1 if places else 0):
        shown = lit(places[first : first + DIGITS])
        # The last point belongs to readings only: a text's point there is lit one step later.
        yield Frame(replace(shown, points=shown.points & ~FOOT), REST_MS if first in (0, last) else STEP_MS)
