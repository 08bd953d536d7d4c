"""The electrical facts of each Raspberry Pi: pin limits, levels at reset, UARTs, supply. The data is in ``pis.toml``.

The checks of boards and the display ports use it, so that neither guesses from the Pi's name.
"""

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from appliance.errors import PiUnknown
from hardware.boards.board import DisplaySpec

_FACTS: Final = Path(__file__).with_name("pis.toml")
_MODEL: Final = Path("/proc/device-tree/model")


class Uart(Struct, frozen=True, forbid_unknown_fields=True):
    tx: int
    rx: int
    """The GPIO number that receives: in use too once the port is on."""
    name: str
    type: str
    device: str
    config: tuple[str, ...]
    note: str = ""


class Pi(Struct, frozen=True, forbid_unknown_fields=True):
    """One model of Raspberry Pi. Currents are in mA, resistances in ohms."""

    id: str
    title: str
    model: str
    """The start of its model name in the device tree."""
    chip: str
    volts: float
    """The voltage of a high pin, and the maximum on an input."""
    pin_milliamps: int
    total_milliamps: int
    pulled_up: frozenset[int]
    """The GPIO numbers pulled up from reset until a program sets them; all others are pulled down."""
    pull_ohms: int
    """The approximate resistance of a pin's own pull-up or pull-down."""
    fixed_pull_ups: Mapping[int, int]
    """Resistors to 3.3 V soldered on the Pi, by GPIO number."""
    header_pins: int
    header_note: str
    supply: str
    supply_milliamps: int
    own_milliamps: int
    """The share of that used by the Pi itself."""
    rail_volts: float
    usb_milliamps: int
    """What its USB sockets give together with that supply."""
    sources: str
    """The sources of the facts: letters explained in the file."""
    uarts: tuple[Uart, ...]
    power_pads: str = ""
    """Where a power button is wired on the Pi itself; empty: on the header's GPIO 3."""
    usb_small_milliamps: int = 0
    """What the USB sockets give with a supply of 3 A, if that is less; 0: no such rule."""

    def uart(self, tx: int | None) -> Uart | None:
        return next((uart for uart in self.uarts if uart.tx == tx), None)


@functools.cache
def _pis() -> Mapping[str, Pi]:
    with _FACTS.open("rb") as file:
        content = tomllib.load(file)
    return {pi_id: msgspec.convert({"id": pi_id, **facts}, Pi, str_keys=True) for pi_id, facts in content.items()}


def pi_ids() -> tuple[str, ...]:
    return tuple(_pis())


def load_pi(pi_id: str) -> Pi:
    """Raises PiUnknown: the id is unknown."""
    if pi_id not in _pis():
        raise PiUnknown(
            expected=f"one of the Pis {', '.join(pi_ids())}", found=repr(pi_id), remedy="Name one of these, or the most similar one"
        )
    return _pis()[pi_id]


def this_pi(model: Path = _MODEL) -> Pi | None:
    """Return the Pi this runs on, from its device tree; None if it is no Pi or an unknown one."""
    try:
        name = model.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return next((pi for pi in _pis().values() if name.startswith(pi.model)), None)


def display_port(display: DisplaySpec, pi: Pi | None) -> str:
    """Return the device of a board's display: the UART on its ``tx`` pin if ``pi`` has one there, else its ``port``; ``pi``: None off a Pi."""
    uart = None if pi is None else pi.uart(display.tx)
    return display.port if uart is None else uart.device
