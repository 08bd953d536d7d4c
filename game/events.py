"""All events of a game, as frozen values.

A gesture, a script line and a journal row all become one of these before they reach the game. An event does not contain its instant; its
owner stores the instant beside it, in ns. A class is its own format: its tag is the word for ``do``, its fields are the keys, each in its form; ``event_table`` reads
and writes them.
"""

from enum import Enum
from typing import Annotated, TypeAlias

from msgspec import Struct

from game import forms
from rules.result import LEAST_SCORE, MOST_SCORE
from rules.rulebooks.model import WINDOW_NAMES, Rulebook
from rules.side import BySide, Side
from rules.tables import MAX_TABLE


class _OfSide(Struct, frozen=True):
    side: Annotated[Side, forms.SIDE]


class _ForReason(Struct, frozen=True):
    reason: Annotated[str, forms.REASON]


class NewGame(Struct, frozen=True, tag="new_game"):
    rulebook: Rulebook
    rulebook_ref: str
    """The id or path that named the rulebook; the journal stores it."""
    allowed: BySide[int | None]
    """Per side: its own allowance in ns instead of regulation (medical extra time, 2017 III.A.3), or None."""
    called: bool = False
    """The director has been called in the game before, and has not answered."""


class Press(_OfSide, frozen=True, tag="press"):
    """A player's own button: it starts the other player's clock."""


class Neutralise(Struct, frozen=True, tag="neutralise"):
    """Stop the clock; the reason may follow later or not at all (2017 II.A)."""

    reason: Annotated[str | None, forms.REASON] = None


class Reason(_ForReason, frozen=True, tag="reason"):
    """Why the clock stands; it replaces an earlier reason (2017 II.A)."""


class Hold(Struct, frozen=True, tag="hold"):
    """The player on turn calls hold (2017 IV.I.2)."""


class Release(Struct, frozen=True, tag="release"):
    """The holder lets the play stand."""


class OutPlay(Struct, frozen=True, tag="out_play"):
    """The player on turn has played the last tiles (2017 V.E)."""

    press: Annotated[int | None, forms.WHOLE] = None
    """The number of the press that ended the turn, in whose place the out play is put: its time counts from the declaration. None: no press."""


class NotOut(Struct, frozen=True, tag="not_out"):
    """The alleged out play was none: its player has a tile to draw, and play goes on (2017 V.C, V.E; NZ 6.10, 6.11)."""


class Challenge(Struct, frozen=True, tag="challenge"):
    """Challenge the play; ``side`` is the challenger, by default the player on turn. During an adjudication: correct who challenges (2017 IV.G.2.a)."""

    side: Annotated[Side | None, forms.SIDE] = None


class Withdraw(Struct, frozen=True, tag="withdraw"):
    """The challenge is withdrawn before adjudication (2017 IV.I.3)."""


class Verdict(Struct, frozen=True, tag="verdict"):
    acceptable: Annotated[bool, forms.FLAG]
    words: Annotated[int, forms.whole(1, 100, "a number of words")] = 1
    """No play makes as many as 100."""


class Resume(_OfSide, frozen=True, tag="resume"):
    """Start that side's clock; that side is on turn."""


class Decide(_OfSide, frozen=True, tag="decide"):
    """Start that side's clock for a decision; the turn does not change (2017 IV.B.5.b)."""


class StartWindow(Struct, frozen=True, tag="window", rename={"length": "seconds"}):
    name: Annotated[str, forms.one_of({name: name for name in WINDOW_NAMES})]
    side: Annotated[Side | None, forms.SIDE] = None
    """Who decides, for a window that is a decision."""
    ago: Annotated[int | None, forms.AGO] = None
    """How long before the event it began (ns), where that is something players say: the draw, the round's start (2017 IV.G.2.a, III.C)."""
    length: Annotated[int | None, forms.BREAK] = None
    """The break that the director announces (ns), in place of the rulebook's length (2017 III.C)."""


class End(_ForReason, frozen=True, tag="end"):
    loser: Annotated[Side | None, forms.SIDE] = None
    """The loser of a resignation or a forfeit (2017 I.B, V.K.2); None for any other reason."""


