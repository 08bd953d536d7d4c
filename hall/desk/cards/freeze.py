"""The desk's freeze at one clock, from its rows: what was asked when, whether it was taken back, and who has stopped the clock."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from appliance.records.chain import ChainLink
from game.game import Phase
from game.journal.reading import ACCEPTED, ID, STOP
from game.journal.row import Kind, Row, decode
from game.record import Record

CLEAR: Final = "clear"


class FrozenBy(StrEnum):
    """Who has stopped a clock because of a freeze; the values are for the director."""

    DESK = "frozen by the desk"
    PLAYERS = "frozen by its players"


@dataclass(frozen=True, slots=True)
class DeskFreeze:
    """The last freeze in a game that the clock took. Instants in ns of the game."""

    asked: int
    order: str
    """The id of the order that has asked."""
    text: str
    numbers: frozenset[int]
    """The events by which the clock has stopped itself, of all freezes in the game."""
    taken_back: int | None = None

    @property
    def stands(self) -> bool:
        """Return whether it has not been taken back."""
        return self.taken_back is None

    def frozen_by(self, record: Record) -> FrozenBy | None:
        """Return who has stopped the clock because of it; None: the clock runs, or stood before for another reason."""
        stop = _first_of_stop(record)
        if stop is None:
            return None
        if stop.number in self.numbers:
            return FrozenBy.DESK
        asked_before = self.asked <= stop.at and (self.taken_back is None or stop.at < self.taken_back)
        return FrozenBy.PLAYERS if asked_before else None


def desk_freeze(rows: Iterable[ChainLink[Row]]) -> DeskFreeze | None:
    """Return the last freeze in a game's rows; None: there was none."""
    found: DeskFreeze | None = None
    for stored in rows:
        body = _accepted(stored.row)
        if body.get("what") == STOP:
            number = body.get("number")
            # A clock that stops itself has its event first, then this row with the event's number.
            numbers = (frozenset() if found is None else found.numbers) | ({number} if isinstance(number, int) else frozenset())
            # One that is repeated before it is taken back stands since its first order.
            first = found if found is not None and found.stands else None
            asked, order = (stored.row.at, str(body.get(ID, ""))) if first is None else (first.asked, first.order)
            found = DeskFreeze(asked, order, str(body.get("text", "")), numbers)
        elif body.get("what") == CLEAR and found is not None and found.stands:
            found = replace(found, taken_back=stored.row.at)
    return found


def _accepted(row: Row) -> dict[str, Any]:
    if row.kind == Kind.PROPOSAL:
        with suppress(ValueError, RecursionError):
            body = decode(row.body)
            if body.get("answer") == ACCEPTED:
                return body
    return {}


def _first_of_stop(record: Record) -> Record | None:
    """Return the event with which the present stop began; None: the clock is not stopped."""
    first = None
    for link in record:
        if link.game.phase is not Phase.NEUTRAL:
            break
        first = link
    return first
