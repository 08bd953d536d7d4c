"""The values of an event. Frozen; nothing here reads a file."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from msgspec import Struct

from faults.errors import Phrase
from wire.proposals import LONGEST_NAME

BYE: Final = 0


class Player(Struct, frozen=True):
    """A player, known in the event by division and number."""

    division: str
    number: int
    name: str
    rating: str = ""
    """As another program writes it, which may be no number."""
    member: str = ""
    team: str = ""
    extras: str = ""
    """What else TSH has of the player, as it writes it: ``off 50; penalty 0 -10``."""

    @property
    def clock_name(self) -> str:
        return self.name if len(self.name) <= LONGEST_NAME else f"{self.name[: LONGEST_NAME - 3].rstrip()}..."


class Pairing(Struct, frozen=True):
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

    @property
    def is_scored(self) -> bool:
        return self.scores[0] is not None and (self.second == BYE or self.scores[1] is not None)


class TableAssignment(Struct, frozen=True):
    """At which table of the hall a division's board stands, in every round."""

    division: str
    board: int
    table: int
    """0, in a part of an event: the division has no tables any more."""


class TablePlace(Struct, frozen=True):
    """Where a table stands: across and down from the hall's upper left corner, in a unit of the plan's own."""

    table: int
    x: int
    y: int


@dataclass(frozen=True)
class Event:
    """A whole event, or the part of it that some files have."""

    players: tuple[Player, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    tables: tuple[TableAssignment, ...] = ()
    floor: tuple[TablePlace, ...] = ()
    given: frozenset[str] = frozenset()
    """The divisions of which a boards CSV has said the tables: a tournament file does not replace them."""
    passed: tuple[str, ...] = field(default=(), compare=False)
    """What the files have that was passed over, in sentences; not stored."""

    @cached_property
    def divisions(self) -> frozenset[str]:
        return frozenset(each.division for each in self.players)

    @cached_property
    def by_number(self) -> Mapping[tuple[str, int], Player]:
        return {(each.division, each.number): each for each in self.players}

    @cached_property
    def _tables(self) -> Mapping[tuple[str, int], int]:
        return {(each.division, each.board): each.table for each in self.tables}

    @cached_property
    def _taken(self) -> Mapping[tuple[int, int | None], int]:
        """How many pairings of a round there are at a table."""
        return Counter((each.round, self.listed_table(each)) for each in self.pairings if each.second != BYE)

    def listed_table(self, pairing: Pairing) -> int | None:
        """Return the table of a pairing as the files list it, also if others have the same; None: no file says it."""
        if pairing.table is not None or pairing.board is None:
            return pairing.table
        return self._tables.get((pairing.division, pairing.board))

    def table_of(self, pairing: Pairing) -> int | None:
        """Return the table whose clock is the pairing's; None: no file says it, or several boards share that table."""
        table = self.listed_table(pairing)
        return table if pairing.table is not None or self._taken.get((pairing.round, table), 0) <= 1 else None

    def round(self, number: int) -> tuple[Pairing, ...]:
        return tuple(each for each in self.pairings if each.round == number)

    @property
    def rounds(self) -> int:
        return len({each.round for each in self.pairings})


def remarks(event: Event) -> list[str]:
    """Return what a director has to know of an event, in sentences: what was passed over, what clocks show, which boards have no clock."""
    shortened = [each for each in event.players if each.clock_name != each.name]
    names = (
        Phrase(
            'Division {division}, player {number}: clocks show "{short}" for "{name}".',
            division=each.division,
            number=each.number,
            short=each.clock_name,
            name=each.name,
        )
        for each in shortened
    )
    lacks = without_table(event, event.pairings)
    return [*event.passed, *_shared(event), *([lacks] if lacks else []), *names]


def _shared(event: Event) -> Iterator[str]:
    """Yield the tables that several boards of a round share: none of their pairings is its clock's."""
    boards: dict[int, set[tuple[str, int]]] = defaultdict(set)
    playing = [each for each in event.pairings if each.second != BYE]
    for each in playing:
        if (table := event.listed_table(each)) is not None and each.board is not None and event.table_of(each) is None:
            boards[table].add((each.division, each.board))
    for table, several in sorted(boards.items()):
        said = ", ".join(f"{division} {board}" for division, board in sorted(several))
        yield Phrase(
            "Table {table} is that of several boards ({boards}): no clock gets their names. A boards CSV can give each a table of its own.",
            table=table,
            boards=said,
        )


def without_table(event: Event, pairings: Iterable[Pairing]) -> Phrase:
    """Return how many of ``pairings`` no clock can get, and what helps, in a sentence; empty: none."""
    lacking = [each for each in pairings if each.second != BYE and event.table_of(each) is None]
    if not lacking:
        return Phrase("")
    have = Phrase("1 pairing has no table") if len(lacking) == 1 else Phrase("{count} pairings have no table", count=len(lacking))
    # Without its board a list of boards says nothing of a pairing.
    boards = (
        Phrase("import boards, or pairings with their tables")
        if all(each.board for each in lacking)
        else Phrase("import pairings with their tables or boards")
    )
    return Phrase("{have}: {boards}.", have=have, boards=boards)
