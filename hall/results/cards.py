"""Each player's rounds in a row, as TSH and AUPAIR keep them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from hall.event.model import BYE, Event, Pairing, Player

BYE_START, FIRST, SECOND, OPEN = 0, 1, 2, 4
"""Who goes first, in TSH's numbers."""


class Game(Struct, frozen=True):
    """A round of a player."""

    round: int
    opponent: int
    """In the division, or ``BYE``."""
    score: int | None
    other: int | None
    """The opponent's score; of a bye 0."""
    board: int
    """0: none."""
    start: int

    @property
    def is_scored(self) -> bool:
        return self.score is not None and self.other is not None


NO_GAMES: Final[Mapping[int, Game]] = {}


def cards_of(event: Event, division: str) -> dict[int, dict[int, Game]]:
    """Return the rounds of each player of a division, by number and round."""
    found: dict[int, dict[int, Game]] = {each.number: {} for each in players_of(event, division)}
    for each in event.pairings:
        if each.division == division:
            for number, game in _both(each):
                found.setdefault(number, {})[each.round] = game
    return found


def _both(pairing: Pairing) -> Sequence[tuple[int, Game]]:
    one, two = pairing.scores
    board = pairing.board or 0
    if pairing.second == BYE:
        return ((pairing.first, Game(pairing.round, BYE, one, 0, board, BYE_START)),)
    starts = (FIRST, SECOND) if pairing.ordered else (OPEN, OPEN)
    return (
        (pairing.first, Game(pairing.round, pairing.second, one, two, board, starts[0])),
        (pairing.second, Game(pairing.round, pairing.first, two, one, board, starts[1])),
    )


def players_of(event: Event, division: str) -> list[Player]:
    """Return the players of a division by number."""
    return sorted((each for each in event.players if each.division == division), key=lambda each: each.number)


def in_order(name: str) -> str:
    """Return ``First Last`` for ``Last, First``."""
    return " ".join(reversed(name.split(", ", 1)))
