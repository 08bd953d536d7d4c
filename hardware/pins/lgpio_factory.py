"""The lgpio factory with the kernel's own stamps, to the nanosecond.

The kernel stamps an edge in its interrupt; lgpio hands the stamp on as an integer of ns. gpiozero 2.0.1 divides it into a float of seconds, which loses the
ns after seven weeks of uptime; the pin class here takes it before that. lgpio asks for edges by the v2 character device without naming a clock, and
that is CLOCK_MONOTONIC (linux/gpio.h: realtime only where GPIO_V2_LINE_FLAG_EVENT_CLOCK_REALTIME is set).
"""

from __future__ import annotations

import contextlib

import lgpio
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin
from gpiozero.pins.local import LocalPiFactory

from hardware.pins.factories import Stamps
from hardware.pins.gpiochips import NamedChip, fits, none_fits, numbers
from hardware.pins.ticks import MonotonicTicks


class KernelStampedPin(LGPIOPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin whose edges carry the kernel's stamp as it is."""

    def close(self) -> None:
        """Give the pin back. The chip's own closing does it where this fails."""
        # lgpio's thread may not have let go of a pin yet whose edges it was told to forget a moment ago: then it is busy.
        with contextlib.suppress(lgpio.error):
            super().close()

    def _disable_event_detect(self) -> None:
        with contextlib.suppress(lgpio.error):  # likewise
            super()._disable_event_detect()

    def _call_when_changed(self, _chip: int, _gpio: int, level: int, ticks: int) -> None:
        # Taken once: the main thread may close the pin between a look and a call. An exception here would end lgpio's only thread.
        held = self._when_changed
        handler = None if held is None else held()
        if handler is not None and level in (0, 1):  # 2 is lgpio's watchdog, no edge
            handler(ticks, level)


class KernelStampedFactory(MonotonicTicks, NamedChip, LGPIOFactory):  # type: ignore[misc] # gpiozero ships no types
    """gpiozero's lgpio factory; its ticks are ns of CLOCK_MONOTONIC, taken by the kernel.

    Args:
        chip: the label of a chip, which is then taken for a 40-pin header even off a Pi; None finds the header's chip.

    Raises:
        PinUnknownPi: not a Raspberry Pi, and no chip was named.
        lgpio.error: the chip is not there or cannot be opened.
    """

    stamps: Stamps = "kernel"
    failures: tuple[type[Exception], ...] = (lgpio.error,)
    lost = 0
    """lgpio does not say what it has lost."""
    behind = False

    def __init__(self, *, chip: str | None = None) -> None:
        # Past LGPIOFactory's own constructor, which ignores its argument and takes chip 4 on every Pi 5: newer kernels have the header on chip 0 there.
        LocalPiFactory.__init__(self)
        self._handle: int | None = None
        self._wanted = chip
        self._get_revision()
        self._chip, self._handle = _open_chip(chip)
        self.pin_class = KernelStampedPin


def _open_chip(wanted: str | None) -> tuple[int, int]:
    """Return number and handle of the chip."""
    labels = []
    for number in numbers():
        handle = lgpio.gpiochip_open(number)
        *_, label = lgpio.gpio_get_chip_info(handle)
        if fits(label, wanted):
            return number, handle
        lgpio.gpiochip_close(handle)
        labels.append(label)
    raise lgpio.error(none_fits(labels, wanted))
