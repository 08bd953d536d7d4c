"""A screen's input: strings and flags, nothing to compute. Equal faces give equal pictures."""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from game.game import Phase
from rules.side import BySide, Side


class MenuFace(Struct, frozen=True):
    """A page of the director's menu, of the table menu, or of the director's door: rows with a cursor."""

    title: str
    rows: tuple[str, ...]
    chosen: int | None
    hint: str
    lines: tuple[str, ...] = ()
    made: str = ""
    """The amount being entered, for a display that shows one row at a time; empty if there is none."""
    sentence: str = ""
    groups: tuple[str, ...] = ()
    """The group of each row, an empty text for none; empty: the rows have no groups."""
    place: str = ""
    """The cursor's place in a list: ``3 of 16``."""
    asks_side: bool = False
    """The page asks for a player: a picture of the table shows ``marked``."""
    marked: Side | None = None
    own_move: int = 0
    """Where the reader's own button moves the cursor, and the opponent's the other way: -1 up, 1 down, 0 neither."""
    figures: tuple[str, ...] = ()
    """The value that is entered, in the clock's numerals; on the page to sign the reader's score and margin, for a display of digits alone; where there is no other, the name of the cursor's row.
    On a page of the guided test the names of its words for such a display."""
    digit: int | None = None
    grey: frozenset[int] = frozenset()
    pattern: str = ""
    """What the whole screen shows behind the words of a test: a colour, ``edges`` or ``plain``; empty: a page as usual."""


class MessageTone(Enum):
    QUIET = "quiet"
    INSTRUCTS = "instructs"
    ANSWERS = "answers"


class HalfFace(Struct, frozen=True):
    """One player's half, addressed to that player."""

    side: Side
    name: str
    """LEFT or RIGHT, from the director's view."""
    reading: str
    runs: bool
    overtime: bool
    low: bool
    status: str
    prompt: str
    marks: tuple[str, ...]
    """Short texts, the most important first: overtime with its points, credits, challenge points, infractions, allowance.

    The allowance is shown before the start, and later if it differs from regulation.
    """
    status_key: str = "none"
    note: str = ""
    tone: MessageTone = MessageTone.INSTRUCTS
    page: MenuFace | None = None
    named: str = ""
    """The player's name, in the state's place beside a page after the end."""
    seconds: int = 0
    """The reading's whole seconds."""
    turn_warned: int = 0
    """How many warnings of this player's limited turn have come, its end among them."""
    turn_left: int | None = None
    """The seconds of it that the face counts down; None: none yet, or no limit."""


class WindowFace(Struct, frozen=True):
    name: str
    title: str
    reading: str
    text: str
    expired: bool
    own: BySide[str] | None = None
    """What each player reads instead of ``text``, while one of them decides."""

    def read_by(self, side: Side) -> WindowFace:
        return self if self.own is None else replace(self, text=self.own.of(side), own=None)


FILL_STEPS: Final = 120
"""A fill's length in steps: 60 or fewer a second, so each fits a display frame."""


class FillFace(Struct, frozen=True):
    """A held press: what letting go does now, what holding on does, and how much of the wait is over."""

    where: Side | None
    """The half of the player who holds; None: the strip, for the bar."""
    let_go: str
    hold_on: str
    done: int
    """0 to ``FILL_STEPS``."""
    stages: int = 1
    """The parts of the fill: its press does more than one thing, one after the other."""


class Face(Struct, frozen=True):
    phase: Phase
    halves: BySide[HalfFace]
    banner: str
    details: tuple[str, ...]
    window: WindowFace | None
    notices: tuple[str, ...]
    rulebook: str
    reason: str = ""
    """Why the clock stands: one of ``details``, which no other takes the place of."""
    menu: MenuFace | None = None
    fills: tuple[FillFace, ...] = ()
    called: str = ""
    """The call for the director, large, or what else the director is to see from afar; empty: nothing."""
    hint: str = ""
    """A line on the strip, for both players, in the place of the rulebook's name."""
    no_buttons: bool = False
    cue: str = ""
    code: tuple[str, ...] = ()
    """The rows of a QR code in the place of both halves: for the director before a game, or a receipt; empty: none."""
    timer_calls: bool = False
    stop_asked: bool = False
