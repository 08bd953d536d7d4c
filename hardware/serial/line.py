"""How a serial device is reached: a value of the settings, known without loading anything that opens it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import glob
from typing import Final, Literal

Flow = Literal["none", "rts", "xon"]
"""How a device says that its buffer is full: not at all, by the wires RTS and CTS, by the characters XON and XOFF."""


_MAGIC: Final = "*?["
_NAMES: Final = ("/dev/serial/by-id/*", "/dev/ttyUSB*", "/dev/ttyACM*")
"""What udev names a serial device that is plugged in: first by what it is, which is the same at every socket and after every plugging."""


def places(ports: Iterable[str]) -> Iterator[str]:
    """Yield the devices where something may be: of a pattern those that are there now. A device may come back under another name, so look anew each time."""
    for port in ports:
        yield from sorted(glob(port)) if any(sign in port for sign in _MAGIC) else (port,)  # noqa: PTH207 - the settings give a pattern from the root


def plugged_in() -> str:
    """Return the serial devices that are plugged in now, for a sentence that says that another was expected."""
    found = next((names for pattern in _NAMES if (names := sorted(glob(pattern)))), [])  # noqa: PTH207 - as above
    return ", ".join(found) or "none"


@dataclass(frozen=True, slots=True)
class SerialLine:
    """A printer's serial line."""

    port: str
    """Its device, such as ``/dev/ttyUSB0``; or a pattern, such as ``/dev/serial/by-id/*Printer*``: of several the first that can be opened."""
    baud: int = 9600
    """Bits a second, as set by the printer's switches."""
    flow: Flow = "none"
    profile: str = "default"
    """The printer's name in python-escpos, which tells its code pages."""
    cut: bool = True
    """It has a cutter; without one the slip is torn off."""


@dataclass(frozen=True, slots=True)
class LedLine:
    """A serial LED module's line."""

    ports: tuple[str, ...]
    """Where it may be, the likeliest first: devices such as ``/dev/serial/by-id/usb-...``, or patterns such as ``/dev/ttyUSB*``."""
    baud: int = 9600
    """Bits a second: what the module was made with, unless it was told another."""
    brightness: int = 100
    """0 to 100."""
