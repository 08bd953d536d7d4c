"""The time that the players used between the director's request to stop and their stop: a credit that the director can give at the table."""

from __future__ import annotations

from typing import Final

from game.events import Adjust
from game.game import NOTHING
from game.record import Fate, Record
from rules.side import BySide, Side

REASON: Final = "asked to stop"
"""The reason of the adjustment, as the journal has it."""


def credit_due(record: Record, asked: int | None) -> BySide[int]:
    """Return what each side may get back, in ns: what it used since the request at ``asked`` (the game's instant; None: none) until the clock stood.

    Nothing while the clock has not stood since, and nothing for a side that has its credit.
    """
    if asked is None or record.until(asked).at > asked:
        return NOTHING
    then = record.game_at(asked)
    later = [link for link in record if link.at >= asked]
    stood = next((link for link in reversed(later) if link.game.running is None), None)
    if then.running is None or stood is None:
        return NOTHING
    given = {
        link.event.side for link in later if isinstance(link.event, Adjust) and link.event.reason == REASON and link.fate is Fate.VALID
    }
    return BySide(*(0 if side in given else stood.game.used.of(side) - then.used_at(side, asked) for side in Side))
