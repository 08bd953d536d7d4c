"""The parts a board can use: electrical figures, order text, price. The data is in ``parts.toml``.

Boards name them; the electrical check uses their figures, the wiring picture and parts list their names.
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
    """One kind of part. Currents are in mA; 0: not applicable."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    sort: Sort
    name: str
    order: str
    """What to order."""
    eur: tuple[float, float]
    """Price of one, from and to, in EUR."""
    unit: Literal["piece", "m"] = "piece"
    volts: float = 0.0
    """Supply voltage."""
    milliamps: float = 0.0
    """Current consumption; for an LED its maximum, for a transistor the maximum it switches."""
    forward: float = 0.0
    """An LED's forward voltage."""
    input_high: float = 0.0
    """The input's high threshold, as a share of the supply."""
    inductive: bool = False
    """It has a coil, which kicks back when switched off."""


@functools.cache
def parts() -> Mapping[str, Part]:
    """Return every part by its id, in the file's order."""
    with _FILE.open("rb") as file:
        return MappingProxyType(TypeAdapter(dict[str, Part]).validate_python(tomllib.load(file)))


def of_sorts(*sorts: Sort) -> tuple[str, ...]:
    """Return the ids of the parts of these sorts."""
    return tuple(name for name, part in parts().items() if part.sort in sorts)


def ohms(value: int) -> str:
    """Return a resistor's value for people: ``330 Ω``, ``1 kΩ``, ``4.7 kΩ``."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"
