"""Shapes of strokes and filled outlines, in units of their height, for signs and numerals. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]
Polyline: TypeAlias = tuple[Point, ...]


@dataclass(frozen=True)
class Shape:
    """A shape one unit tall and ``width`` wide: round-ended strokes of ``weight``, and filled outlines. Hashed by name."""

    name: str
    width: float
    lines: tuple[Polyline, ...] = ()
    weight: float = 0.0
    fills: tuple[Polyline, ...] = ()

    def __hash__(self) -> int:
        return hash(self.name)


DISC: Final = Shape("disc", 1.0, (((0.5, 0.5), (0.5, 0.501)),), 1.0)
