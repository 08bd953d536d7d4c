"""Who sits where: by an import, before and beside what the clock says; and who plays, by the clock's journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from msgspec import Struct

from appliance.records.chain import ChainLink
from game.events import Press
from game.exact_json import decode
from game.game import Phase
from game.table import Assignment
from hall.desk.tiles.folded import FoldedGame
from hall.event.model import BYE, Event, Pairing
from records.journal import Kind, Row, place_of
from rules.side import BySide


class FloorPosition(Struct, frozen=True):
    """A table's place in the room: from the upper left corner, as shares of width and height between 0 and 1."""

    x: float
    y: float


class TableSeat(Struct, frozen=True):
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
        return "" if player is None else player.clock_name

    return BySide(name(pairing.first), name(pairing.second))


def _places(event: Event) -> dict[int, FloorPosition]:
    """Return the tables' places as shares of the plan's own width and height."""
    places = event.floor
    if not places:
        return {}
    left, top = min(each.x for each in places), min(each.y for each in places)
    width, height = max(each.x for each in places) - left, max(each.y for each in places) - top
    return {each.table: FloorPosition(_share(each.x - left, width), _share(each.y - top, height)) for each in places}


def _share(distance: int, whole: int) -> float:
    return 0.5 if whole == 0 else distance / whole


def assigned(before: Assignment, rows: Iterable[ChainLink[Row]]) -> Assignment:
    """Return the last assignment of the desk in ``rows``; ``before`` where there is none."""
    for stored in rows:
        if stored.row.kind == Kind.ASSIGNED:
            with suppress(ValueError):
                before = place_of(decode(stored.row.body), before)
    return before


def players(before: Assignment, game: FoldedGame) -> BySide[str]:
    """Return the names that the clock had when play began, or now if it has not; empty: the journal has none. ``before``: as assigned before the game's first row."""
    return assigned(before, (each for each in game.rows if is_before_play(each, game))).names


def names_next(game: FoldedGame) -> bool:
    """Return whether names have come since play began: those of the next game, which the clock reports from then on."""
    return any(each.row.kind == Kind.ASSIGNED and not is_before_play(each, game) for each in game.rows)


def is_before_play(stored: ChainLink[Row], game: FoldedGame) -> bool:
    """Return whether a row is an assignment for its own game; one that comes later is for the next."""
    if stored.row.kind != Kind.ASSIGNED or game.history is None:
        return False
    phase = game.history.game_at(stored.row.at).phase
    if phase in (Phase.READY, Phase.OVER):
        return phase is Phase.READY
    # The clock takes names between games only. A press of an earlier instant was read after them, or the end that they followed was struck.
    presses = {link.number for link in game.history if isinstance(link.event, Press)}
    return not any(each.seq < stored.seq and each.row.kind == Kind.EVENT and each.row.number in presses for each in game.rows)
