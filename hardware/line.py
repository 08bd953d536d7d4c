"""How a serial device is reached: a value of the settings, known without loading anything that opens it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Flow = Literal["none", "rts", "xon"]
"""How a device says that its buffer is full: not at all, by the wires RTS and CTS, by the characters XON and XOFF."""


@dataclass(frozen=True, slots=True)
class SerialLine:
    """A printer's serial line."""

    port: str
    """Its device, such as ``/dev/ttyUSB0``."""
    baud: int = 9600
    """Bits a second, as set by the printer's switches."""
    flow: Flow = "none"
    profile: str = "default"
    """The printer's name in python-escpos, which tells its code pages."""
    cut: bool = True
    """It has a cutter; without one the slip is torn off."""
