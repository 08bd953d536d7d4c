"""Whether what was drawn reaches the panel: what the display controller reads, compared with what was drawn.

It tells frames that flip on a panel that stays black from good ones, for the comparison is with the memory that the kernel shows, after SDL, EGL and the graphics
driver have had their say. It says nothing of what comes after that memory: a cable, a panel's own electronics, its light.
"""

from __future__ import annotations

import time
from typing import Final

import pygame

from appliance.display.library import card
from appliance.display.scanout import Scanout, scanned_out

PATIENCE_S: Final = 2.0
"""A frame is shown with the next pass of the screen; on an emulated one that takes longer."""
_LOOK_S: Final = 0.05
_OFF: Final = 0.15
"""So far the mean of a colour may be off: a buffer can be a little larger than the picture, and black beyond it."""
_FORMATS: Final = {"XR24": (2, 1, 0), "AR24": (2, 1, 0), "XB24": (0, 1, 2), "AB24": (0, 1, 2)}
"""Where red, green and blue stand among the four bytes of a pixel."""


def frame_arrived(surface: pygame.Surface) -> bool | None:
    """Return whether a lit screen shows ``surface``; None where that cannot be told: no bare panel, or an unknown format."""
    descriptor = card()
    if descriptor is None:
        return None
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            shown = [each for each in scanned_out(descriptor) if each.fourcc in _FORMATS]
        except OSError:
            return None
        if any(alike(surface, each) for each in shown):
            return True
        if time.monotonic() > until:
            return False if shown else None
        time.sleep(_LOOK_S)


def alike(surface: pygame.Surface, shown: Scanout) -> bool:
    """Return whether both are the same picture by their mean colour, which does not depend on how the buffer's pixels are ordered."""
    pitch = len(shown.pixels) // shown.height
    buffer = pygame.image.frombuffer(shown.pixels, (pitch // 4, shown.height), "RGBA").subsurface((0, 0, shown.width, shown.height))
    found, drawn = pygame.transform.average_color(buffer), pygame.transform.average_color(surface)
    return all(abs(found[place] - drawn[colour]) <= 1 + _OFF * drawn[colour] for colour, place in enumerate(_FORMATS[shown.fourcc]))
