"""From the event to the tables: who sits where in the round that is played."""

from __future__ import annotations

from collections.abc import Mapping

from hall.desk.cards.seating import SharePlace, TableSeat
from hall.event.model import BYE, Event
from rules.side import BySide


def seats_of(event: Event, number: int) -> Mapping[int, TableSeat]:
    """Return the seats of round ``number`` by table: whoever goes first sits left."""
    places = _places(event)
    seats = {table: TableSeat(BySide("", ""), place=place) for table, place in places.items()}
    for pairing in event.round(number):
        table = event.table_of(pairing)
        if table is None or pairing.second == BYE:
            continue
        names = (event.by_number[pairing.division, player].name for player in (pairing.first, pairing.second))
        seats[table] = TableSeat(BySide(*names), pairing.division, places.get(table))
    return seats


def _places(event: Event) -> Mapping[int, SharePlace]:
    found = event.floor.places
    width, height = (
        max((max(values) for values in [[getattr(each, axis) for each in found]] if values), default=0) or 1 for axis in ("x", "y")
    )
    return {each.table: SharePlace(each.x / width, each.y / height) for each in found}
