"""A screen's input: strings and flags, nothing to compute. Equal faces give equal pictures."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.core.game import Phase
from rules.side import BySide, Side


@dataclass(frozen=True, slots=True)
class HalfFace:
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
    status: str
    """The player's status: YOUR TURN, WAITING, YOU HOLD."""
    prompt: str
    """What this player's button does now; empty if nothing."""
    marks: tuple[str, ...]
    """Short texts, the most important first: overtime with its points, credits, challenge points, infractions, allowance.

    The allowance is shown before the start, and later if it differs from regulation.
    """
    status_key: str = "none"
    """The language-independent key of ``status``."""


@dataclass(frozen=True, slots=True)
class WindowFace:
    """The running or expired window, for both players."""

    name: str
    title: str
    reading: str
    text: str
    """What the window allows while it runs, or after it has expired."""
    expired: bool


@dataclass(frozen=True, slots=True)
class MenuFace:
    """The director's menu: a page of rows with a cursor."""

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


@dataclass(frozen=True, slots=True)
class Face:
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
    no_buttons: bool = False
    """The pins are unavailable, so no button works: banner and details say so unless a clock runs."""
    cue: str = ""
    """The language-independent state of the game, from ``firmware.face.cue``."""
