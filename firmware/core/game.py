"""The game on the clock: one frozen value, and what can be read off it at any instant.

A ``Game`` stores what each side has used and since when the running side runs; what remains is derived on read. Nothing here changes a game: ``apply``
does, from events, and ``happenings`` from what comes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from firmware.core.replacing import changed
from rules.duration import NS, seconds_shown
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side


class Phase(Enum):
    """Where the game stands."""

    READY = "ready"
    LATE = "late"
    RUNNING = "running"
    HOLD = "hold"
    NEUTRAL = "neutral"
    OUT_PLAY = "out_play"
    ADJUDICATION = "adjudication"
    OVER = "over"


class Ending(Enum):
    """An end that came by itself and settles the penalty."""

    LIMIT = "overtime limit"
    FORFEIT = "forfeit"
    DOUBLE_FORFEIT = "double forfeit"


NOTHING: BySide[int] = BySide(0, 0)
OUT_PLAY_REASON = "out play"
WINDOW_LINGERS_NS = 10 * NS
"""An expired window is shown so long, then it is gone."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time frame that is being counted; instants and length in ns."""

    name: str
    starts: int
    length: int

    @property
    def ends(self) -> int:
        """The instant it has expired."""
        return self.starts + self.length

    @property
    def gone(self) -> int:
        """The instant it is no longer shown."""
        return self.ends + WINDOW_LINGERS_NS


@dataclass(frozen=True)
class Game:
    """One game. Instants and durations in ns."""

    rulebook: Rulebook
    allowed: BySide[int]
    """Regulation and what the director gave."""
    phase: Phase = Phase.READY
    used: BySide[int] = NOTHING
    """Charged up to ``since`` for the side that runs."""
    credit: BySide[int] = NOTHING
    """Added to what is allowed while the game is over."""
    points: BySide[int] = NOTHING
    infractions: BySide[int] = NOTHING
    running: Side | None = None
    since: int = 0
    """When the running clock started; in ``late``, when time began to count."""
    stopped: int = 0
    """The instant of the stop: when a clock last stopped, or the game was reopened."""
    turn: Side | None = None
    holder: Side | None = None
    hold_noted: bool = False
    """Hold was said on an out play whose window does not start a clock (NZ 8.2)."""
    out_player: Side | None = None
    """Who made the out play that is neither accepted nor challenged off."""
    out_play_ends: int = 0
    challenger: Side | None = None
    window: Window | None = None
    absent: tuple[Side, ...] = ()
    reason: str | None = None
    unexplained: bool = False
    """The stop that lasts came without a reason: the player has to state it (2017 II.A)."""
    judged: bool | None = None
    """What the verdict was, while the stop it made lasts: the play was acceptable, or not."""
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
        """Return the ns that side has used at ``now``."""
        used = self.used.of(side)
        return used + now - self.since if self.running is side else used

    def remaining(self, side: Side, now: int) -> int:
        """Return the ns that remain to that side, credits counted once the game is over; below zero in overtime."""
        remaining = self.allowed.of(side) - self.used_at(side, now)
        return remaining + self.credit.of(side) if self.phase is Phase.OVER else remaining

    def penalty(self, side: Side, now: int) -> int:
        """Return the points that the reading of that side costs (2014 V.G, 2017 V.G.2 and V.G.3)."""
        if self.ending is Ending.LIMIT and self.loser is side and self.rulebook.limit is not None:
            return self.rulebook.limit.penalty
        if self.ending in (Ending.FORFEIT, Ending.DOUBLE_FORFEIT):
            return 0
        overtime_s = max(0, -seconds_shown(self.remaining(side, now)))
        return self.rulebook.overtime_points * -(-overtime_s // self.rulebook.overtime_period_s)

    def window_at(self, now: int) -> Window | None:
        """Return the window that stands at ``now``, expired or not, or None once it is gone."""
        return self.window if self.window is not None and now < self.window.gone else None
