"""The lgpio factory with the kernel's own stamps, to the nanosecond.

The kernel stamps an edge in its interrupt; lgpio hands the stamp on as an integer of ns. gpiozero 2.0.1 divides it into a float of seconds, which loses the
ns after seven weeks of uptime; the pin class here takes it before that. lgpio asks for edges by the v2 character device without naming a clock, and
that is CLOCK_MONOTONIC (linux/gpio.h: realtime only where GPIO_V2_LINE_FLAG_EVENT_CLOCK_REALTIME is set).
"""

from __future__ import annotations

from pathlib import Path

import lgpio
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin
from gpiozero.pins.local import LocalPiFactory

from hardware.factories import Stamps
from hardware.ticks import MonotonicTicks

_PI_4B = 0xC03114
"""Revision code of a Pi 4B: its 40-pin header is that of every Pi since the B+."""

_HEADER_CHIPS = ("pinctrl-bcm", "pinctrl-rp1")
"""How the label of the chip behind the header begins: the Pi's processor up to the 4, the RP1 on a 5."""


class KernelStampedPin(LGPIOPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin whose edges carry the kernel's stamp as it is."""

    def _call_when_changed(self, _chip: int, _gpio: int, level: int, ticks: int) -> None:
        # Taken once: the main thread may close the pin between a look and a call. An exception here would end lgpio's only thread.
        held = self._when_changed
        handler = None if held is None else held()
        if handler is not None and level in (0, 1):  # 2 is lgpio's watchdog, no edge
            handler(ticks, level)


class KernelStampedFactory(MonotonicTicks, LGPIOFactory):  # type: ignore[misc] # gpiozero ships no types
    """gpiozero's lgpio factory; its ticks are ns of CLOCK_MONOTONIC, taken by the kernel.

    Args:
        chip: the N of ``/dev/gpiochipN``, which is then taken for a 40-pin header even off a Pi (the kernel's gpio-sim); None finds the header's chip.

    Raises:
        PinUnknownPi: not a Raspberry Pi, and no chip was named.
        lgpio.error: the chip cannot be opened.
    """

    stamps: Stamps = "kernel"
    failures: tuple[type[Exception], ...] = (lgpio.error,)

    def __init__(self, *, chip: int | None = None) -> None:
        # Past LGPIOFactory's own constructor, which ignores its argument and takes chip 4 on every Pi 5: newer kernels have the header on chip 0 there.
        LocalPiFactory.__init__(self)
        self._handle: int | None = None
        self._named = chip is not None
        self._get_revision()
        self._chip, self._handle = _open_header() if chip is None else (chip, lgpio.gpiochip_open(chip))
        self.pin_class = KernelStampedPin

    def _get_revision(self) -> int:
        try:
            return int(super()._get_revision())
        except PinUnknownPi:
            if self._named:
                return _PI_4B
            raise


def _open_header() -> tuple[int, int]:
    """Return number and handle of the chip behind the header: by its label, for its number differs from kernel to kernel."""
    labels = []
    for number in sorted(int(node.name.removeprefix("gpiochip")) for node in Path("/dev").glob("gpiochip[0-9]*")):
        handle = lgpio.gpiochip_open(number)
        *_, label = lgpio.gpio_get_chip_info(handle)
        if label.startswith(_HEADER_CHIPS):
            return number, handle
        lgpio.gpiochip_close(handle)
        labels.append(label)
    raise lgpio.error(f"no gpiochip is labelled {' or '.join(_HEADER_CHIPS)}..., only {', '.join(labels) or 'none at all'}")
