"""What the settings of both programs say of the hardware: which pin library drives the pins, and the lines of the serial devices. Loads no driver."""

import re
from collections.abc import Iterable, Iterator, Mapping
from glob import glob
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from faults.validation import Table

PinLibrary: TypeAlias = Literal["gpiod", "rpigpio", "mock", "none"]
"""A pin library by name; none: no pins."""


def with_present_pins(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with gpiod instead of lgpio, the name in older files of the same pins and kernel stamps."""
    return {key: "gpiod" if (key, value) == ("board.pins", "lgpio") else value for key, value in values.items()}


Flow = Literal["none", "rts", "xon"]


I2C_PORT: Final = re.compile(r"(?P<bus>/.+)@(?P<address>0x[0-7][0-9a-f])")
"""An address on an I2C bus as a port: ``/dev/i2c-7@0x70``."""
_MAGIC: Final = "*?["
_NAMES: Final = ("/dev/serial/by-id/*", "/dev/ttyUSB*", "/dev/ttyACM*")
"""udev's names of serial devices, the stable names by device identity first."""


def places(ports: Iterable[str]) -> Iterator[str]:
    """Yield the devices to try; a pattern yields those present now. A device may come back under another name, so call it each time."""
    for port in ports:
        yield from sorted(glob(port)) if any(sign in port for sign in _MAGIC) else (port,)  # noqa: PTH207 - the settings give a pattern from the root


def plugged_in() -> str:
    found = next((names for pattern in _NAMES if (names := sorted(glob(pattern)))), [])  # noqa: PTH207 - as above
    return ", ".join(found) or "none"


class PrinterSettings(Table, frozen=True):
    """The printer of challenge slips."""

    port: str = ""
    """The serial device, such as `/dev/ttyUSB0`, or a pattern such as `/dev/serial/by-id/*Printer*`, which finds the printer at every socket. Empty: no printer."""
    baud: Annotated[int, Meta(ge=300, le=921_600)] = 9600
    """Bits per second, as set on the printer."""
    flow: Flow = "none"
    """Flow control: none, hardware (`rts`: DTR/RTS) or software (`xon`: XON/XOFF)."""
    profile: str = "default"
    """The printer's profile in python-escpos, which determines its code pages."""
    width: Annotated[int, Meta(ge=20, le=80)] = 32
    """Characters in a line: 32 on 58 mm paper, 42 or 48 on 80 mm."""
    cut: bool = False
    """The printer has a cutter."""


class LedLine(Struct, frozen=True):
    ports: tuple[str, ...]
    """Devices such as ``/dev/serial/by-id/usb-...`` or patterns such as ``/dev/ttyUSB*``, likeliest first; or only addresses on an I2C bus (``I2C_PORT``)."""
    baud: int = 9600
    """Baud rate of a serial module: its factory setting, unless changed."""
    brightness: int = 100
    """0 to 100."""

    @property
    def on_i2c(self) -> bool:
        return I2C_PORT.fullmatch(self.ports[0]) is not None
