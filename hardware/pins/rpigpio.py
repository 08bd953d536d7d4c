"""The RPi.GPIO factory, for a Pi whose other programs already use the module RPi.GPIO.

RPi.GPIO reports neither the instant nor the direction of an edge: the pin class first takes the time, then reads the level. Both are late on a busy machine
(``stamps`` is ``python``), and inside a bounce two edges may show the same level.

rpi-lgpio provides the module: the original's calls on lgpio, with lgpio's errors. The original finds no edges since Linux 6.6.
"""

from __future__ import annotations

import time
from typing import Final

from gpiozero import GPIOZeroError
from gpiozero.pins.rpigpio import RPiGPIOFactory, RPiGPIOPin
from RPi import GPIO

from hardware.pins.contract import MonotonicTicks, Stamps

FAILURES: Final[tuple[type[Exception], ...]] = (GPIOZeroError, RuntimeError, ValueError, GPIO.lgpio.error)


class PythonStampedPin(RPiGPIOPin):  # type: ignore[misc] # gpiozero ships no types
    def _call_when_changed(self, _channel: int) -> None:
        ticks = time.monotonic_ns()
        held = self._when_changed  # read once: the main thread may close the pin between test and call
        handler = None if held is None else held()
        if handler is not None:
            handler(ticks, int(self.state))


class PythonStampedFactory(MonotonicTicks, RPiGPIOFactory):  # type: ignore[misc] # gpiozero ships no types
    stamps: Stamps = "python"
    library = "rpi-lgpio"
    failures = FAILURES
    lost = 0
    """RPi.GPIO does not count lost edges."""
    behind = False

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = PythonStampedPin
