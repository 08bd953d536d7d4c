"""All events of a game, as frozen values.

A gesture, a script line and a journal row all become one of these before they reach the game. An event does not contain its instant; its
owner stores the instant beside it, in ns.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side


class NewGame(Struct, frozen=True):
    """Start a new game."""

    rulebook: Rulebook
    rulebook_ref: str
    """The id or path that named the rulebook; the journal stores it."""
    allowed: BySide[int | None]
    """Per side: its own allowance in ns instead of regulation (medical extra time, 2017 III.A.3), or None."""
    called: bool = False
    """The director has been called in the game before, and has not answered."""


class Press(Struct, frozen=True):
    """A player's own button: it starts the other player's clock."""

    side: Side


class Neutralise(Struct, frozen=True):
    """Stop the clock; the reason may follow later or not at all (2017 II.A)."""

    reason: str | None = None


class Reason(Struct, frozen=True):
    """Why the clock stands; it replaces an earlier reason (2017 II.A)."""

    reason: str


class Hold(Struct, frozen=True):
    """The player on turn calls hold (2017 IV.I.2)."""


class Release(Struct, frozen=True):
    """The holder lets the play stand."""


class OutPlay(Struct, frozen=True):
    """The player on turn has played the last tiles (2017 V.E)."""

    press: int | None = None
    """The number of the press that ended the turn, in whose place the out play is put: its time counts from the declaration. None: no press."""


class NotOut(Struct, frozen=True):
    """The alleged out play was none: its player has a tile to draw, and play goes on (2017 V.C, V.E; NZ 6.10, 6.11)."""


class Challenge(Struct, frozen=True):
    """Challenge the play; ``side`` is the challenger, by default the player on turn. During an adjudication: correct who challenges (2017 IV.G.2.a)."""

    side: Side | None = None


class Withdraw(Struct, frozen=True):
    """The challenge is withdrawn before adjudication (2017 IV.I.3)."""


class Verdict(Struct, frozen=True):
    """The verdict on the play; ``words`` is the number of challenged words."""

    acceptable: bool
    words: int = 1


class Resume(Struct, frozen=True):
    """Start that side's clock; that side is on turn."""

    side: Side


class Decide(Struct, frozen=True):
    """Start that side's clock for a decision; the turn does not change (2017 IV.B.5.b)."""

    side: Side


class StartWindow(Struct, frozen=True):
    """Start a time frame."""

    name: str
    side: Side | None = None
    """Who decides, for a window that is a decision."""
    ago: int | None = None
    """How long before the event it began (ns), where that is something players say: the draw, the round's start (2017 IV.G.2.a, III.C)."""
    length: int | None = None
    """The break that the director announces (ns), in place of the rulebook's length (2017 III.C)."""


class End(Struct, frozen=True):
    """End the game."""

    reason: str
    loser: Side | None = None
    """The loser of a resignation or a forfeit (2017 I.B, V.K.2); None for any other reason."""


class Reopen(Struct, frozen=True):
    """The director continues an ended game (2017 V.C.3)."""

    reason: str


class LateStart(Struct, frozen=True):
    """Start the absent player's clock; None: both are absent (2017 III.C)."""

    side: Side | None
    ago: int | None = None
    """How long before the event lateness began to count (ns): NZ 4.2 runs from the adjudicator's call."""


class Arrive(Struct, frozen=True):
    """An absent player has arrived."""

    side: Side


class When(Enum):
    """When an adjustment takes effect."""

    NOW = "now"
    END = "end"


class Adjust(Struct, frozen=True):
    """Add time (ns; negative deducts), now or at the end of the game (2017 II.D, II.F)."""

    side: Side
    ns: int
    when: When
    reason: str


class EraseOvertime(Struct, frozen=True):
    """The director erases a side's overtime, or the part that a failure caused (2017 V.D, V.E)."""

    side: Side
    reason: str
    to_ns: int = 0
    """The remaining time to go back to, in ns: 0 or below, a whole number of seconds."""


class Points(Struct, frozen=True):
    """The director gives points to a side, or takes them (2017 IV.J.2, IV.E.2.b.5)."""

    side: Side
    points: int
    """Not 0; negative takes."""
    reason: str


class ChangeRulebook(Struct, frozen=True):
    """The game goes on under another rulebook."""

    rulebook: Rulebook
    rulebook_ref: str
    """The id or path that named the rulebook; the journal stores it."""
    reason: str


class Swap(Struct, frozen=True):
    """The players change seats."""

    reason: str


class Infraction(Struct, frozen=True):
    """A minor infraction by that side (2017 II.F)."""

    side: Side


class Call(Struct, frozen=True):
    """The players call the director, or the director has come."""

    on: bool


class Undo(Struct, frozen=True):
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
