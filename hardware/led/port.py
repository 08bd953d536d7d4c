"""The ports of LED modules of either family. Every fault is a ``LedError`` within a time limit.

One family hangs on a serial line (``hardware.led.picture`` has its bytes), the other is Holtek's HT16K33 on an I2C bus of the kernel.

Its four digits have a point each and a colon; no apostrophe. The module is wired as the common "backpack" is: each digit on a common of its own, the colon on the third.

| bytes | meaning (HT16K33 data sheet, "Command summary") |
| --- | --- |
| 0x21 | oscillator on; without power it is off |
| 0x81 | lights on, no blinking |
| 0xE0 to 0xEF | brightness, 1 to 16 sixteenths |
| 0x00, then ten bytes | the memory from its start: two bytes a common, bits 0 to 6 of the first are A to G, bit 7 the point |

A whole picture sets all of it, so that a module that lost power is right again. Nothing is kept in a memory that wears. The chip acknowledges each byte: unlike a module
on a serial line, a missing one is noticed.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final, TypeAlias

from appliance.errors import LedError
from faults.errors import reason
from hardware.led.picture import BRIGHTEST, DIGITS, POINTS, Lit, brightness, changes, whole
from hardware.serial_port import SerialPort, describe_fault, is_missing
from hardware.settings import I2C_PORT, LedLine, places, plugged_in

if TYPE_CHECKING:
    from smbus2 import SMBus


OSCILLATOR_ON: Final = 0x21
LIGHTS_ON: Final = 0x81
DIMMING: Final = 0xE0
MEMORY: Final = 0x00
STEPS: Final = 16
POINT_BIT: Final = 1 << 7
COLON_BIT: Final = 1 << 1
COMMONS: Final = (0, 1, 3, 4)
COLON_COMMON: Final = 2
_ABSENT: Final = (errno.EREMOTEIO, errno.ENXIO, errno.EIO)
"""What the kernel's bus drivers report where no chip acknowledges."""


def memory(lit: Lit) -> bytes:
    held = bytearray(2 * (DIGITS + 1))
    for common, segments, point in zip(COMMONS, lit.digits, POINTS, strict=True):
        held[2 * common] = segments | (POINT_BIT if lit.points & point else 0)
    held[2 * COLON_COMMON] = COLON_BIT if lit.colon else 0
    return bytes(held)


def dimming(percent: int) -> int:
    """Return the command for a brightness of 0 (dimmest) to 100."""
    return DIMMING + round(percent * (STEPS - 1) / BRIGHTEST)


class I2cPort:
    """A module's address on a bus, initially closed, as ``hardware.led.port.LedPort``; ``line`` lists its possible buses: ``/dev/i2c-7@0x70``."""

    def __init__(self, name: str, line: LedLine) -> None:
        self._name = name
        self._line = line
        self._bus: SMBus | None = None
        self._address = 0
        self._dimming = dimming(line.brightness)
        self.port: str | None = None

    def open(self) -> None:
        found: str | None = None
        why: OSError | None = None
        for place in places(self._line.ports):
            try:
                self._open(place)
            except OSError as fault:
                found = found if fault.errno == errno.ENOENT else self._described(fault)
                why = why or fault
                self.close()
            else:
                return
        raise self._lost(found or "no such I2C bus: its line in config.txt is missing") from why

    def _open(self, place: str) -> None:
        named = I2C_PORT.fullmatch(place)
        if named is None:
            raise OSError(errno.EINVAL, "a port without an address, as /dev/i2c-7@0x70 has one")
        from smbus2 import SMBus  # noqa: PLC0415 - only a clock with a display on I2C loads it

        self._bus, self._address = SMBus(), int(named["address"], 16)
        self._bus.open(named["bus"])
        self._bus.write_byte(self._address, OSCILLATOR_ON)
        self.port = place

    def dim(self, percent: int) -> None:
        self._dimming = dimming(percent)
        self._write(self._dimming)

    def put(self, before: Lit | None, now: Lit) -> None:
        """Show a display, after the one that the module shows; None: it may be in any state. Raises LedError: the module does not answer."""
        if before is None:
            self._write(OSCILLATOR_ON, LIGHTS_ON, self._dimming)
        if before != now:
            self._write(data=memory(now))

    def settle(self) -> None:
        """Do nothing: the module has what was written."""

    def drop(self) -> None:
        self.close()

    def close(self) -> None:
        bus, self._bus, self.port = self._bus, None, None
        if bus is not None:
            bus.close()

    def _write(self, *commands: int, data: bytes = b"") -> None:
        if self._bus is None:
            raise self._lost("it is not open")
        try:
            for command in commands:
                self._bus.write_byte(self._address, command)
            if data:
                self._bus.write_i2c_block_data(self._address, MEMORY, data)
        except OSError as why:
            raise self._lost(self._described(why)) from why

    def _described(self, fault: OSError) -> str:
        if fault.errno in (errno.EACCES, errno.EPERM):
            return "permission denied (the clock's user must be in the group i2c)"
        return "no module answers at that address" if fault.errno in _ABSENT else reason(fault)

    def _lost(self, found: str) -> LedError:
        return LedError(
            expected=f"the {self._name} LED display on {' or '.join(self._line.ports)}",
            found=found,
            remedy=f"See that it has power and that led.{self._name} in the settings is its bus and its address",
        )


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
