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
    called: bool = False
    """The director has been called in the game before, and has not answered."""


@dataclass(frozen=True, slots=True)
class Press:
    """A player's own button: it starts the other player's clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class Neutralise:
    """Stop the clock; the reason may follow later or not at all (2017 II.A)."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the clock stands; it replaces an earlier reason (2017 II.A)."""

    reason: str


@dataclass(frozen=True, slots=True)
class Hold:
    """The player on turn calls hold (2017 IV.I.2)."""


@dataclass(frozen=True, slots=True)
class Release:
    """The holder lets the play stand."""


@dataclass(frozen=True, slots=True)
class OutPlay:
    """The player on turn has played the last tiles (2017 V.E)."""

    declared_after: int | None = None
    """How long after the play it was declared (ns): it took the place of the press that ended the turn, and its time counts from the declaration.

    None: it was declared when it happened.
    """


@dataclass(frozen=True, slots=True)
class NotOut:
    """The alleged out play was none: its player has a tile to draw, and play goes on (2017 V.C, V.E; NZ 6.10, 6.11)."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge the play; ``side`` is the challenger, by default the player on turn. During an adjudication: correct who challenges (2017 IV.G.2.a)."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The challenge is withdrawn before adjudication (2017 IV.I.3)."""


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
    side: Side | None = None
    """Who decides, for a window that is a decision."""
    ago: int | None = None
    """How long before the event it began (ns), where that is something players say: the draw, the round's start (2017 IV.G.2.a, III.C)."""
    length: int | None = None
    """The break that the director announces (ns), in place of the rulebook's length (2017 III.C)."""


@dataclass(frozen=True, slots=True)
class End:
    """End the game."""

    reason: str
    loser: Side | None = None
    """The loser of a resignation or a forfeit (2017 I.B, V.K.2); None for any other reason."""


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
    """Add time (ns; negative deducts), now or at the end of the game (2017 II.D, II.F)."""

    side: Side
    ns: int
    when: When
    reason: str


@dataclass(frozen=True, slots=True)
class EraseOvertime:
    """The director erases a side's overtime, or the part that a failure caused (2017 V.D, V.E)."""

    side: Side
    reason: str
    to_ns: int = 0
    """The remaining time to go back to, in ns: 0 or below, a whole number of seconds."""


@dataclass(frozen=True, slots=True)
class Points:
    """The director gives points to a side, or takes them (2017 IV.J.2, IV.E.2.b.5)."""

    side: Side
    points: int
    """Not 0; negative takes."""
    reason: str


@dataclass(frozen=True, slots=True)
class ChangeRulebook:
    """The game goes on under another rulebook."""

    rulebook: Rulebook
    rulebook_ref: str
    """The id or path that named the rulebook; the journal stores it."""
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
class Call:
    """The players call the director, or the director has come."""

    on: bool


@dataclass(frozen=True, slots=True)
class Undo:
    """Strike an event: by number, or the latest that can be struck."""

    reason: str
    event: int | None = None


GameEvent: TypeAlias = (
    Press
    | Neutralise
    | Reason
    | Hold
    | Release
    | OutPlay
    | NotOut
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
    | Points
    | ChangeRulebook
    | Swap
    | Infraction
    | Call
)
"""The events within a game."""

Event: TypeAlias = GameEvent | NewGame | Undo
"""The events in a record of a game."""


class By(Enum):
    """Who makes an event."""

    PLAYERS = "players"
    DIRECTOR = "director"
