"""Who sits where: what an import says of a table, before and beside what its clock says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hall.event.model import BYE, Event, Pairing
from rules.side import BySide


@dataclass(frozen=True, slots=True)
class FloorPosition:
    """A table's place in the room: from the upper left corner, as shares of width and height between 0 and 1."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One table by the import."""

    names: BySide[str]
    division: str = ""
    place: FloorPosition | None = None


NOWHERE: Final = TableSeat(BySide("", ""))
"""A table of which no import says anything."""


def seats_of(event: Event, number: int) -> Mapping[int, TableSeat]:
    """Return who sits where in a round, by table; who goes first sits on the left until the table's clock says otherwise."""
    places = _places(event)
    seats = {table: TableSeat(BySide("", ""), place=place) for table, place in places.items()}
    for pairing in event.round(number):
        table = event.table_of(pairing)
        if table is not None and pairing.second != BYE:
            seats[table] = TableSeat(_names(event, pairing), pairing.division, places.get(table))
    return seats


def _names(event: Event, pairing: Pairing) -> BySide[str]:
    def name(number: int) -> str:
        player = event.by_number.get((pairing.division, number))
        return "" if player is None else player.name

    return BySide(name(pairing.first), name(pairing.second))


def _places(event: Event) -> dict[int, FloorPosition]:
    """Return the tables' places as shares of the plan's own width and height."""
    places = event.floor.places
    if not places:
        return {}
    left, top = min(each.x for each in places), min(each.y for each in places)
    width, height = max(each.x for each in places) - left, max(each.y for each in places) - top
    return {each.table: FloorPosition(_share(each.x - left, width), _share(each.y - top, height)) for each in places}


def _share(distance: int, whole: int) -> float:
    return 0.5 if whole == 0 else distance / whole
