"""The table menu as a value, and a page of it as the face reads it."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from firmware.texts import KeyedMessage
from game.events import Event
from game.game import Game, Phase
from rules.side import Side


class TableMenu(Struct, frozen=True):
    """Where the players are in the menu."""

    seen: tuple[Phase, Side | None]
    """Phase and running clock when it opened: it closes when the game leaves them."""
    path: tuple[str, ...] = ()
    """The names of the rows taken so far; empty: the first page."""
    chosen: str | None = None
    """The name of the chosen row; None: the page's own."""
    asked: Side | None = None


def opened(game: Game, path: tuple[str, ...] = (), chosen: str | None = None, asked: Side | None = None) -> TableMenu:
    return TableMenu((game.phase, game.running), path, chosen, asked)


class PageKind(Enum):
    """How a page is answered."""

    ROWS = "rows"
    """Up and down move, the bar takes."""
    WHO = "who"
    """Each player's own button answers with that player; the bar goes back."""
    AGREE = "agree"
    """Both players hold their buttons for 1 s; a short press of anything goes back."""
    SCORE = "score"
    """A digit of a result: left turns it up, right down, the bar takes it."""
    SIGN = "sign"
    """Each player signs by the own button, held for 1 s; the bar leads to what can be changed."""
    CALLED = "called"
    """The director is called: an own button held for 1 s takes the call back, the bar closes the page."""


class TableRow(Struct, frozen=True):
    """A row of a page."""

    name: str
    message: KeyedMessage
    refused: KeyedMessage | None = None
    lapses: int | None = None
    """In how many ns it can be taken no more, or 0: it has lapsed. None: it does not lapse."""
    side: Side | None = None
    """The player whom it is about, who reads another text than the opponent."""

    @property
    def path(self) -> tuple[str, ...]:
        return (self.name,) if self.side is None else (self.name.removesuffix(f" {self.side}"), str(self.side))


class AgreedChange(Struct, frozen=True):
    """What both players are asked to agree on: an event, and the game before and after it."""

    event: Event
    """The event to be made; for ``Undo`` the event that it strikes."""
    before: Game
    after: Game


class Entry(Struct, frozen=True):
    """A value of a result while it is entered."""

    what: str
    side: Side
    digits: str
    place: int


class TablePage(Struct, frozen=True):
    """One page of the menu at one instant."""

    kind: PageKind
    title: KeyedMessage
    rows: tuple[TableRow, ...] = ()
    """The rows of a ``ROWS`` page, the last one ``close`` on the first page; none on the other kinds."""
    cursor: int = 0
    change: AgreedChange | None = None
    entry: Entry | None = None
    lapses: int | None = None
    """On an ``AGREE`` page: in how many ns it can be agreed no more; None: it does not lapse."""
    keeps: tuple[Side, ...] = ()
    """The players whose own button keeps its meaning, because a clock runs or a window counts to an end: it closes the menu."""
    about: Side | None = None
    """Whose out play or resignation a page asks about, who reads another title than the opponent; None: it asks whose, or nothing of the kind."""
