"""The setup of a table: the board's kind, the director's choice of rulebooks, the texts, the reasons."""

from collections.abc import Mapping

from msgspec import Struct

from firmware.texts import Texts
from game.table import Assignment, OfferedGame
from rules.rulebooks.model import Rulebook


class Setup(Struct, frozen=True):
    """What no game changes."""

    two_button: bool
    rulebooks: tuple[tuple[str, Rulebook], ...]
    """The rulebooks to choose from, by id or path."""
    texts: Texts
    reasons: Mapping[str, tuple[str, ...]]
    code: bool = False
    """The director's door asks for a code. Without one the menu's first row says so, on a two-button board."""
    players_choose_rulebook: bool = False
    results: bool = False
    seats: Assignment = Assignment()
    screen: bool = True
    """There is a screen. Without one the table menu does not open, but for a result."""
    power_off: bool = False
    offered: OfferedGame | None = None
    round_began: int | None = None
    """The game's instant (ns) at which the round began or begins, as the desk has sent it; None: it has not."""
    stop_asked: int | None = None
    """The game's instant (ns) at which the desk asked the players to stop; None: it has not."""

    @property
    def of_pages(self) -> tuple[object, ...]:
        """What the rows and questions of the table menu follow from, besides the game."""
        return self.screen, self.results, self.players_choose_rulebook, self.offered
