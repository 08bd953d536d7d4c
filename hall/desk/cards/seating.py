"""Who sits where: what an import says of a table, before and beside what its clock says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.side import BySide


@dataclass(frozen=True, slots=True)
class SharePlace:
    """A table's place in the room: from the upper left corner, as shares of width and height between 0 and 1."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One table by the import."""

    names: BySide[str]
    division: str = ""
    place: SharePlace | None = None


NOWHERE: Final = TableSeat(BySide("", ""))
"""A table of which no import says anything."""