class Reopen(_ForReason, frozen=True, tag="reopen"):
    """The director continues an ended game (2017 V.C.3)."""


class LateStart(Struct, frozen=True, tag="late_start"):
    """Start the absent player's clock; None: both are absent (2017 III.C)."""

    side: Annotated[Side | None, forms.one_of({str(side): side for side in Side} | {"both": None})]
    ago: Annotated[int | None, forms.AGO] = None
    """How long before the event lateness began to count (ns): NZ 4.2 runs from the adjudicator's call."""


class Arrive(_OfSide, frozen=True, tag="arrive"):
    """An absent player has come (2017 III.C)."""


class When(Enum):
    NOW = "now"
    END = "end"


class Adjust(_OfSide, frozen=True, tag="adjust", rename={"ns": "seconds"}):
    """Add time (ns; negative deducts), now or at the end of the game (2017 II.D, II.F)."""

    ns: Annotated[int, forms.seconds()]
    when: Annotated[When, forms.member(When)]
    reason: Annotated[str, forms.REASON]


class EraseOvertime(_OfSide, frozen=True, tag="erase_overtime", rename={"to_ns": "to_seconds"}):
    """The director erases a side's overtime, or the part that a failure caused (2017 V.D, V.E)."""

    reason: Annotated[str, forms.REASON]
    to_ns: Annotated[int, forms.OVERTIME] = 0
    """The remaining time to go back to, in ns: 0 or below, a whole number of seconds."""


class Points(_OfSide, frozen=True, tag="points"):
    """The director gives points to a side, or takes them (2017 IV.J.2, IV.E.2.b.5)."""

    points: Annotated[int, forms.POINTS]
    """Not 0; negative takes."""
    reason: Annotated[str, forms.REASON]


class ChangeRulebook(Struct, frozen=True, tag="rulebook"):
    rulebook: Rulebook
    rulebook_ref: str
    """The id or path that named the rulebook; the journal stores it."""
    reason: Annotated[str, forms.REASON]


class Swap(_ForReason, frozen=True, tag="swap"):
    """The players change seats."""


class Infraction(_OfSide, frozen=True, tag="infraction"):
    """A minor infraction by that side (2017 II.F)."""


class Call(Struct, frozen=True, tag="call"):
    """The players call the director, or the director has come."""

    on: Annotated[bool, forms.FLAG]
    disputes: Annotated[bool, forms.SET_FLAG] = False
    """They call because one of them does not agree with the signed result; ending the call leaves it disputed."""


class Result(Struct, frozen=True, tag="result", rename={"signed": "signed_ns"}):
    """Both players have signed the result, as on a slip (2017 V.J, NZ 8.6); its instant is that of the later signature."""

    scores: Annotated[BySide[int], forms.each_side(forms.whole(LEAST_SCORE, MOST_SCORE))]
    taken_off: Annotated[bool, forms.FLAG]
    """The players have already taken the overtime penalties off ``scores``."""
    final: Annotated[BySide[int], forms.each_side(forms.WHOLE)]
    """What counts, as both have read it: the event is refused if the game says otherwise."""
    signed: Annotated[BySide[int], forms.each_side(forms.BEFORE)]
    """How long before the event each player signed (ns); the later one 0."""
    names: Annotated[BySide[str], forms.each_side(forms.NAME)]
    """As on the face, so that the row stands by itself; empty: none."""
    words: Annotated[BySide[int] | None, forms.each_side(forms.whole(0, 9))] = None
    """Bonus words, where the rulebook counts them (NZ 9.2, 10.2)."""
    table: Annotated[int | None, forms.whole(1, MAX_TABLE, "a table")] = None


class Undo(_ForReason, frozen=True, tag="undo"):
    """Strike an event: by number, or the latest that can be struck."""

    event: Annotated[int | None, forms.WHOLE] = None


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
    | Result
)

Event: TypeAlias = GameEvent | NewGame | Undo


class By(Enum):
    PLAYERS = "players"
    DIRECTOR = "director"
