"""The table menu as a value, and a page of it as the face reads it. Instants in ns of the hands' clock."""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct

from firmware.texts import KeyedMessage
from game.events import Event
from game.game import Game, Phase
from rules.duration import NS
from rules.side import Side

REASON: Final = "reason"
"""The row of the reason for a stop."""
OPEN_NS: Final = 15 * NS
"""The menu closes this long after the last edge of any button."""


class TableMenu(Struct, frozen=True):
    """Where the players are in the menu."""

    opened_at: int
    closes_at: int
    """It closes by itself at this instant."""
    seen: tuple[Phase, Side | None]
    """Phase and running clock when it opened: it closes when the game leaves them."""
    path: tuple[str, ...] = ()
    """The names of the rows taken so far; empty: the first page."""
    chosen: str | None = None
    """The name of the chosen row; None: the page's own. A row before it may vanish with time, and must not put another one under the bar."""


def opened(game: Game, at: int, path: tuple[str, ...] = (), chosen: str | None = None) -> TableMenu:
    """Return the menu opened at ``at`` (ns) on ``game``, on the page of ``path``, at the row ``chosen``; None: the reason that a stop lacks (2017 II.A)."""
    missing = REASON if game.unexplained and not path else None
    return TableMenu(at, at + OPEN_NS, (game.phase, game.running), path, chosen or missing)


class PageKind(Enum):
    """How a page is answered."""

    ROWS = "rows"
    """Up and down move, the bar takes."""
    WHO = "who"
    """Each player's own button answers with that player; the bar goes back."""
    AGREE = "agree"
    """Both players hold their buttons for 1 s; a short press of anything goes back."""


class TableRow(Struct, frozen=True):
    """A row of a page."""

    name: str
    message: KeyedMessage


class AgreedChange(Struct, frozen=True):
    """What both players are asked to agree on: an event, and the game before and after it."""

    event: Event
    """The event to be made; for ``Undo`` the event that it strikes."""
    before: Game
    after: Game


class TablePage(Struct, frozen=True):
    """One page of the menu at one instant."""

    kind: PageKind
    title: KeyedMessage
    rows: tuple[TableRow, ...] = ()
    """The rows of a ``ROWS`` page, the last one ``close`` on the first page; none on the other kinds."""
    cursor: int = 0
    """The chosen row, within ``rows``."""
    change: AgreedChange | None = None
    """On an ``AGREE`` page."""
    keeps: tuple[Side, ...] = ()
    """The players whose own button keeps its meaning, because a clock runs or a window counts to an end: it closes the menu."""
    out_player: Side | None = None
    """On the page that asks whether an out play has ended the game: whose."""
