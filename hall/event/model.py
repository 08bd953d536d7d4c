"""The values of an event. Frozen; nothing here reads a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

BYE: Final = 0
"""The opponent of a player who does not play in a round."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player, known in the event by division and number."""

    division: str
    number: int
    name: str
    rating: int | None = None
    member: str = ""
    """The number with the federation."""
    team: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays whom in a round: two numbers of one division."""

    division: str
    round: int
    first: int
    """Goes first, where ``ordered``."""
    second: int
    """``BYE``: the first one does not play."""
    ordered: bool = False
    """Who goes first is decided."""
    board: int | None = None
    """In the division, from 1."""
    table: int | None = None
    """In the hall, where the file says so itself."""
    scores: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class TableAssignment:
    """At which table of the hall a division's board stands, in every round."""

    division: str
    board: int
    table: int


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where a table stands: across and down from the hall's upper left corner, in a unit of the plan's own."""

    table: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class FloorPlan:
    """Where the tables stand."""

    places: tuple[TablePlace, ...] = ()


@dataclass(frozen=True)
class Event:
    """A whole event, or the part of it that some files have."""

    players: tuple[Player, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    tables: tuple[TableAssignment, ...] = ()
    floor: FloorPlan = field(default_factory=FloorPlan)

    @cached_property
    def by_number(self) -> Mapping[tuple[str, int], Player]:
        return {(each.division, each.number): each for each in self.players}

    @cached_property
    def _tables(self) -> Mapping[tuple[str, int], int]:
        return {(each.division, each.board): each.table for each in self.tables}

    def table_of(self, pairing: Pairing) -> int | None:
        """Return the table of a pairing; None: no file says it."""
        if pairing.table is not None or pairing.board is None:
            return pairing.table
        return self._tables.get((pairing.division, pairing.board))

    def round(self, number: int) -> tuple[Pairing, ...]:
        return tuple(each for each in self.pairings if each.round == number)

    @property
    def rounds(self) -> int:
        """How many rounds have pairings."""
        return max((each.round for each in self.pairings), default=0)

    def updated(self, part: Event) -> Event:
        """Return the event with ``part``: new players replace their division's and its pairings, new pairings those of their round."""
        divisions = {each.division for each in part.players}
        paired = {(each.division, each.round) for each in part.pairings}
        boards = {each.division for each in part.tables}
        players = (*(each for each in self.players if each.division not in divisions), *part.players)
        pairings = (
            *(each for each in self.pairings if each.division not in divisions and (each.division, each.round) not in paired),
            *part.pairings,
        )
        return Event(
            tuple(sorted(players, key=lambda each: (each.division, each.number))),
            tuple(sorted(pairings, key=lambda each: (each.division, each.round, each.first))),
            (*(each for each in self.tables if each.division not in boards), *part.tables),
            part.floor if part.floor.places else self.floor,
        )
