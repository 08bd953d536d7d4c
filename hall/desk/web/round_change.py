"""Another round becomes current: the question before it, on each page that offers it, and the answer that the desk requires."""

from __future__ import annotations

from dataclasses import dataclass

from hall.desk.cards.round import unfinished
from hall.desk.desk import DirectorsDesk
from hall.desk.web.log import whom


@dataclass(frozen=True, slots=True)
class RoundChange:
    """How the current round stands."""

    current: int
    """0: there is none."""
    following: int | None
    """The next round that is imported."""
    unfinished: tuple[int, ...]
    """The tables that have not finished the current round."""

    @property
    def waits_for(self) -> str:
        """Which tables have not finished it, in a sentence; empty: all have."""
        if not self.unfinished:
            return ""
        many = len(self.unfinished) > 1
        tables = whom([f"Table {each}" for each in self.unfinished])
        return f"{len(self.unfinished)} table{'s have' if many else ' has'} not finished round {self.current}: {tables}."

    def asks_first(self, number: int) -> bool:
        """Return whether round ``number`` becomes current only for a director who says so twice."""
        return number != self.current and bool(self.unfinished)


def round_change(desk: DirectorsDesk) -> RoundChange:
    """Return how the current round stands."""
    following = min((each.round for each in desk.event.pairings if each.round > desk.round), default=None)
    return RoundChange(desk.round, following, unfinished(desk.cards.values(), desk.seats))
