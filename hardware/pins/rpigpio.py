"""The RPi.GPIO factory, for old boards where gpiod is not available.

RPi.GPIO reports neither the instant nor the direction of an edge: the pin class first takes the time, then reads the level. Both are late on a busy machine
(``stamps`` is ``python``), and inside a bounce two edges may show the same level.

The module ``RPi.GPIO`` is either the original or rpi-lgpio, which replaces it on current Raspberry Pi OS: the same calls on lgpio, with lgpio's errors.
"""

from __future__ import annotations

import time
from typing import Final

from gpiozero.pins.rpigpio import RPiGPIOFactory, RPiGPIOPin
from RPi import GPIO

from hardware.pins.contract import MonotonicTicks, Stamps

_LGPIO: Final = getattr(GPIO, "lgpio", None)
"""The library below rpi-lgpio; the original has none. Version numbers do not distinguish them: rpi-lgpio's ``VERSION`` is one of RPi.GPIO."""
FAILURES: Final[tuple[type[Exception], ...]] = (RuntimeError, ValueError, *([] if _LGPIO is None else [_LGPIO.error]))
"""The library's errors for unavailable pins."""


class PythonStampedPin(RPiGPIOPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin whose edges are stamped in Python on notification."""

    def _call_when_changed(self, _channel: int) -> None:
        ticks = time.monotonic_ns()
        held = self._when_changed  # read once: the main thread may close the pin between test and call
        handler = None if held is None else held()
        if handler is not None:
            handler(ticks, int(self.state))


class PythonStampedFactory(MonotonicTicks, RPiGPIOFactory):  # type: ignore[misc] # gpiozero ships no types
    """gpiozero's RPi.GPIO factory; its ticks are ns of CLOCK_MONOTONIC, taken in Python."""

    stamps: Stamps = "python"
    library = "RPi.GPIO" if _LGPIO is None else "rpi-lgpio"
    failures = FAILURES
    lost = 0
    """RPi.GPIO does not count lost edges."""
    behind = False

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = PythonStampedPin
