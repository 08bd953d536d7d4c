"""Presses in the table menu: left moves up, right moves down, the bar takes (docs/spec/events.md, "The table menu").

On a page that asks for it, both players agree by holding their buttons together for a second.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from firmware.gestures import result_presses
from firmware.gestures.clock_state import (
    Answer,
    ClockState,
    Stroke,
    act,
    agreeing,
    apply_event,
    with_answer,
    with_history,
    with_stroke,
)
from firmware.gestures.meaning import STAGE_NS, HoldStage, door_stage
from firmware.table_menu.actions import REGULATION, action_of, done
from firmware.table_menu.draft import BASE, RESULT, owed
from firmware.table_menu.pages import AGREED, BACK, CALL, CLOSE, NO, back, keeping, leads_to_page, moved, page
from firmware.table_menu.value import PageKind, TableMenu, TablePage, opened
from firmware.texts import KeyedMessage, message
from game.events import Call, NewGame
from game.game import EventNotAllowed
from game.history import OutPlayTooLate
from game.table import is_offered, next_game, own_allowances
from rules.contact import MS
from rules.side import BySide, Side

DONE_NS: Final = 3000 * MS


def keeps_meaning(state: ClockState, stroke: Stroke) -> bool:
    return stroke.side is not None and stroke.side in keeping(stroke.game, state.instant(stroke.at))


def in_menu(state: ClockState, menu: TableMenu, stroke: Stroke, *, beside_stuck: bool) -> ClockState:
    shown = page(menu, state.history, state.setup, state.instant(stroke.at), state.draft)
    doors = (door_stage(),) if beside_stuck or stroke.is_chord else ()
    stroke, side = replace(stroke, stages=doors, page=menu.path), stroke.side
    if shown.kind in (PageKind.SCORE, PageKind.SIGN):
        return result_presses.pressed(state, menu, shown, stroke)
    if side is None and shown.kind is PageKind.ROWS:
        row, state = shown.rows[shown.cursor], with_stroke(state, stroke)
        # The page says why it cannot be taken.
        return state if row.refused is not None else _follow(state, menu, row.path, stroke)
    if shown.kind is PageKind.WHO and shown.about not in (None, side):
        return _answered(with_stroke(replace(state, table_menu=None), stroke), message("table_menu.no_out_play"), stroke.at)
    if side is None:
        # Without a screen there is the question who has played out, and no page before it.
        return replace(with_stroke(state, stroke), table_menu=back(menu) if state.setup.screen else None)
    match shown.kind:
        case PageKind.AGREE:
            return with_stroke(state, replace(stroke, stages=(), agrees=True))
        case PageKind.CALLED:
            withdraws = HoldStage(STAGE_NS[0], Call(on=False), message("fill.let_go.nothing"), message("fill.hold_on.call_back"))
            return with_stroke(state, replace(stroke, stages=(withdraws,)))
        case PageKind.WHO:
            return _follow(with_stroke(state, stroke), menu, (str(side),), stroke)
        case PageKind.ROWS:
            state = with_stroke(state, replace(stroke, repeats=0))
            return replace(state, table_menu=moved(menu, _step(shown, side), shown))


def repeat(state: ClockState, stroke: Stroke) -> ClockState:
    menu, side, count, at = state.table_menu, stroke.side, stroke.repeats or 0, stroke.repeat_at
    if menu is None or side is None or at is None or menu.path != stroke.page:
        return with_stroke(state, replace(stroke, repeats=None))
    shown = page(menu, state.history, state.setup, state.instant(at), state.draft)
    # The press itself has moved once.
    last = count + 2 >= (len(shown.rows) or BASE)
    state = with_stroke(state, replace(stroke, repeats=None if last else count + 1))
    if shown.kind is PageKind.SCORE:
        return result_presses.turned(state, menu, side)
    return replace(state, table_menu=moved(menu, _step(shown, side), shown))


def back_from_agreeing(state: ClockState, stroke: Stroke) -> ClockState:
    """Go back from the page to agree on, if it is still open: a player has let go too soon."""
    menu = state.table_menu
    return state if menu is None or menu.path != stroke.page else replace(state, table_menu=back(menu))


def _follow(state: ClockState, menu: TableMenu, row: tuple[str, ...], stroke: Stroke) -> ClockState:
    if row in ((CLOSE,), (NO,)):
        return replace(state, table_menu=None)
    if row == (BACK,):
        return replace(state, table_menu=back(menu))
    path = (*menu.path, *row)
    if path[0] == RESULT:
        return result_presses.follow(state, menu, path, stroke)
    if leads_to_page(path, state.history, state.setup, state.instant(stroke.at)):
        return replace(state, table_menu=replace(menu, path=path, chosen=None))
    return carry_out(state, path, stroke)


def carry_out(state: ClockState, path: tuple[str, ...], stroke: Stroke) -> ClockState:
    at, menu = stroke.at, state.table_menu
    instant = state.instant(at)
    action = action_of(path, state.history, state.setup, instant)
    state = replace(state, table_menu=None)
    if action is None:
        return _answered(state, message("table_menu.gone"), at)
    try:
        if isinstance(action, tuple) and isinstance(action[0], NewGame):
            return begin_next_game(state, at) if path[0] == "next_game" else _said(apply_event(state, action[0], at), path, at)
        after = act(state, stroke, lambda history: done(history, action, instant))
        if path == (CALL,) and after.history.game.called:
            # Called by mistake, it is withdrawn by one press.
            return replace(after, table_menu=opened(after.game_at(at), ("called",)))
        return _said(after, path, at)
    except OutPlayTooLate:
        if not state.setup.screen:
            return state
        reopen = opened(state.game_at(at)) if menu is None else menu
        return replace(state, table_menu=replace(reopen, path=(*path, "late"), chosen=None))
    except EventNotAllowed as refused:
        return _answered(state, message("table_menu.not_done", why=refused.why), at)


def let_next_game_begin(state: ClockState, at: int) -> ClockState:
    """Begin the next game at ``at`` (ns), or ask first whether the result of this one goes on paper, which nothing confirms by itself."""
    if owed(state.game_at(at), state.setup):
        return replace(state, table_menu=opened(state.game_at(at), ("next_game",)))
    return begin_next_game(state, at)


def begin_next_game(state: ClockState, at: int) -> ClockState:
    """Begin the next game at ``at`` (ns); where a player had extra time, ask whether both keep it (2017 III.A.3)."""
    event, kept = next_game(state.history, state.setup.offered), own_allowances(state.history)
    # A next game cannot be taken back: both halves say so.
    begun = _said(apply_event(replace(state, table_menu=None), event, at), ("next_game",), at)
    if is_offered(state.history, state.setup.offered) or kept == BySide.both(None) or not state.setup.screen:
        return begun
    path = ("keep", *(REGULATION if ns is None else str(ns) for ns in (kept.left, kept.right)))
    return replace(begun, table_menu=opened(begun.game_at(at), path))


def _said(state: ClockState, path: tuple[str, ...], at: int) -> ClockState:
    # An out play is on both halves already, and the opponent's few seconds are for what can be done now.
    return state if path[0] == "out_play" else _answered(state, message(f"table_menu.done.{path[0]}"), at)


def _answered(state: ClockState, said: KeyedMessage, at: int) -> ClockState:
    return with_answer(state, Answer(None, said, at + DONE_NS))


def _step(shown: TablePage, side: Side) -> int:
    """Return how far the own button of ``side`` moves: up for left, down for right; down for either where the other one keeps its meaning."""
    return -1 if side is Side.LEFT and not shown.keeps else 1


def without_agreeing(state: ClockState) -> ClockState:
    for stroke in agreeing(state):
        state = with_stroke(state, replace(stroke, agrees=False, over=True))
    return state


def agree(state: ClockState) -> ClockState:
    """Do what both players have agreed on, at the later of their first edges, without what their presses did."""
    first, second = agreeing(state)
    if state.base is not None and (first.acted or second.acted):
        state = with_history(state, state.base)
    first, second = (replace(stroke, acted=False, agrees=False, over=True) for stroke in (first, second))
    state = with_stroke(with_stroke(state, first), second)
    return carry_out(replace(state, table_menu=None), (*(second.page or ()), AGREED), second)
