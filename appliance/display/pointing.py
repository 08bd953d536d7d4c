"""Converts finger and mouse positions from the panel's pixels to the layout's."""

from __future__ import annotations

from math import isfinite
from typing import Final

import pygame

from appliance.display.rotation import Turn

_FINGERS: Final = (pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION)
_MOUSE: Final = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
_NOWHERE: Final = -1.0


def upright(event: pygame.event.Event, turn: Turn) -> pygame.event.Event:
    """Return ``event`` as on an upright panel: fingers and mouse in layout coordinates, other events unchanged.

    A finger reported off the panel, or without a position, gets a position outside the layout: it presses nothing, and its release still counts.
    """
    if event.type in _FINGERS:
        x, y = _share(event.x, event.y, turn)
        return pygame.event.Event(event.type, {**event.dict, "x": x, "y": y})
    if event.type in _MOUSE and turn.degrees:
        return pygame.event.Event(event.type, {**event.dict, "pos": turn.seen(*event.pos)})
    return event


def _share(x: float, y: float, turn: Turn) -> tuple[float, float]:
    """Return the finger's position as shares of the layout's size, at the centre of its pixel. The device's largest value means the last pixel."""
    if not (isfinite(x) and isfinite(y) and 0 <= x <= 1 and 0 <= y <= 1):
        return _NOWHERE, _NOWHERE
    width, height = turn.panel
    column, row = turn.seen(min(width - 1, int(x * width)), min(height - 1, int(y * height)))
    return (column + 0.5) / turn.size[0], (row + 0.5) / turn.size[1]
