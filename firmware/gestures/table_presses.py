"""Presses in the table menu: left moves up, right moves down, the bar takes (docs/spec/events.md, "The table menu").

On a page that asks for it, both players agree by holding their buttons together for a second.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from firmware.gestures.clock_state import ClockState, apply_event, replace_stroke, with_answer, with_change, with_history, with_stroke
from firmware.gestures.lapsing import Answer
from firmware.gestures.meaning import door_stage
from firmware.gestures.stroke import PLAYER_BUTTONS, ButtonState, Stroke, TableBefore, undone
from firmware.table_menu.deeds import REGULATION, DeclareOutPlay, deed_of, made
from firmware.table_menu.pages import AGREED, BACK, CLOSE, NO, back, keeping, kind_of, leads_to_page, moved, page
from firmware.table_menu.value import OPEN_NS, PageKind, TableMenu, TablePage, opened
from firmware.texts import KeyedMessage, message
from game.events import NewGame
from game.game import EventNotAllowed
from game.history import History, OutPlayTooLate, declare
from game.table import is_offered, next_game, own_allowances
from rules.contact import MS
from rules.duration import reading
from rules.side import BySide, Side

DONE_NS: Final = 3000 * MS
"""The face says for so long what a row has done."""


def keeps_meaning(table: ClockState, side: Side | None, at: int) -> bool:
    """Return whether the own button of ``side`` keeps its meaning in the menu at ``at`` (ns)."""
    instant = table.instant(at)
    return side is not None and side in keeping(table.history.game_at(instant), instant)


def agreeing_path(table: ClockState, at: int) -> tuple[str, ...] | None:
    """Return the path of the open page if it asks both players to agree, else None."""
    menu = table.table_menu
    return menu.path if menu is not None and at >= menu.opened_at and kind_of(menu.path) is PageKind.AGREE else None


def reopened(menu: TableMenu, at: int) -> TableMenu:
    """Return the menu as it was, open for its whole time from ``at`` (ns)."""
    return replace(menu, closes_at=max(menu.closes_at, at + OPEN_NS))


def in_menu(table: ClockState, menu: TableMenu, button: str, at: int) -> ClockState:
    """Process a press of a player's button or the centre one in the menu."""
    side = PLAYER_BUTTONS.get(button)
    before = TableBefore(table.game_at(at), table.offer, menu)
    stuck = side is not None and table.setup.two_button and table.button_state.stuck(side.other.value, at)
    stroke = Stroke((button,), at, at, before, stages=(door_stage(),) if stuck else ())
    if side is None:
        return take(with_stroke(table, stroke), menu, at)
    shown = _page(table, menu, at)
    match shown.kind:
        case PageKind.AGREE:
            return with_stroke(table, replace(stroke, agrees=menu.path))
        case PageKind.WHO:
            return _follow(with_stroke(table, stroke), menu, str(side), at)
        case PageKind.ROWS:
            table = with_stroke(table, replace(stroke, repeats=0))
            return replace(table, table_menu=moved(menu, _step(shown, side), shown))


def take(table: ClockState, menu: TableMenu, at: int) -> ClockState:
    """Process the bar in the menu: it takes the chosen row, or goes back from a page without rows."""
    shown = _page(table, menu, at)
    if shown.kind is not PageKind.ROWS:
        # Without a screen there is the question who has played out, and no page before it.
        return replace(table, table_menu=back(menu) if table.setup.screen else None)
    return _follow(table, menu, shown.rows[shown.cursor].name, at)


def repeat(table: ClockState, stroke: Stroke) -> ClockState:
    """Move on while a player's button is held, one round at most."""
    menu, side, count = table.table_menu, PLAYER_BUTTONS[stroke.buttons[0]], stroke.repeats or 0
    at = stroke.repeat_at
    if menu is None or at is None or stroke.before.table_menu is None or menu.path != stroke.before.table_menu.path:
        return replace_stroke(table, stroke, replace(stroke, repeats=None))
    shown = _page(table, menu, at)
    # The press itself has moved once.
    last = count + 2 >= len(shown.rows)
    table = replace_stroke(table, stroke, replace(stroke, repeats=None if last else count + 1))
    return replace(table, table_menu=moved(menu, _step(shown, side), shown))


def back_from_agreeing(table: ClockState, stroke: Stroke) -> ClockState:
    """Go back from the page to agree on, if it is still open: a player has let go too soon."""
    menu = table.table_menu
    return table if menu is None or menu.path != stroke.agrees else replace(table, table_menu=back(menu))


