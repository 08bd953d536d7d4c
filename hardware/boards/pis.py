"""What wiring has to know of each Raspberry Pi: its pins' limits, how they stand at reset, its UARTs, its supply. The facts lie in ``pis.toml``.

Whoever checks a board or opens a display's port asks here, so that neither guesses by the Pi's name.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from pydantic import ConfigDict, TypeAdapter

from appliance.errors import PiUnknown
from hardware.boards.board import DisplaySpec

_FACTS: Final = Path(__file__).with_name("pis.toml")
_MODEL: Final = Path("/proc/device-tree/model")
_STRICT: Final = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Uart:
    """A serial port on the header."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    tx: int
    """The GPIO number that sends."""
    rx: int
    """The GPIO number that receives: taken too, once the port is on."""
    name: str
    type: str
    device: str
    """Where it is in ``/dev`` once ``config`` is set."""
    config: tuple[str, ...]
    """The lines of ``config.txt`` that turn it on."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pi:
    """One model of Raspberry Pi. Currents are in mA, resistances in ohms."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    id: str
    title: str
    model: str
    """How its device tree begins to name it."""
    chip: str
    """The label of the gpiochip that carries the header."""
    volts: float
    """What a pin gives, and the most that it bears."""
    pin_milliamps: int
    """The most that one pin gives."""
    total_milliamps: int
    """The most that all pins give together."""
    pulled_up: frozenset[int]
    """The GPIO numbers that are pulled up from reset until a program sets them; all others are pulled down."""
    pull_ohms: int
    """A pin's own pull-up or pull-down, about."""
    fixed_pull_ups: Mapping[int, int]
    """The resistors to 3.3 V that are soldered to the board, by GPIO number."""
    header_pins: int
    header_note: str
    supply: str
    supply_milliamps: int
    """What the supply that belongs to it gives."""
    own_milliamps: int
    """What of that the Pi takes itself."""
    sources: str
    """Where the facts come from: letters that the file explains."""
    uarts: tuple[Uart, ...]

    def uart(self, tx: int | None) -> Uart | None:
        """Return the UART that sends on that GPIO number, or None."""
        return next((uart for uart in self.uarts if uart.tx == tx), None)


@functools.cache
def _pis() -> Mapping[str, Pi]:
    with _FACTS.open("rb") as file:
        content = tomllib.load(file)
    return {pi_id: TypeAdapter(Pi).validate_python({"id": pi_id, **facts}) for pi_id, facts in content.items()}


def pi_ids() -> tuple[str, ...]:
    """Return the ids of the Pis whose facts are known: ``3``, ``4``, ``5``, ``zero-2-w``."""
    return tuple(_pis())


def load_pi(pi_id: str) -> Pi:
    """Return the facts of one Pi.

    Raises:
        PiUnknown: there is no such id.
    """
    if pi_id not in _pis():
        raise PiUnknown(
            expected=f"one of the Pis {', '.join(pi_ids())}",
            found=repr(pi_id),
            remedy="Name one of these, or the one that yours is built like",
        )
    return _pis()[pi_id]


def this_pi(model: Path = _MODEL) -> Pi | None:
    """Return the Pi this runs on, by what the device tree calls it; None where it is none, or none that is known."""
    try:
        name = model.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return next((pi for pi in _pis().values() if name.startswith(pi.model)), None)


def display_port(display: DisplaySpec, pi: Pi | None) -> str:
    """Return the device that a board's display hangs on: the UART on its ``tx`` pin where this Pi has one there, else its ``port``.

    Args:
        display: from ``Board.displays``.
        pi: from ``this_pi``; None, off a Pi, takes the ``port``.
    """
    uart = None if pi is None else pi.uart(display.tx)
    return display.port if uart is None else uart.device
