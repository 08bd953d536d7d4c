"""The present game of each clock, kept as its rows come in; after a start, read back from the listener's file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from appliance.log import get_logger
from appliance.records.chain import ChainLink
from faults.errors import TileclockError
from game.journal.row import Kind, Row
from game.place import NO_NAMES, Assignment
from hall.desk.cards.folded import FoldedGame, folded, stored_rows
from hall.desk.cards.players import assigned, players
from hall.store.database import FAULTS, StorePlace
from hall.store.reading import StoreReader, reading_store
from rules.side import BySide
from wire.reports import WireRow

_LOOK_BACK: Final = 500
"""Rows before the last game that are searched for its names: they come just before it."""


@dataclass(slots=True)
class _Tail:
    epoch: str
    rows: list[ChainLink[Row]] = field(default_factory=list)
    """Of the game with the highest number."""
    before: Assignment = field(default_factory=Assignment)
    """The assignment that stood before its first row."""
    game: FoldedGame | None = None
    fresh: bool = False
    """``game`` is the one of ``rows``."""


class Journals:
    """The games. Used by one thread."""

    def __init__(self, store: StorePlace) -> None:
        self._store = store
        self._tails: dict[str, _Tail] = {}

    def take(self, device: str, epoch: str, rows: Iterable[WireRow]) -> None:
        """Take in rows that have just come to the disk, in order."""
        tail = self._tails.get(device)
        # Whatever else the hall holds of that journal is read when the game is asked for.
        if tail is None or tail.epoch != epoch:
            self._tails.pop(device, None)
            return
        _extend(tail, stored_rows(rows))

    def holds(self, device: str) -> bool:
        """Return whether a device's game is here, so that ``game`` need not read it."""
        return device in self._tails

    def game(self, device: str, epoch: str | None) -> FoldedGame | None:
        """Return the present game of a clock's journal; None: the hall holds no event of it."""
        return None if epoch is None else self._tail(device, epoch).game

    def players(self, device: str, epoch: str | None) -> BySide[str]:
        """Return the players of the present game; empty: the journal has no names."""
        tail = None if epoch is None else self._tail(device, epoch)
        return NO_NAMES if tail is None or tail.game is None else players(tail.before, tail.game)

    def _tail(self, device: str, epoch: str) -> _Tail:
        tail = self._tails.get(device)
        if tail is None or tail.epoch != epoch:
            tail = self._tails[device] = _Tail(epoch)
            _extend(tail, self._read(lambda store: _last_game(store, device, epoch)))
        if not tail.fresh:
            tail.game, tail.fresh = folded(tail.rows), True
        return tail

    def _read(self, rows: Callable[[StoreReader], list[ChainLink[Row]]]) -> list[ChainLink[Row]]:
        try:
            with reading_store(self._store) as store:
                return rows(store)
        except (TileclockError, *FAULTS) as error:
            get_logger().warning("the rows cannot be read now", why=str(error))
            return []


def _extend(tail: _Tail, rows: Iterable[ChainLink[Row]]) -> None:
    for stored in rows:
        if tail.rows and stored.seq <= tail.rows[-1].seq:
            continue
        if tail.rows and stored.row.game > tail.rows[-1].row.game:
            tail.before, tail.rows = assigned(tail.before, tail.rows), []
        tail.rows.append(stored)
        tail.fresh = False


def _last_game(store: StoreReader, device: str, epoch: str) -> list[ChainLink[Row]]:
    """Return the rows of the last game, after the assignment before it."""
    found: list[ChainLink[Row]] = []
    for back, held in enumerate(store.rows_back(device, epoch)):
        row = next(iter(stored_rows([(held.hash, None if held.fields is None else json.loads(held.fields))])), None)
        if row is None:
            continue
        if not found or row.row.game >= found[-1].row.game:
            found.append(row)
        elif row.row.kind == Kind.ASSIGNED:
            found.append(row)
            break
        elif back > _LOOK_BACK:
            break
    return found[::-1]
