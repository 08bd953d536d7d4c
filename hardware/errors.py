"""What can go wrong with the pins: one small tree, every message says what was expected, what was found and what to do.

Each leaf is a builtin error too, so that a caller who knows nothing of this package still catches it by its kind.
"""

from __future__ import annotations


class HardwareError(Exception):
    """The root of everything this package raises on purpose."""


class BoardError(HardwareError, ValueError):
    """A board file that cannot be read or does not describe a board."""


class PinLibraryMissing(HardwareError, ImportError):
    """The library that drives the pins is not installed, or does not load."""


class PinUnavailable(HardwareError, OSError):
    """The library is there, the pins are not: no Raspberry Pi, no permission, or a pin that something else holds."""
