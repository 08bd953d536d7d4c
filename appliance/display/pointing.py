"""Fingers and the mouse, from the panel's pixels to the layout's."""

from __future__ import annotations

from math import isfinite
from typing import Final

import pygame

from appliance.display.turn import Turn

_FINGERS: Final = (pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION)
_MOUSE: Final = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
_NOWHERE: Final = -1.0


def upright(event: pygame.event.Event, turn: Turn) -> pygame.event.Event:
    """Return ``event`` as it would be if the panel were mounted upright: of a finger or the mouse at the pixel of the layout, of all else as it is.

    A finger that the device reports where there is no panel, or nowhere at all, comes with a position outside of everything: it presses nothing, and lifting it
    still counts as lifting.
    """
    if event.type in _FINGERS:
        x, y = _share(event.x, event.y, turn)
        return pygame.event.Event(event.type, {**event.dict, "x": x, "y": y})
    if event.type in _MOUSE and turn.degrees:
        return pygame.event.Event(event.type, {**event.dict, "pos": turn.seen(*event.pos)})
    return event


def _share(x: float, y: float, turn: Turn) -> tuple[float, float]:
    """Return where the finger is, in shares of the layout's size: the middle of its pixel. The device's largest value is still the last pixel."""
    if not (isfinite(x) and isfinite(y) and 0 <= x <= 1 and 0 <= y <= 1):
        return _NOWHERE, _NOWHERE
    width, height = turn.panel
    column, row = turn.seen(min(width - 1, int(x * width)), min(height - 1, int(y * height)))
    return (column + 0.5) / turn.size[0], (row + 0.5) / turn.size[1]
