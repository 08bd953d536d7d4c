"""The game on the clock: one frozen value, and what follows from it at any instant.

A ``Game`` stores what each side has used and since when the running side runs; remaining time is derived on read. Nothing here changes a
game: ``apply`` does so for events, ``timed_transitions`` for changes that need no event.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from firmware.core.replacing import changed
from rules.duration import NS
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side


class Phase(Enum):
    """The state of the game."""

    READY = "ready"
    LATE = "late"
    RUNNING = "running"
    HOLD = "hold"
    NEUTRAL = "neutral"
    OUT_PLAY = "out_play"
    ADJUDICATION = "adjudication"
    OVER = "over"


class Ending(Enum):
    """An end without an event, which also fixes the penalty."""

    LIMIT = "overtime limit"
    FORFEIT = "forfeit"
    DOUBLE_FORFEIT = "double forfeit"


NOTHING: BySide[int] = BySide(0, 0)
OUT_PLAY_REASON = "out play"
WINDOW_LINGERS_NS = 10 * NS
"""How long an expired window stays on the display (ns)."""


@dataclass(frozen=True, slots=True)
class Window:
    """A running or expired time frame; instants and length in ns."""

    name: str
    starts: int
    length: int

    @property
    def ends(self) -> int:
        """The instant at which it expires."""
        return self.starts + self.length

    @property
    def hidden_from(self) -> int:
        """The instant from which it is no longer shown."""
        return self.ends + WINDOW_LINGERS_NS


@dataclass(frozen=True)
class Game:
    """One game. Instants and durations in ns."""

    rulebook: Rulebook
    allowed: BySide[int]
    """Regulation plus the director's adjustments."""
    phase: Phase = Phase.READY
    used: BySide[int] = NOTHING
    """Charged time; for the running side, up to ``since``."""
    credit: BySide[int] = NOTHING
    """Added to the allowed time once the game is over."""
    points: BySide[int] = NOTHING
    infractions: BySide[int] = NOTHING
    running: Side | None = None
    since: int = 0
    """When the running clock started; in ``late``, when time began to count."""
    stopped: int = 0
    """When a clock last stopped, or the game was reopened."""
    turn: Side | None = None
    holder: Side | None = None
    hold_noted: bool = False
    """A hold was called on an out play whose window starts no clock (NZ 8.2)."""
    out_player: Side | None = None
    """Who made the pending out play: neither accepted nor challenged off."""
    out_play_ends: int = 0
    challenger: Side | None = None
    window: Window | None = None
    absent: tuple[Side, ...] = ()
    reason: str | None = None
    unexplained: bool = False
    """The current stop has no reason yet: the player has to state one (2017 II.A)."""
    judged: bool | None = None
    """The verdict during the stop that follows it: whether the play was acceptable."""
    loser: Side | None = None
    lost_turn: Side | None = None
    ending: Ending | None = None

    def replace(self, **changes: Any) -> Game:
        """Return this game with some fields changed."""
        return self.with_changes(changes)

    def with_changes(self, changes: dict[str, Any]) -> Game:
        """Return this game with some fields changed."""
        return changed(self, changes)

    def used_at(self, side: Side, now: int) -> int:
        """Return the ns that this side has used at ``now``."""
        used = self.used.of(side)
        return used + now - self.since if self.running is side else used

    def remaining(self, side: Side, now: int) -> int:
        """Return this side's remaining ns, including credits once the game is over; negative in overtime."""
        remaining = self.allowed.of(side) - self.used_at(side, now)
        return remaining + self.credit.of(side) if self.phase is Phase.OVER else remaining

    def penalty(self, side: Side, now: int) -> int:
        """Return the penalty points for this side's reading (2014 V.G, 2017 V.G.2 and V.G.3)."""
        if self.ending is Ending.LIMIT and self.loser is side and self.rulebook.limit is not None:
            return self.rulebook.limit.penalty
        if self.ending in (Ending.FORFEIT, Ending.DOUBLE_FORFEIT):
            return 0
        return self.rulebook.overtime.penalty(self.remaining(side, now))

    def window_at(self, now: int) -> Window | None:
        """Return the window shown at ``now``, expired or not, or None."""
        return self.window if self.window is not None and now < self.window.hidden_from else None
