"""The games of a clock's journal before the present one, from the rows that the hall holds."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass

from appliance.records.chain import ChainLink
from faults.errors import TileclockError
from game.journal.row import Row
from game.place import Assignment
from hall.desk.cards.folded import FoldedGame, folded, stored_rows
from hall.desk.cards.players import assigned, players
from hall.store.database import FAULTS, StorePlace
from hall.store.reading import reading_store
from rules.side import BySide


@dataclass(frozen=True, slots=True)
class EarlierGame:
    """A game before the present one."""

    folded: FoldedGame
    names: BySide[str]
    """Who played it; empty: the journal does not say."""
    followed: bool
    """Rows of a later game are here, so that none of this one is missing."""

    @property
    def end(self) -> int | None:
        """When it ended (ns of its timeline), or how far its rows go while others may be missing; None: its beginning cannot be read."""
        record = self.folded.record
        return self.folded.end if self.followed or record is None else record.at


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
    games, before = [], Assignment()
    for number, rows in sorted(found.items()):
        game = folded(rows)
        if game is not None and number < present:
            games.append(EarlierGame(game, players(before, game), followed=number < max(found)))
        before = assigned(before, rows)
    return tuple(reversed(games))