def carry_out(table: ClockState, path: tuple[str, ...], at: int, stroke: Stroke | None = None) -> ClockState:
    """Do at ``at`` (ns) what the rows of ``path`` do, and close the menu; ``stroke`` is the press that took the last one."""
    instant = table.instant(at)
    deed = deed_of(path, table.history, table.setup, instant)
    if deed is None:
        return _answered(replace(table, table_menu=None), message("table_menu.gone"), at)
    numbers: tuple[int, ...] = ()
    try:
        if isinstance(deed, tuple) and isinstance(deed[0], NewGame):
            wait = table.history.game_at(instant).wait_to_leave(instant)
            if wait:
                return _answered(replace(table, table_menu=None), message("answer.next_game_wait", reading=reading(wait)), at)
            if path == ("next_game",):
                return begin_next_game(table, at)
            return _said(apply_event(replace(table, table_menu=None), deed[0], at), path, at)
        if isinstance(deed, DeclareOutPlay):
            history = declare(table.history, deed.side, instant, even_if_over=deed.even_if_over)
        else:
            history, numbers = made(table.history, deed, instant)
    except OutPlayTooLate:
        if not table.setup.screen:
            return replace(table, table_menu=None)
        menu = table.table_menu
        reopen = opened(table.game_at(at), at) if menu is None else menu
        return replace(table, table_menu=replace(reopen, path=(*path, "late"), chosen=None))
    except EventNotAllowed as refused:
        return _answered(replace(table, table_menu=None), message("table_menu.refused", why=refused.why), at)
    return _said(_changed(replace(table, table_menu=None), history, numbers, at, stroke), path, at)


def begin_next_game(table: ClockState, at: int) -> ClockState:
    """Begin the next game at ``at`` (ns); where a player had extra time, ask whether both keep it (2017 III.A.3)."""
    event, kept = next_game(table.history, table.setup.offered), own_allowances(table.history)
    # A next game cannot be taken back: both halves say so.
    begun = _said(apply_event(replace(table, table_menu=None), event, at), ("next_game",), at)
    if is_offered(table.history, table.setup.offered) or kept == BySide.both(None) or not table.setup.screen:
        return begun
    path = ("keep", *(REGULATION if ns is None else str(ns) for ns in (kept.left, kept.right)))
    return replace(begun, table_menu=opened(begun.game_at(at), at, path))


def _changed(table: ClockState, history: History, numbers: tuple[int, ...], at: int, stroke: Stroke | None) -> ClockState:
    changed = with_change(table, history, at, () if stroke is None else stroke.buttons)
    return changed if stroke is None else replace_stroke(changed, stroke, stroke.acted(table.history, history, numbers))


def _said(table: ClockState, path: tuple[str, ...], at: int) -> ClockState:
    return _answered(table, message(f"table_menu.done.{path[0]}"), at)


def _answered(table: ClockState, said: KeyedMessage, at: int) -> ClockState:
    return with_answer(table, Answer(None, said, at + DONE_NS))


def _follow(table: ClockState, menu: TableMenu, name: str, at: int) -> ClockState:
    if name in (CLOSE, NO):
        return replace(table, table_menu=None)
    if name == BACK:
        return replace(table, table_menu=back(menu))
    path = (*menu.path, name)
    if leads_to_page(path, table.history, table.setup, table.instant(at)):
        return replace(table, table_menu=replace(menu, path=path, chosen=None))
    stroke = max(table.button_state.strokes.values(), key=lambda each: each.at)
    return carry_out(table, path, at, stroke)


def _page(table: ClockState, menu: TableMenu, at: int) -> TablePage:
    return page(menu, table.history, table.setup, table.instant(at))


def _step(shown: TablePage, side: Side) -> int:
    """Return how far the own button of ``side`` moves: up for left, down for right; down for either where the other one keeps its meaning."""
    return -1 if side is Side.LEFT and not shown.keeps else 1


AGREE_NS: Final = 1000 * MS


def agreeing(button_state: ButtonState) -> tuple[Stroke, ...]:
    """Return the presses in progress on a page to agree on, in the order of their first edges."""
    strokes = (button_state.strokes.get(button) for button in PLAYER_BUTTONS)
    live = [stroke for stroke in strokes if stroke is not None and stroke.agrees is not None and not stroke.over]
    return tuple(sorted(live, key=lambda stroke: stroke.at))


def agreed_at(button_state: ButtonState) -> int | None:
    """Return the instant (ns) at which both players have agreed if they hold on, or None while they do not both hold."""
    strokes = agreeing(button_state)
    return strokes[1].at + AGREE_NS if len(strokes) == 2 and strokes[0].agrees == strokes[1].agrees else None


def agree_due(button_state: ButtonState) -> int | None:
    """Return the instant (ns) at which it is certain that both have agreed, or None."""
    due = agreed_at(button_state)
    if due is None:
        return None
    sure = [button_state.held_for_sure(stroke, due) for stroke in agreeing(button_state)]
    return None if None in sure else max(instant for instant in sure if instant is not None)


def without_agreeing(table: ClockState) -> ClockState:
    """Return the table without any agreement: the bar answered no."""
    for stroke in agreeing(table.button_state):
        table = replace_stroke(table, stroke, replace(stroke, agrees=None, over=True))
    return table


def agree(table: ClockState, until: int) -> ClockState:
    """Do what both players have agreed on by ``until`` (ns), at the later of their first edges; what their presses did is taken back."""
    due = agreed_at(table.button_state)
    if due is None or due > until:
        return table
    first, second = agreeing(table.button_state)
    path = second.agrees or ()
    history = undone(undone(table.history, second), first)
    over = {stroke.buttons[0]: replace(stroke, numbers=(), made=None, agrees=None, over=True) for stroke in (first, second)}
    button_state = replace(table.button_state, strokes={**table.button_state.strokes, **over})
    return carry_out(replace(with_history(table, history), button_state=button_state, table_menu=None), (*path, AGREED), second.at)
