"""All events of a game, as frozen values.

A gesture, a script line and a journal row all become one of these before they reach the game. An event does not contain its instant; its
owner stores the instant beside it, in ns.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side


@dataclass(frozen=True, slots=True)
class NewGame:
    """Start a new game."""

    rulebook: Rulebook
    rulebook_ref: str
    """The id or path that named the rulebook; the journal stores it."""
    allowed: BySide[int | None]
    """Per side: its own allowance in ns instead of regulation (medical extra time, 2017 III.A.3), or None."""


@dataclass(frozen=True, slots=True)
class Press:
    """A player's own button: it starts the other player's clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class Neutralise:
    """Stop the clock; the reason may follow later or not at all (2017 II.A)."""

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
    """Challenge the play; ``side`` is the challenger, by default the player on turn."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The challenger withdraws before adjudication (2017 IV.I.3)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on the play; ``words`` is the number of challenged words."""

    acceptable: bool
    words: int = 1


@dataclass(frozen=True, slots=True)
class Resume:
    """Start that side's clock; that side is on turn."""

    side: Side


@dataclass(frozen=True, slots=True)
class Decide:
    """Start that side's clock for a decision; the turn does not change (2017 IV.B.5.b)."""

    side: Side


@dataclass(frozen=True, slots=True)
class StartWindow:
    """Start a time frame."""

    name: str


@dataclass(frozen=True, slots=True)
class End:
    """End the game."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """The director continues an ended game (2017 V.C.3)."""

    reason: str


@dataclass(frozen=True, slots=True)
class LateStart:
    """Start the absent player's clock; None: both are absent (2017 III.C)."""

    side: Side | None


@dataclass(frozen=True, slots=True)
class Arrive:
    """An absent player has arrived."""

    side: Side


class When(Enum):
    """When an adjustment takes effect."""

    NOW = "now"
    END = "end"


@dataclass(frozen=True, slots=True)
class Adjust:
    """The director adds time (ns; negative deducts), now or at the end of the game (2017 II.D, II.F)."""

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
    """The players change seats."""

    reason: str


@dataclass(frozen=True, slots=True)
class Infraction:
    """A minor infraction by that side (2017 II.F)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Undo:
    """The director strikes an event: by number, or the latest that can be struck."""

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
"""The events within a game."""

Event: TypeAlias = GameEvent | NewGame | Undo
"""The events in a record of a game."""
