"""What the settings of both programs say of the hardware: which pin library drives the pins, and the lines of the serial devices. Loads no driver."""

import re
from collections.abc import Iterable, Iterator, Mapping
from glob import glob
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

PinLibrary: TypeAlias = Literal["gpiod", "rpigpio", "mock", "none"]
"""A pin library by name; none: no pins."""


def with_present_pins(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with gpiod instead of lgpio, the name in older files of the same pins and kernel stamps."""
    return {key: "gpiod" if (key, value) == ("board.pins", "lgpio") else value for key, value in values.items()}


Flow = Literal["none", "rts", "xon"]
"""Flow control: none, RTS/CTS wires, or XON/XOFF characters."""


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


class SerialLine(Struct, frozen=True):
    port: str
    """Its device, such as ``/dev/ttyUSB0``, or a pattern, such as ``/dev/serial/by-id/*Printer*``: the first match that opens is used."""
    baud: int = 9600
    """Baud rate, as set by the printer's switches."""
    flow: Flow = "none"
    profile: str = "default"
    """The printer's profile in python-escpos, which defines its code pages."""
    cut: bool = True
    """Whether it has a cutter; otherwise the slip is torn off."""


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
