"""The port of one LED module. A serial one: finds it among its possible ports, opens it, writes with a time limit.

A port may vanish and come back under another name, so each opening searches again. Every fault is a ``LedError`` within a time limit.
"""

from __future__ import annotations

import errno
from typing import Final, TypeAlias

import serial

from appliance.errors import LedError
from hardware.led.i2c import I2cPort
from hardware.led.picture import Lit, brightness, changes, whole
from hardware.serial_port import FAULTS, close_within, describe_fault, drain, drop, write_within
from hardware.settings import LedLine, places, plugged_in

_USER: Final = "the clock's user"


class LedPort:
    """A module's port, initially closed; ``name`` is its side, for messages: ``left``; ``write_s``: the time limit for sending, in s."""

    def __init__(self, name: str, line: LedLine, *, write_s: float = 1.0) -> None:
        self._name = name
        self._line = line
        self._write_s = write_s
        self._serial: serial.Serial | None = None

    @property
    def port(self) -> str | None:
        """The open device, or None."""
        return None if self._serial is None else str(self._serial.port)

    def open(self) -> None:
        """Open the first available port. Raises LedError: none is available."""
        found, why = None, None
        for place in places(self._line.ports):
            try:
                self._serial = serial.Serial(place, self._line.baud, timeout=0, write_timeout=0, exclusive=True)
            except FAULTS as fault:
                # The error of a port that exists says more than that of a missing one.
                found = found if getattr(fault, "errno", None) == errno.ENOENT else describe_fault(fault, _USER)
                why = why or fault
            else:
                return
        raise self._lost(found or f"nothing there (plugged in now: {plugged_in()})") from why

    def dim(self, percent: int) -> None:
        """Set the brightness. Raises LedError, as ``send`` does."""
        self.send(brightness(percent))

    def put(self, before: Lit | None, now: Lit) -> None:
        """Show a display, after the one that the module shows; None: it may be in any state. Raises LedError, as ``send`` does."""
        self.send(whole(now) if before is None else changes(before, now))

    def send(self, data: bytes) -> None:
        """Write all bytes: a partial write could turn an argument into a command. Raises LedError: the port is gone, or does not accept them in time."""
        port = self._opened()
        try:
            write_within(port, data, self._write_s)
        except FAULTS as why:
            raise self._lost(describe_fault(why, _USER)) from why

    def settle(self) -> None:
        """Wait until all bytes are sent, so that no old picture delays the next. Raises LedError: the port is gone, or does not send in time."""
        port = self._opened()
        try:
            drain(port, self._write_s)
        except FAULTS as why:
            raise self._lost(describe_fault(why, _USER)) from why

    def drop(self) -> None:
        """Close the port at once and discard unsent bytes. Idempotent."""
        port, self._serial = self._serial, None
        drop(port)

    def close(self) -> None:
        """Close the port; discard bytes that are still unsent."""
        port, self._serial = self._serial, None
        close_within(port, 0)

    def _opened(self) -> serial.Serial:
        if self._serial is None:
            raise self._lost("it is not open")
        return self._serial

    def _lost(self, found: str) -> LedError:
        places = " or ".join(self._line.ports)
        return LedError(
            expected=f"the {self._name} LED display on {places}",
            found=found,
            remedy=f"Plug it in, and see that led.{self._name} in the settings is its port",
        )


AnyLedPort: TypeAlias = LedPort | I2cPort


def port_of(name: str, line: LedLine, *, write_s: float = 1.0) -> AnyLedPort:
    """Return the port of a module of either family, closed; all ports of its line are of the family of the first. Its arguments: as those of ``LedPort``."""
    return I2cPort(name, line) if line.on_i2c else LedPort(name, line, write_s=write_s)
