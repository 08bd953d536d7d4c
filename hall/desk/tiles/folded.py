"""A clock's present game, from the rows that the hall holds: folded by the clock's own journal reading; and the desk's freeze in it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.records.chain import ChainLink
from faults.errors import Phrase
from game.exact_json import decode
from game.game import Game, Phase
from game.history import History
from records.games import RejectedRow, fold
from records.journal import ACCEPTED, CLEAR, ID, STOP, Kind, Row
from rules.rulebooks import RulebookError, load_rulebook, shipped_ids
from rules.rulebooks.model import Rulebook


class FrozenBy(Enum):
    """Who has stopped a clock because of a freeze; the values are for the director."""

    DESK = Phrase("frozen by the desk")
    PLAYERS = Phrase("frozen by its players")


class DeskFreeze(Struct, frozen=True):
    """The last freeze in a game that the clock took. Instants in ns of the game, until they are ``moved``."""

    asked: int
    order: str
    """The id of the order that has asked."""
    text: str
    numbers: frozenset[int]
    """The events by which the clock has stopped itself, of all freezes in the game."""
    taken_back: int | None = None
    by: FrozenBy | None = None
    """Who has stopped the clock because of it; None: the clock runs, or stood before for another reason."""

    @property
    def stands(self) -> bool:
        return self.taken_back is None

    def moved(self, distance: int) -> DeskFreeze:
        """Return it with its instants in ns of another timeline."""
        return replace(self, asked=self.asked + distance, taken_back=None if self.taken_back is None else self.taken_back + distance)


def _frozen_by(freeze: DeskFreeze, history: History) -> FrozenBy | None:
    stop = _first_of_stop(history)
    if stop is None:
        return None
    if stop.number in freeze.numbers:
        return FrozenBy.DESK
    asked_before = freeze.asked <= stop.at and (freeze.taken_back is None or stop.at < freeze.taken_back)
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
        with suppress(ValueError):
            body = decode(row.body)
            if body.get("answer") == ACCEPTED:
                return body
    return {}


def _first_of_stop(history: History) -> History | None:
    """Return the event with which the present stop began; None: the clock is not stopped."""
    first = None
    for link in history:
        if link.game.phase is not Phase.NEUTRAL:
            break
        first = link
    return first


MOST_ROWS: Final = 1_000
"""Of one game; further ones are left out, and the table shows what the clock reports. A real game has 200; no device may keep the pages busy with its own."""
_EVER: Final = 1 << 62
"""In ns of any timeline."""


class FoldedGame(Struct, frozen=True):
    """The game with the highest number in a journal. Instants of the game in ns of its own timeline, ``mono`` in ns of the clock's machine."""

    number: int
    rows: tuple[ChainLink[Row], ...]
    """All its rows, oldest first."""
    history: History | None
    """None: its beginning cannot be read."""
    refused: tuple[RejectedRow, ...]
    boot: str
    """The boot of the last row that knows the time."""
    offset: int
    """Add it to an instant of the clock's machine, in that boot, for the game's instant."""
    frozen: int | None
    """After a power cut: the game's instant until the director confirms the times."""
    freeze: DeskFreeze | None = None

    def instant(self, mono: int) -> int:
        """Return the game's instant for an instant of the clock's machine."""
        return mono + self.offset if self.frozen is None else self.frozen

    @property
    def end(self) -> int | None:
        """When the game was over, also without an event, or else stood still; None: its beginning cannot be read.

        For a game that another one has followed: no event comes any more, so the clock's own end has come.
        """
        if self.history is None:
            return None
        if self.frozen is not None:
            return self.frozen
        end = self.history.game_at(_EVER).end
        return self.history.at if end is None else end.at

    def at(self, mono: int) -> Game | None:
        """Return the game at an instant of the clock's machine; None: its beginning cannot be read."""
        return None if self.history is None else self.history.game_at(self.instant(mono))


def folded(rows: Sequence[ChainLink[Row]]) -> FoldedGame | None:
    """Return the game of ``rows`` (one game's, oldest first); None: they hold no event."""
    timed = [stored.row for stored in rows if stored.row.kind != Kind.BOOT]
    if not any(stored.row.kind == Kind.EVENT for stored in rows):
        return None
    found = fold(rows, _rulebook)
    last, freeze = timed[-1], desk_freeze(rows)
    if freeze is not None and found.history is not None:
        freeze = replace(freeze, by=_frozen_by(freeze, found.history))
    return FoldedGame(
        rows[0].row.game,
        tuple(rows),
        found.history,
        found.refused,
        last.boot,
        last.at - last.mono,
        _frozen(rows, found.history),
        freeze,
    )


def history_of(rows: Iterable[ChainLink[Row]]) -> History | None:
    """Return the history of one game's rows, oldest first; None: its beginning cannot be read."""
    return fold(rows, _rulebook).history


def _frozen(rows: Sequence[ChainLink[Row]], history: History | None) -> int | None:
    recoveries = [stored.row for stored in rows if stored.row.kind in (Kind.RECOVERED, Kind.CONFIRMED)]
    if history is None or not recoveries or recoveries[-1].kind == Kind.CONFIRMED:
        return None
    at = recoveries[-1].at
    return None if history.game_at(at).phase in (Phase.READY, Phase.OVER) else at


@functools.cache
def _rulebook(name: str) -> Rulebook:
    # A row's rulebook may be a path on the clock's machine: it means nothing here, and no file of this machine is opened for it.
    if name not in shipped_ids():
        raise RulebookError(expected="a shipped rulebook, or its text in the row", found=repr(name[:60]))
    return load_rulebook(name)
