"""The port of one LED module. Every fault is a ``LedError`` within a time limit."""

from __future__ import annotations

from typing import TypeAlias

from appliance.errors import LedError
from hardware.led.i2c import I2cPort
from hardware.led.picture import Lit, brightness, changes, whole
from hardware.serial_port import SerialPort, describe_fault, is_missing
from hardware.settings import LedLine, plugged_in


class LedPort(SerialPort):
    def __init__(self, name: str, line: LedLine, *, write_s: float = 1.0) -> None:
        super().__init__(line.ports, line.baud, write_s=write_s, close_s=0, timeout=0)
        self._name = name

    @property
    def port(self) -> str | None:
        return None if self._serial is None else str(self._serial.port)

    def open(self) -> None:
        with self._reported():
            self._opened()

    def dim(self, percent: int) -> None:
        self.send(brightness(percent))

    def put(self, before: Lit | None, now: Lit) -> None:
        self.send(whole(now) if before is None else changes(before, now))

    def settle(self) -> None:
        """Wait until all bytes are sent, so that no old picture delays the next. Raises LedError: the port is gone, or does not send in time."""
        with self._reported():
            self._drain(self._opened(), self._write_s)

    def _lost(self, why: Exception) -> LedError:
        return LedError(
            expected=f"the {self._name} LED display on {' or '.join(self._ports)}",
            found=f"nothing there (plugged in now: {plugged_in()})" if is_missing(why) else describe_fault(why, "the clock's user"),
            remedy=f"Plug it in, and see that led.{self._name} in the settings is its port",
        )


AnyLedPort: TypeAlias = LedPort | I2cPort


def port_of(name: str, line: LedLine, *, write_s: float = 1.0) -> AnyLedPort:
    """Return the port of a module of either family, closed; all ports of its line are of the family of the first. Its arguments: as those of ``LedPort``."""
    return I2cPort(name, line) if line.on_i2c else LedPort(name, line, write_s=write_s)
