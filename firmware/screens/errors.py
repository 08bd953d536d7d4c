"""The error of the screens."""

from __future__ import annotations

from firmware.errors import TileclockError


class ScreenError(TileclockError, OSError):
    """There is nothing to draw on: the message says what was asked for, what the system answered, and which screen to take instead."""
