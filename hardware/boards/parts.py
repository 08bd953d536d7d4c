"""The parts that a board can be made of: what they need and give, what to order, what they cost. They lie in ``parts.toml``.

A board names them; the electrical check reckons with their figures, the wiring picture and the parts list take their names.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Final, Literal

from pydantic import ConfigDict, TypeAdapter

_FILE: Final = Path(__file__).with_name("parts.toml")

Sort = Literal["button", "lamp", "led", "buzzer", "display", "transistor", "diode", "other"]


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of part. Currents are in mA; 0 where a figure says nothing of it."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    sort: Sort
    name: str
    order: str
    """What to ask a shop for."""
    eur: tuple[float, float]
    """What one costs, from and to."""
    unit: Literal["piece", "m"] = "piece"
    volts: float = 0.0
    """What it is fed with."""
    milliamps: float = 0.0
    """What it takes; of a led the most it bears, of a transistor the most it switches."""
    forward: float = 0.0
    """A led's own voltage."""
    input_high: float = 0.0
    """The share of its supply from which an input reads high."""
    inductive: bool = False
    """It has a coil, and kicks back when switched off."""


@functools.cache
def parts() -> Mapping[str, Part]:
    """Return every part by its id, in the file's order."""
    with _FILE.open("rb") as file:
        return MappingProxyType(TypeAdapter(dict[str, Part]).validate_python(tomllib.load(file)))


def of_sorts(*sorts: Sort) -> tuple[str, ...]:
    """Return the ids of the parts of these sorts."""
    return tuple(name for name, part in parts().items() if part.sort in sorts)


def ohms(value: int) -> str:
    """Return a resistor's value as it is said: ``330 Ω``, ``1 kΩ``, ``4.7 kΩ``."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"
