"""Everything that can be said to the clock, as frozen values.

A gesture, a line of a script and a row of the journal all become one of these before they reach the game. An event does not carry its instant:
whoever keeps it keeps the instant beside it, in ns.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side


@dataclass(frozen=True, slots=True)
class NewGame:
    """A fresh game."""

    rulebook: Rulebook
    named: str
    """The id or path the rulebook was asked for by; what the journal writes."""
    allowed: BySide[int | None]
    """A side's own allowance in ns in place of regulation (medical extra time, 2017 III.A.3)."""


@dataclass(frozen=True, slots=True)
class Press:
    """A player's button: starts the other player's clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class Neutralise:
    """The clock is stopped; the reason may be stated later or not at all (2017 II.A)."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """The player on turn calls hold (2017 IV.I.2)."""


@dataclass(frozen=True, slots=True)
class Release:
    """The holder lets the play stand."""


@dataclass(frozen=True, slots=True)
class OutPlay:
    """The player on turn has played the last tiles (2017 V.E)."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """The play is challenged; ``side`` is the challenger where it is not the player on turn."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The challenge is taken back before it is adjudicated (2017 IV.I.3)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The play was adjudicated; ``words`` were challenged."""

    acceptable: bool
    words: int = 1


@dataclass(frozen=True, slots=True)
class Resume:
    """That side's clock runs: its turn."""

    side: Side


@dataclass(frozen=True, slots=True)
class Decide:
    """That side's clock runs for a decision; whose turn it is stays (2017 IV.B.5.b)."""

    side: Side


@dataclass(frozen=True, slots=True)
class StartWindow:
    """A time frame starts."""

    name: str


@dataclass(frozen=True, slots=True)
class End:
    """The game is over."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """The director opens an ended game again (2017 V.C.3)."""

    reason: str


@dataclass(frozen=True, slots=True)
class LateStart:
    """The absent player's clock starts; None: both are absent (2017 III.C)."""

    side: Side | None


@dataclass(frozen=True, slots=True)
class Arrive:
    """An absent player is there."""

    side: Side


class When(Enum):
    """When an adjustment counts."""

    NOW = "now"
    END = "end"


@dataclass(frozen=True, slots=True)
class Adjust:
    """The director gives or takes time (ns, below zero takes), now or at the end of the game (2017 II.D, II.F)."""

    side: Side
    ns: int
    when: When
    reason: str


@dataclass(frozen=True, slots=True)
class EraseOvertime:
    """The director erases a side's overtime (2017 V.D, V.E)."""

    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class Swap:
    """The players sat at each other's side."""

    reason: str


@dataclass(frozen=True, slots=True)
class Infraction:
    """A minor infraction by that side (2017 II.F)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Undo:
    """The director strikes an event, by number or the latest that can be."""

    reason: str
    event: int | None = None


GameEvent: TypeAlias = (
    Press
    | Neutralise
    | Hold
    | Release
    | OutPlay
    | Challenge
    | Withdraw
    | Verdict
    | Resume
    | Decide
    | StartWindow
    | End
    | Reopen
    | LateStart
    | Arrive
    | Adjust
    | EraseOvertime
    | Swap
    | Infraction
)
"""What happens within a game."""

Event: TypeAlias = GameEvent | NewGame | Undo
"""What a record of a game holds."""
