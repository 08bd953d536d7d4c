"""The fill of a held press: what the face shows between the first edge and the next stage. Times in ns of the hands' clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.texts.message import KeyedMessage
from rules.contact import MS
from rules.side import Side

SHOWS_AFTER_NS: Final = 250 * MS
"""A fill appears so long after the first edge: a short press shows none."""


@dataclass(frozen=True, slots=True)
class Fill:
    """What letting go of a held press does now, and what holding on will do."""

    where: Side | None
    """The half of the player who holds; None: the strip, for the bar and for both players."""
    since: int
    """The instant at which this stage's fill is empty."""
    shows_from: int
    """The fill is visible from here."""
    full_at: int | None
    """The instant at which it is full; None: holding on does nothing more, the fill stays full."""
    let_go: KeyedMessage
    """What letting go now does."""
    hold_on: KeyedMessage | None
    """What happens at ``full_at``."""

    def fraction(self, now: int) -> float:
        """Return how full it is at ``now``, from 0 to 1."""
        return 1.0 if self.full_at is None else min(max((now - self.since) / (self.full_at - self.since), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence that answers a press for a short time: why it did nothing, or what a row of the table menu did."""

    where: Side | None
    """The half of the player who pressed; None: both halves."""
    message: KeyedMessage
    until: int
    """It is shown before this instant."""
