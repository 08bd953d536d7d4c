"""Where a clock stands and who plays: an assignment from the settings or from the desk."""

from __future__ import annotations

from dataclasses import dataclass

from game.game import NOTHING, Game, Phase
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


def assigned_body(place: Assignment) -> dict[str, object]:
    """Return the journal's body of an assignment."""
    return {"table": place.table, "left": place.names.left, "right": place.names.right, "lexicon": place.lexicon}


def place_of(body: object, otherwise: Assignment) -> Assignment:
    """Return the assignment that the journal has kept in ``body``; ``otherwise`` where it is none."""
    if not isinstance(body, dict):
        return otherwise
    table, lexicon = body.get("table"), body.get("lexicon")
    names = BySide(str(body.get("left", "")), str(body.get("right", "")))
    return Assignment(table if isinstance(table, int) else None, names, lexicon if isinstance(lexicon, str) else None)
