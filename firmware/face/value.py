"""A screen's input: strings and flags, nothing to compute. Equal faces give equal pictures."""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct

from game.game import Phase
from rules.side import BySide, Side


class MenuFace(Struct, frozen=True):
    """A page of the director's menu, of the table menu, or of the director's door: rows with a cursor."""

    title: str
    rows: tuple[str, ...]
    """All rows of the page; a small screen shows those around the cursor."""
    chosen: int | None
    """The cursor's row."""
    hint: str
    """What the buttons do on this page."""
    lines: tuple[str, ...] = ()
    """Lines above the rows: a preview of the change, or the result of the last action."""
    made: str = ""
    """The amount being entered, for a display that shows one row at a time; empty if there is none."""
    sentence: str = ""
    """What is to be confirmed, in large type."""
    groups: tuple[str, ...] = ()
    """The group of each row, an empty text for none; empty: the rows have no groups."""
    place: str = ""
    """The cursor's place in a list: ``3 of 16``."""
    asks_side: bool = False
    """The page asks for a player: a picture of the table shows ``marked``."""
    marked: Side | None = None
    """The player of the cursor's row."""
    own_move: int = 0
    """Where the reader's own button moves the cursor, and the opponent's the other way: -1 up, 1 down, 0 neither."""
    figures: tuple[str, ...] = ()
    """The value that is entered, in the clock's numerals; on the page to sign the reader's score and margin, for a display of digits alone."""
    digit: int | None = None
    """The chosen digit of a value that is entered."""
    grey: frozenset[int] = frozenset()
    """The rows that cannot be taken now; ``hint`` says why of the cursor's row."""


class MessageTone(Enum):
    """The emphasis of a half's instruction."""

    QUIET = "quiet"
    """A reminder while a turn runs."""
    INSTRUCTS = "instructs"
    ANSWERS = "answers"
    """The answer to a press, for a short time."""


class HalfFace(Struct, frozen=True):
    """One player's half, addressed to that player."""

    side: Side
    name: str
    """LEFT or RIGHT, from the director's view."""
    reading: str
    """The reading: ``24:59``, ``-0:07``."""
    runs: bool
    """This player's clock runs."""
    overtime: bool
    """The reading is below zero."""
    low: bool
    """Less than one minute is left."""
    status: str
    """The player's status: YOUR TURN, WAITING, YOU HOLD."""
    prompt: str
    """The one instruction to this player; empty if there is none."""
    marks: tuple[str, ...]
    """Short texts, the most important first: overtime with its points, credits, challenge points, infractions, allowance.

    The allowance is shown before the start, and later if it differs from regulation.
    """
    status_key: str = "none"
    """The language-independent key of ``status``."""
    note: str = ""
    """What else only this player has to know; empty if there is nothing."""
    tone: MessageTone = MessageTone.INSTRUCTS
    """How loud ``prompt`` is."""
    page: MenuFace | None = None
    """The players' table menu, for this reader."""


class WindowFace(Struct, frozen=True):
    """The running or expired window, for both players."""

    name: str
    title: str
    reading: str
    text: str
    """What the window allows while it runs, or after it has expired."""
    expired: bool


FILL_STEPS: Final = 120
"""A fill's length in steps: 60 or fewer a second, so each fits a display frame."""


class FillFace(Struct, frozen=True):
    """A held press: what letting go does now, what holding on does, and how much of the wait is over."""

    where: Side | None
    """The half of the player who holds; None: the strip, for the bar."""
    let_go: str
    hold_on: str
    """Empty if holding on does nothing more."""
    done: int
    """0 to ``FILL_STEPS``."""
    stages: int = 1
    """The parts of the fill: its press does more than one thing, one after the other."""


class Face(Struct, frozen=True):
    """Everything a screen shows at one instant."""

    phase: Phase
    halves: BySide[HalfFace]
    banner: str
    """STOPPED, HOLD, GAME OVER; empty while a turn runs."""
    details: tuple[str, ...]
    """Short lines under the banner: reason of a stop or end, who restarts, prompts."""
    window: WindowFace | None
    notices: tuple[str, ...]
    """The shell's notices: not recorded, power was lost, a button is stuck."""
    rulebook: str
    menu: MenuFace | None = None
    """The director's page; it replaces the players'."""
    fills: tuple[FillFace, ...] = ()
    called: str = ""
    """The call for the director, large, or what else the director is to see from afar; empty: nothing."""
    hint: str = ""
    """A line on the strip, for both players, in the place of the rulebook's name."""
    no_buttons: bool = False
    """The pins are unavailable, so no button works: banner and details say so unless a clock runs."""
    cue: str = ""
    """The language-independent state of the game, from ``firmware.face.view``."""
    code: tuple[str, ...] = ()
    """The rows of a QR code in the place of both halves: for the director before a game, or a receipt; empty: none."""
    timer_calls: bool = False
    """The hall's timer has just begun, warned or ended."""
    stop_asked: bool = False
    """The director asks the players to stop: ``called`` says so."""
