"""Who plays a game, by its clock's journal: names come between two games, so those that come once a game is over are the next one's."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from appliance.records.chain import ChainLink
from game.events import Press
from game.game import Phase
from game.journal.row import Kind, Row, decode
from game.place import Assignment, place_of
from hall.desk.cards.folded import FoldedGame
from rules.side import BySide


def assigned(before: Assignment, rows: Iterable[ChainLink[Row]]) -> Assignment:
    """Return the last assignment of the desk in ``rows``; ``before`` where there is none."""
    for stored in rows:
        if stored.row.kind == Kind.ASSIGNED:
            with suppress(ValueError, RecursionError):
                before = place_of(decode(stored.row.body), before)
    return before


def players(before: Assignment, game: FoldedGame) -> BySide[str]:
    """Return the names that the clock had when play began, or its present names before that; empty: the journal has none.

    Args:
        before: the assignment that stood before the game's first row.
        game: the game.
    """
    return assigned(before, (each for each in game.rows if is_before_play(each, game))).names


def names_next(game: FoldedGame) -> bool:
    """Return whether names have come since play began: those of the next game, which the clock reports from then on."""
    return any(each.row.kind == Kind.ASSIGNED and not is_before_play(each, game) for each in game.rows)


def is_before_play(stored: ChainLink[Row], game: FoldedGame) -> bool:
    """Return whether a row is an assignment for its own game; one that comes later is for the next."""
    if stored.row.kind != Kind.ASSIGNED or game.record is None:
        return False
    phase = game.record.game_at(stored.row.at).phase
    if phase in (Phase.READY, Phase.OVER):
        return phase is Phase.READY
    # The clock takes names between games only. A press of an earlier instant was read after them, or the end that they followed was struck.
    presses = {link.number for link in game.record if isinstance(link.event, Press)}
    return not any(each.seq < stored.seq and each.row.kind == Kind.EVENT and each.row.number in presses for each in game.rows)
