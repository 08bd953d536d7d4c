"""One LED module with a thread of its own: ``show`` returns at once, the module shows the picture when it can.

Only changes are sent, and only after the previous picture is out, so the newest picture wins. Once a second the whole picture is sent, for modules that lost power.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import LedError
from faults.errors import reason
from hardware.driver import Driver, OnTrouble
from hardware.led.picture import DARK, Lit, Picture, still
from hardware.settings import LedLine

if TYPE_CHECKING:
    from hardware.led.port import AnyLedPort


class LedTimeouts(Struct, frozen=True):
    """Time limits and intervals of a module's thread, in s."""

    refresh_s: float = 1.0
    write_s: float = 1.0
    retry_s: float = 0.25
    """First pause before a retry; it doubles each time,"""
    longest_retry_s: float = 2.0
    """up to this."""


_TIMEOUTS: Final = LedTimeouts()


class LedModule(Driver):
    def __init__(self, name: str, line: LedLine, changed: OnTrouble | None = None, timeouts: LedTimeouts = _TIMEOUTS) -> None:
        self.name = name
        self._line = line
        self._timeouts = timeouts
        self._picture = still(DARK)
        self._since = time.monotonic()
        self._fresh = False
        super().__init__(f"{name} LED display", changed, LedError, f"the thread of the {name} LED display to run")

    def show(self, picture: Picture) -> None:
        with self._wake:
            if picture == self._picture:
                return
            if not picture.theme or picture.theme != self._picture.theme:
                self._since = time.monotonic()
            self._picture, self._fresh = picture, True
            self._wake.notify()

    def dim(self, percent: int) -> None:
        with self._wake:
            self._line, self._fresh = replace(self._line, brightness=percent), True
            self._wake.notify()

    def _drive(self) -> None:
        try:
            # Imported here, so that a clock without LED displays does not load pyserial and smbus2.
            from hardware.led.port import port_of  # noqa: PLC0415

            self._run_port(port_of(self.name, self._line, write_s=self._timeouts.write_s))
        except ImportError as why:
            self._set_trouble(LedError(expected="the libraries pyserial and smbus2", found=reason(why), remedy="Reinstall Tileclock"))

    def _run_port(self, port: AnyLedPort) -> None:
        wait_s = self._timeouts.retry_s
        while not self._closing:
            began = time.monotonic()
            try:
                port.open()
                self._serve(port)
                port.close()
            except LedError as why:
                self._set_trouble(why)
            finally:
                port.drop()
            # Back off after failing at once or soon after a reconnection.
            lasted = time.monotonic() - began > 2 * self._timeouts.longest_retry_s
            wait_s = self._timeouts.retry_s if lasted else min(2 * wait_s, self._timeouts.longest_retry_s)
            self._pause(wait_s)

    def _serve(self, port: AnyLedPort) -> None:
        shown, due, bright = DARK, 0.0, -1
        while not self._closing:
            if bright != self._line.brightness:
                # Only a change is sent: a serial module keeps it in a memory that wears.
                bright = self._line.brightness
                port.dim(bright)
            port.settle()
            now = time.monotonic()
            lit, lasts_s = self._wanted(now)
            if now >= due:
                port.put(None, lit)
                due = now + self._timeouts.refresh_s
            else:
                port.put(shown, lit)
            if self._trouble is not None:
                port.settle()  # it is back only once it accepts bytes
            self._set_trouble(None)
            shown = lit
            self._sleep(min(due - now, lasts_s))
        # A frozen reading would look like a running clock.
        port.settle()
        port.put(None, DARK)
        port.settle()

    def _wanted(self, now: float) -> tuple[Lit, float]:
        with self._wake:
            self._fresh = False
            lit, ms = self._picture.at(int((now - self._since) * 1000))
        return lit, _FOR_EVER_S if ms is None else ms / 1000

    def _sleep(self, time_s: float) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._fresh or self._closing, time_s)


_FOR_EVER_S: Final = 3600.0
