"""What a game has come to, for each player: for the exports of a round."""

from __future__ import annotations

from dataclasses import dataclass

from game.events import Challenge, Hold
from game.record import Fate
from hall.desk.cards.folded import FoldedGame
from hall.desk.cards.table import CardSide, TableCard
from rules.side import BySide, Side

_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side's account."""

    name: str
    used_ms: int
    overtime_ms: int
    penalty: int
    holds: int
    challenges: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table's game as far as it has come."""

    table: int
    over: bool
    journal: str
    """The hash of its last row."""
    sides: BySide[SideResult]


def table_result(card: TableCard, folded: FoldedGame | None, now: int) -> TableResult | None:
    """Return the result of a table at ``now`` (ns of the listener); None: it has no table, or has not reported."""
    if card.table is None or card.sides is None:
        return None
    counts = {(side, kind): 0 for side in Side for kind in (Hold, Challenge)}
    for link in () if folded is None or folded.record is None else folded.record:
        event = link.event
        if link.fate is not Fate.VALID or not isinstance(event, Hold | Challenge):
            continue
        whose = link.game.holder if isinstance(event, Hold) else event.side or link.game.challenger
        if whose is not None:
            counts[whose, type(event)] += 1

    def side(which: Side, own: CardSide) -> SideResult:
        gone = max(0, now - card.at) if card.running is which and card.at is not None else 0
        return SideResult(
            own.name,
            (own.used + gone) // _MS,
            max(0, gone - own.remaining) // _MS,
            own.penalty,
            counts[which, Hold],
            counts[which, Challenge],
        )

    sides = BySide(side(Side.LEFT, card.sides.left), side(Side.RIGHT, card.sides.right))
    return TableResult(card.table, card.phase == "over", folded.rows[-1].hash if folded is not None else "", sides)
