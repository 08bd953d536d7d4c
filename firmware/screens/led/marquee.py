"""Any text on four digits: as it is where it fits, else it runs through once from right to left. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from firmware.screens.led.readings import FOOT
from hardware.led.font import Cell, cells, lit
from hardware.led.picture import DIGITS, Frame

STEP_MS: Final = 300
"""A letter goes on by one place after so long."""
REST_MS: Final = 900
"""Beginning and end stand so long."""


# A notice stands for minutes, and all its frames are asked for at every change of the face.
@lru_cache(maxsize=64)
def marquee(text: str) -> tuple[Frame, ...]:
    """Return the frames of a text; none of an empty one."""
    return tuple(_frames(text))


def _frames(text: str) -> Iterator[Frame]:
    places = cells(text)
    if places and places[-1].point:
        places = (*places, Cell(0))
    last = max(0, len(places) - DIGITS)
    for first in range(last + 1 if places else 0):
        shown = lit(places[first : first + DIGITS])
        # The foot is a reading's alone: a point there waits until its place has gone on.
        yield Frame(replace(shown, points=shown.points & ~FOOT), REST_MS if first in (0, last) else STEP_MS)
