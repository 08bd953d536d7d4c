"""The page of the table menu that the players see, and the one that a taken row leads to."""

from __future__ import annotations

from dataclasses import replace

from firmware.menu.setup import Setup
from firmware.table_menu.deeds import DECISIONS, REGULATION, deed_of, made
from firmware.table_menu.rows import AGREED, AGREED_ROWS, WHO_ROWS, first_page, rows_behind
from firmware.table_menu.value import AgreedChange, PageKind, TableMenu, TablePage, TableRow
from firmware.texts.message import KeyedMessage, message
from game.events import Undo
from game.game import EventNotAllowed, Game, Phase
from game.record import Record
from rules.duration import reading
from rules.side import Side


def page(menu: TableMenu, record: Record, setup: Setup, at: int) -> TablePage:
    """Return the page of ``menu`` at ``at`` (ns, the game's time)."""
    keeps = keeping(record.game_at(at), at)
    kind = kind_of(menu.path)
    if kind is PageKind.WHO:
        return TablePage(kind, message(f"table_menu.who.{menu.path[-1]}"), keeps=keeps)
    if kind is PageKind.AGREE:
        return TablePage(kind, _agreed_title(menu.path, record.game_at(at)), change=_change(menu.path, record, setup, at), keeps=keeps)
    rows = rows_behind(menu.path, record, setup, at) if menu.path else first_page(record, setup, at)
    return TablePage(kind, _title(menu.path, record.game_at(at)), rows, _cursor(menu.chosen, rows), keeps=keeps)


def kind_of(path: tuple[str, ...]) -> PageKind:
    """Return how the page that ``path`` leads to is answered."""
    match path:
        case (name,) if name in WHO_ROWS:
            return PageKind.WHO
        case ("frames", name) if name in DECISIONS:
            return PageKind.WHO
        case ("take_back" | "not_out",) | ("rulebook", _) | ("out_play", _, "late") | ("allowance" | "keep", _, _):
            return PageKind.AGREE
        case (name, _) if name in AGREED_ROWS:
            return PageKind.AGREE
        case _:
            return PageKind.ROWS


def leads_to_page(path: tuple[str, ...], record: Record, setup: Setup, at: int) -> bool:
    """Return whether a page comes after the rows of ``path``, rather than their deed."""
    return kind_of(path) is not PageKind.ROWS or deed_of(path, record, setup, at) is None


def moved(menu: TableMenu, by: int, shown: TablePage) -> TableMenu:
    """Return the menu with the cursor ``by`` rows further; it wraps round."""
    return replace(menu, chosen=shown.rows[(shown.cursor + by) % len(shown.rows)].name)


def back(menu: TableMenu) -> TableMenu | None:
    """Return the menu on the page before; None: there is none, so it closes."""
    if menu.path[0] == "keep":
        return None
    # Behind the question who has played out, the one whether the game is over has no row of its own.
    steps = 2 if menu.path[-1] == "late" else 1
    return replace(menu, path=menu.path[:-steps], chosen=None)


def keeping(game: Game, at: int) -> tuple[Side, ...]:
    """Return the sides whose own button keeps its meaning in the menu at ``at`` (ns, the game's time): no press that starts a clock is swallowed."""
    if game.phase is Phase.LATE:
        return game.absent
    counts = game.phase is Phase.OUT_PLAY and at < game.out_play_ends
    return (game.out_player,) if counts and game.out_player is not None else ()


def _agreed_title(path: tuple[str, ...], game: Game) -> KeyedMessage:
    match path:
        case ("keep", *kept):
            return message("table_menu.agree.keep", reading=reading(max(int(ns) for ns in kept if ns != REGULATION)))
        case ("allowance" | "rulebook", *_) if game.phase is Phase.OVER:
            return message("table_menu.agree.next_game")
        case _:
            return message(f"table_menu.agree.{path[0]}")


def _title(path: tuple[str, ...], game: Game) -> KeyedMessage:
    match path:
        case ():
            return message("table_menu.title.first")
        case ("frames", name):
            return message(f"ago.{name}")
        case ("six_zeros",) if not game.rulebook.six_zeros_at_zero_score:
            # The clock does not know the score (general rules, on the end).
            return message("table_menu.title.six_zeros_not_at_zero")
        case _:
            return message(f"table_menu.title.{path[0]}")


def _cursor(chosen: str | None, rows: tuple[TableRow, ...]) -> int:
    """Return the place of the chosen row; of the last one, which does the least, where it has vanished."""
    if chosen is None:
        return 0
    return next((place for place, row in enumerate(rows) if row.name == chosen), len(rows) - 1)


def _change(path: tuple[str, ...], record: Record, setup: Setup, at: int) -> AgreedChange | None:
    deed = deed_of((*path, AGREED), record, setup, at)
    if not isinstance(deed, tuple):
        return None
    try:
        after, _ = made(record, deed, at)
    except EventNotAllowed:
        return None
    event = after.event
    struck = after.find(event.event) if isinstance(event, Undo) and event.event is not None else None
    return AgreedChange(event if struck is None else struck.event, record.game_at(at), after.game_at(at))
