"""The games of a clock's journal before the present one, from the rows that the hall holds."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from appliance.errors import TileclockError
from appliance.records.link import ChainLink
from firmware.core.game import Phase
from firmware.hall.place import Assignment, place_of
from firmware.journal.body import decode
from firmware.journal.row import Kind, Row
from hall.desk.cards.folded import FoldedGame, folded, stored_rows
from hall.store.database import FAULTS, StorePlace
from hall.store.reading import reading_store
from rules.side import BySide


@dataclass(frozen=True, slots=True)
class EarlierGame:
    """A game before the present one."""

    folded: FoldedGame
    names: BySide[str]
    """Who played it; empty: the journal does not say."""


def earlier_games(place: StorePlace, device: str, epoch: str, present: int) -> tuple[EarlierGame, ...]:
    """Return the games before number ``present``, the last one first; none where the store cannot be read now."""
    found: dict[int, list[ChainLink[Row]]] = defaultdict(list)
    try:
        with reading_store(place) as store:
            held = ((row.hash, None if row.fields is None else json.loads(row.fields)) for row in store.rows(device, epoch))
            for stored in stored_rows(held):
                found[stored.row.game].append(stored)
    except (TileclockError, *FAULTS):
        return ()
    games, given = [], Assignment()
    for number, rows in sorted(found.items()):
        game = folded(rows)
        if game is not None and number < present:
            given = _given(given, (each.row for each in rows if _is_before_play(each.row, game)))
            games.append(EarlierGame(game, given.names))
        given = _given(given, (each.row for each in rows))
    return tuple(reversed(games))


def _is_before_play(row: Row, game: FoldedGame) -> bool:
    # Names come between two games: those that come once this one is over are the next one's.
    return game.record is not None and game.record.game_at(row.at).phase is Phase.READY


def _given(before: Assignment, rows: Iterable[Row]) -> Assignment:
    """Return the last assignment of the desk in ``rows``; ``before`` where there is none."""
    for row in rows:
        if row.kind == Kind.ASSIGNED:
            with suppress(ValueError, RecursionError):
                before = place_of(decode(row.body), before)
    return before
