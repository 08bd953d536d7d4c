"""Checks that drawn frames reach the panel: compares the display controller's buffer with the drawn picture.

It detects frames that flip while the panel stays black, because it reads the memory that the kernel scans out, after SDL, EGL and the graphics driver. It does
not see what follows: cable, panel electronics, backlight.
"""

from __future__ import annotations

import time
from typing import Final

import pygame

from appliance.display.library import card
from appliance.display.scanout import Scanout, scanned_out

PATIENCE_S: Final = 2.0
"""How long to wait for a frame to be scanned out, in s; an emulated panel takes longer."""
_LOOK_S: Final = 0.05
_OFF: Final = 0.15
"""Tolerance of a mean colour, as a share: a buffer may be slightly larger than the picture, with black beyond it."""
_FORMATS: Final = {"XR24": (2, 1, 0), "AR24": (2, 1, 0), "XB24": (0, 1, 2), "AB24": (0, 1, 2)}
"""The positions of red, green and blue in the four bytes of a pixel."""


def frame_arrived(surface: pygame.Surface) -> bool | None:
    """Return whether a lit screen shows ``surface``; None if unknown: no bare panel, or an unknown pixel format."""
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
    """Return whether both have the same mean colour, which does not depend on the order of the buffer's pixels."""
    pitch = len(shown.pixels) // shown.height
    buffer = pygame.image.frombuffer(shown.pixels, (pitch // 4, shown.height), "RGBA").subsurface((0, 0, shown.width, shown.height))
    found, drawn = pygame.transform.average_color(buffer), pygame.transform.average_color(surface)
    return all(abs(found[place] - drawn[colour]) <= 1 + _OFF * drawn[colour] for colour, place in enumerate(_FORMATS[shown.fourcc]))
