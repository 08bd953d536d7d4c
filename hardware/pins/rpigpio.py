"""The RPi.GPIO factory, for old boards where gpiod is not available.

RPi.GPIO says neither when an edge was nor which way it went: the pin class takes the instant as the first thing it does, and reads the level after. Both
are late by whatever the machine was doing (``stamps`` is ``python``), and inside a bounce two edges may show the same level.

The module ``RPi.GPIO`` is RPi.GPIO's own, or that of rpi-lgpio, which today's Raspberry Pi OS has in its place: the same calls, over lgpio, with lgpio's errors.
"""

from __future__ import annotations

import time
from typing import Final

from gpiozero.pins.rpigpio import RPiGPIOFactory, RPiGPIOPin
from RPi import GPIO

from hardware.pins.contract import MonotonicTicks, Stamps

_LGPIO: Final = getattr(GPIO, "lgpio", None)
"""The library below rpi-lgpio; RPi.GPIO itself has none. Their version numbers do not tell them apart: rpi-lgpio's ``VERSION`` is one of RPi.GPIO."""
FAILURES: Final[tuple[type[Exception], ...]] = (RuntimeError, ValueError, *([] if _LGPIO is None else [_LGPIO.error]))
"""What the library raises where pins are not available."""


class PythonStampedPin(RPiGPIOPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin whose edges carry the instant at which Python heard of them."""

    def _call_when_changed(self, _channel: int) -> None:
        ticks = time.monotonic_ns()
        held = self._when_changed  # taken once: the main thread may close the pin between a look and a call
        handler = None if held is None else held()
        if handler is not None:
            handler(ticks, int(self.state))


class PythonStampedFactory(MonotonicTicks, RPiGPIOFactory):  # type: ignore[misc] # gpiozero ships no types
    """gpiozero's RPi.GPIO factory; its ticks are ns of CLOCK_MONOTONIC, taken in Python."""

    stamps: Stamps = "python"
    library = "RPi.GPIO" if _LGPIO is None else "rpi-lgpio"
    failures = FAILURES
    lost = 0
    """RPi.GPIO does not say what it has lost."""
    behind = False

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = PythonStampedPin
