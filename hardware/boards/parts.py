"""What a board connects: the 40-pin header of every Raspberry Pi since the B+, and the parts with their electrical figures, order text and price.

Board files use GPIO (BCM) numbers, people count header pins ("holes"): messages and wiring pictures give both. Source: Raspberry Pi documentation, "GPIO and the
40-pin header". The parts are data, in ``parts.toml``: boards name them; the electrical check uses their figures, the wiring picture and parts list their names.
"""

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

import msgspec.toml
from msgspec import Struct

HEADER = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip # a table of pairs, read along its rows
"""Hole by GPIO number. GPIO 0 and 1 are left out: they belong to an add-on board's EEPROM."""

BUSES = {
    4: "1-Wire",
    **dict.fromkeys((2, 3), "I2C"),
    **dict.fromkeys((7, 8, 9, 10, 11), "SPI"),
    **dict.fromkeys((14, 15), "the serial port and its console"),
    **dict.fromkeys((18, 19, 20, 21), "digital audio"),
}
"""Other functions that may use a GPIO: Raspberry Pi documentation, "GPIO and the 40-pin header"."""

GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""The ground holes: the common side of every button."""


FEEDS = (2, 4)
"""The 5 V holes. What is fed by them hangs on the second where the strip board has a fuse: it lies in that strip."""
LOGIC = (1, 17)


def on_hole(hole: int) -> str:
    """Return what a hole (1 to 40) is: ``GPIO5``, ``GND``, ``5 V``, ``3.3 V``, or ``ID`` for the two of the add-on boards' EEPROM."""
    return "GND" if hole in GROUNDS else _NAMES[hole]


_NAMES = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", 27: "ID", 28: "ID", **{hole: f"GPIO{gpio}" for gpio, hole in HEADER.items()}}


_FILE: Final = Path(__file__).with_name("parts.toml")

Sort = Literal["button", "lamp", "led", "buzzer", "display", "transistor", "diode", "fuse", "panel", "other"]

LEAST_MILLIAMPS: Final = 1.0
"""Through a contact, unless its data say less: makers of switches for small loads name 1 mA at 5 V (Omron, "Microloads")."""


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of part. Currents are in mA; 0: not applicable."""

    sort: Sort
    name: str
    order: str
    eur: tuple[float, float]
    """Price of one, from and to, in EUR."""
    unit: Literal["piece", "m"] = "piece"
    volts: float = 0.0
    milliamps: float = 0.0
    """Current consumption; for an LED its maximum, for a transistor the maximum it switches, for a fuse what it carries for ever in a warm case."""
    least_milliamps: float = LEAST_MILLIAMPS
    forward: float = 0.0
    input_high: float = 0.0
    """The input's high threshold, as a share of the supply."""
    i2c: bool = False
    inductive: bool = False
    """It has a coil, which kicks back when switched off."""
    pitched: bool = False
    """A buzzer without an oscillator: its pin makes each tone."""


@functools.cache
def parts() -> Mapping[str, Part]:
    return MappingProxyType(msgspec.toml.decode(_FILE.read_bytes(), type=dict[str, Part]))


def of_sorts(*sorts: Sort) -> tuple[str, ...]:
    return tuple(name for name, part in parts().items() if part.sort in sorts)


def ohms(value: int) -> str:
    """Return a resistor's value for people: ``330 Ω``, ``1 kΩ``, ``4.7 kΩ``."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"
