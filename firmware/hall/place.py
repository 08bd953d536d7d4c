"""Where a clock stands and who plays: an assignment from the settings or from the desk."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.core.game import NOTHING, Game, Phase
from rules.side import BySide

NO_NAMES: BySide[str] = BySide("", "")


@dataclass(frozen=True, slots=True)
class Assignment:
    """The place of a clock in its hall."""

    table: int | None = None
    """The table's number; None: not assigned."""
    names: BySide[str] = NO_NAMES
    """The players; empty: LEFT and RIGHT."""
    lexicon: str | None = None
    """SHA-256 of the list that the table is to be judged by; None: no word about it."""


def between_games(game: Game) -> bool:
    """Return whether no game is in progress: it is over, or nothing is charged or owed yet."""
    return game.phase is Phase.OVER or (game.phase is Phase.READY and game.used == NOTHING and game.credit == NOTHING)
