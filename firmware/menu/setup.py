"""The setup of a table: the board's kind, the director's choice of rulebooks, the texts, the reasons."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware.texts import Texts
from game.table import Assignment, OfferedGame
from rules.rulebooks.model import Rulebook


class Setup(Struct, frozen=True):
    """What no game changes."""

    two_button: bool
    """The board has only the two player buttons."""
    rulebooks: tuple[tuple[str, Rulebook], ...]
    """The rulebooks to choose from, by id or path."""
    texts: Texts
    reasons: Mapping[str, tuple[str, ...]]
    code: bool = False
    """The director's door asks for a code. Without one the menu's first row says so, on a two-button board."""
    players_choose_rulebook: bool = False
    """The table menu offers the rulebooks above."""
    results: bool = False
    """The players sign the result on the clock."""
    seats: Assignment = Assignment()
    """Table and names on the face; a signed result has them."""
    screen: bool = True
    """There is a screen. Without one the table menu does not open."""
    power_off: bool = False
    """The menu can switch the machine off."""
    offered: OfferedGame | None = None
    """The next game that the desk has set up; the players begin it."""
    round_began: int | None = None
    """The game's instant (ns) at which the round began or begins, as the desk has sent it; None: it has not."""
    stop_asked: int | None = None
    """The game's instant (ns) at which the desk asked the players to stop; None: it has not."""
