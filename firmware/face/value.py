"""What a screen is given: strings and flags, nothing to work out. Two equal faces are one picture."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.core.game import Phase
from rules.side import BySide, Side


@dataclass(frozen=True, slots=True)
class HalfFace:
    """One player's half, in words for that player."""

    side: Side
    name: str
    """LEFT or RIGHT, as the director says it."""
    reading: str
    """``24:59``, ``-0:07``: what stands on the display."""
    runs: bool
    """This player's clock runs."""
    overtime: bool
    """The reading is below zero."""
    status: str
    """Where this player stands: YOUR TURN, WAITING, YOU HOLD."""
    prompt: str
    """What this player's button does now; empty where it does nothing."""
    marks: tuple[str, ...]
    """Overtime and its points, credits, challenge points, infractions, the allowance before the start and where it is not regulation: short, most weighty first."""
    standing: str = "none"
    """The key of ``status``, the same in every language."""


@dataclass(frozen=True, slots=True)
class WindowFace:
    """The window that is counted, for both."""

    name: str
    title: str
    reading: str
    text: str
    """What it allows while it counts, or now that it has expired."""
    expired: bool


@dataclass(frozen=True, slots=True)
class MenuFace:
    """The director's menu: a page of rows, one of them chosen."""

    title: str
    rows: tuple[str, ...]
    """All rows of the page; a screen with room for fewer shows those about the chosen one."""
    chosen: int | None
    """The row the cursor is on."""
    hint: str
    """What the buttons do on this page."""
    lines: tuple[str, ...] = ()
    """What is to be read above the rows: what would change, what came of the last action."""
    made: str = ""
    """The amount in the making, where there is one: for a display that shows one row at a time."""


@dataclass(frozen=True, slots=True)
class Face:
    """All that a screen shows at one instant."""

    phase: Phase
    halves: BySide[HalfFace]
    banner: str
    """STOPPED, HOLD, GAME OVER: empty while a turn runs."""
    details: tuple[str, ...]
    """The reason of a stop or end, who restarts, prompts: short lines under the banner."""
    window: WindowFace | None
    notices: tuple[str, ...]
    """What the shell has to say aloud: not recorded, power was lost, a button is stuck."""
    rulebook: str
    menu: MenuFace | None = None
    no_buttons: bool = False
    """The board's pins cannot be had, so no button does anything: banner and details say so, unless a clock runs."""
    cue: str = ""
    """Where the game stands, the same in every language: see ``firmware.face.cue``."""
