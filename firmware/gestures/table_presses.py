"""Presses in the table menu: left moves up, right moves down, the bar takes (docs/spec/events.md, "The table menu").

On a page that asks for it, both players agree by holding their buttons together for a second. On the pages of a result left turns the digit up, right down,
the bar takes it; each player signs by the own button held for a second (docs/spec/result.md). Two signatures are two presses, one after the other: buttons
that are down at the same time sign nothing.
"""

from typing import Final

from msgspec.structs import replace

from firmware.gestures.clock_state import (
    Answer,
    ClockState,
    Stroke,
    act,
    act_with,
    agreeing,
    apply_event,
    with_answer,
    with_stroke,
)
from firmware.gestures.meaning import DOOR, STAGE_NS, Act, HoldStage
from firmware.table_menu.actions import (
    BASE,
    CHANGE,
    REGULATION,
    RESULT,
    SIGN,
    Action,
    Draft,
    PageKind,
    TableMenu,
    TablePage,
    action_of,
    after_entry,
    done,
    followed,
    opened,
    owed,
)
from firmware.table_menu.pages import AGREED, BACK, CALL, CLOSE, NO, back, kind_of, moved, page
from firmware.texts import KeyedMessage, message
from game.events import Call, NewGame, StartWindow
from game.game import RECOUNT, EventNotAllowed
from game.history import OutPlayTooLate
from game.table import is_offered, next_game, own_allowances
from rules.contact import MS
from rules.side import BySide, Side

_SIGNS: Final = HoldStage(STAGE_NS[0], Act.SIGN, message("fill.hold_on.sign"))


def opened_by_the_bar(state: ClockState, at: int, chosen: str | None) -> ClockState:
    """Return the state with the menu at ``at`` (ns), at the row ``chosen``.

    Where no screen shows a menu it is the page of a result; once that is signed, the row that disputes it.
    """
    game, screen = state.game_at(at), state.setup.screen
    path = () if screen or game.result is not None else state.draft.page
    return replace(state, table_menu=opened(game, path, chosen if screen else CLOSE))


def _asked_to_sign(state: ClockState, stroke: Stroke, side: Side) -> ClockState:
    beside = [each for each in state.open_strokes if each.side is side.other]
    for each in beside:
        # Neither counts: one player may hold both.
        state = with_stroke(state, replace(each, stages=()))
    if beside:
        return _answered(with_stroke(state, stroke), message("result.apart"), stroke.at)
    signed = side in state.draft.signed(stroke.game, state.instant(stroke.at))
    return with_stroke(state, stroke if signed else replace(stroke, stages=(_SIGNS,)))


def _moved(state: ClockState, menu: TableMenu, shown: TablePage, side: Side) -> ClockState:
    """Return the state after a step of that own button: up for left, down for right; on rows down for either where the other one keeps its meaning."""
    up = side is Side.LEFT
    if shown.kind is PageKind.SCORE:
        return replace(state, draft=state.draft.turned(menu.path, 1 if up else -1))
    return replace(state, table_menu=moved(menu, -1 if up and not shown.keeps else 1, shown))


def hit_digit(state: ClockState, digit: int, at: int) -> ClockState:
    menu = state.table_menu
    if menu is None or kind_of(menu.path) is not PageKind.SCORE:
        return state
    state, recounts = _next(state, menu, state.draft.with_digit(menu.path, digit), at)
    return apply_event(state, StartWindow(RECOUNT), at) if recounts else state


def _taken(state: ClockState, menu: TableMenu, stroke: Stroke) -> ClockState:
    if menu.path == SIGN:
        return replace(state, table_menu=replace(menu, path=CHANGE, chosen=None))
    state, recounts = _next(state, menu, state.draft, stroke.at)
    return act_with(state, stroke, StartWindow(RECOUNT)) if recounts else state


def _next(state: ClockState, menu: TableMenu, draft: Draft, at: int) -> tuple[ClockState, bool]:
    """Return the state with the page after that of a digit, and whether the time to ask for a recount begins: with the agreement on the score (2017 V.I)."""
    game = state.game_at(at)
    (draft, path), book = after_entry(menu.path, draft, game.rulebook), game.rulebook
    counts = RECOUNT in book.windows and not book.recount_starts_itself and RECOUNT not in book.directors_windows
    begins = counts and path == SIGN and game.end is not None and game.end.recount_at is None and not game.excludes_recount
    return replace(state, draft=draft, table_menu=replace(menu, path=path)), begins


def sign(state: ClockState, stroke: Stroke) -> ClockState:
    """Note that the player of ``stroke`` signs what the page says; after both the result is recorded, at the first edge of the later press."""
    menu, side = state.table_menu, stroke.side
    if menu is None or menu.path != SIGN or side is None:
        return state
    instant, game = state.instant(stroke.at), state.game_at(stroke.at)
    draft = state.draft.signed_by(side, game, instant)
    result = draft.result(game, state.setup, instant)
    if result is None:
        return replace(state, draft=draft)
    after = act_with(replace(state, table_menu=None), stroke, result)
    return _answered(after, message("table_menu.done.result"), stroke.at)


DONE_NS: Final = 3000 * MS


def in_menu(state: ClockState, menu: TableMenu, stroke: Stroke, *, beside_stuck: bool) -> ClockState:
    shown = page(menu, state.history, state.setup, state.instant(stroke.at), state.draft)
    doors = (DOOR,) if beside_stuck or stroke.is_chord else ()
    stroke, side = replace(stroke, stages=doors, page=menu.path), stroke.side
    if side is not None and shown.kind in (PageKind.SCORE, PageKind.ROWS):
        return _moved(with_stroke(state, replace(stroke, repeats=0)), menu, shown, side)
    if side is None and shown.kind in (PageKind.SCORE, PageKind.SIGN):
        return _taken(with_stroke(state, stroke), menu, stroke)
    if side is not None and shown.kind is PageKind.SIGN:
        return _asked_to_sign(state, stroke, side)
    if side is None and shown.kind is PageKind.ROWS:
        row, state = shown.rows[shown.cursor], with_stroke(state, stroke)
        # The page says why it cannot be taken.
        return state if row.refused is not None else _follow(state, menu, row.path, stroke)
    if shown.kind is PageKind.WHO and shown.about not in (None, side):
        return _answered(with_stroke(replace(state, table_menu=None), stroke), message("table_menu.no_out_play"), stroke.at)
    if side is None:
        # Without a screen there is the question who has played out, and no page before it.
        return (
            gone_back(with_stroke(state, stroke), menu, stroke.at)
            if state.setup.screen
            else replace(with_stroke(state, stroke), table_menu=None)
        )
    match shown.kind:
        case PageKind.AGREE:
            return with_stroke(state, replace(stroke, stages=(), agrees=True))
        case PageKind.CALLED:
            withdraws = HoldStage(STAGE_NS[0], Call(on=False), message("fill.hold_on.call_back"))
            return with_stroke(state, replace(stroke, stages=(withdraws,)))
        case _:
            return _follow(with_stroke(state, stroke), menu, (str(side),), stroke)


def gone_back(state: ClockState, menu: TableMenu, at: int) -> ClockState:
    """Return the state on the page before; where extra time is not kept there is none, and both halves say that the next game has begun."""
    return _said(replace(state, table_menu=None), ("next_game",), at) if menu.path[0] == "keep" else replace(state, table_menu=back(menu))


def repeat(state: ClockState, stroke: Stroke, at: int) -> ClockState:
    menu, side, count = state.table_menu, stroke.side, stroke.repeats or 0
    if menu is None or side is None or menu.path != stroke.page:
        return with_stroke(state, replace(stroke, repeats=None))
    shown = page(menu, state.history, state.setup, state.instant(at), state.draft)
    # The press itself has moved once.
    last = count + 2 >= (len(shown.rows) or BASE)
    return _moved(with_stroke(state, replace(stroke, repeats=None if last else count + 1)), menu, shown, side)


def _follow(state: ClockState, menu: TableMenu, row: tuple[str, ...], stroke: Stroke) -> ClockState:
    if row in ((CLOSE,), (NO,)):
        return replace(state, table_menu=None)
    if row == (BACK,):
        return replace(state, table_menu=back(menu))
    path = (*menu.path, *row)
    if path[0] == RESULT:
        draft, path = followed(path, state.draft)
        return replace(state, draft=draft, table_menu=replace(menu, path=path, chosen=None))
    action = action_of(path, state.history, state.setup, state.instant(stroke.at))
    if kind_of(path) is not PageKind.ROWS or action is None:
        return replace(state, table_menu=replace(menu, path=path, chosen=None))
    return _carried_out(state, path, action, stroke)


def _carried_out(state: ClockState, path: tuple[str, ...], action: Action, stroke: Stroke) -> ClockState:
    at, menu = stroke.at, state.table_menu
    state = replace(state, table_menu=None)
    try:
        match action:
            case (NewGame() as event,):
                return begin_next_game(state, at) if path[0] == "next_game" else _said(apply_event(state, event, at), path, at)
        after = act(state, stroke, lambda history: done(history, action, state.instant(at)))
        if path == (CALL,) and after.history.game.called:
            # Called by mistake, it is withdrawn by one press.
            return replace(after, table_menu=opened(after.game_at(at), ("called",)))
        return _said(after, path, at)
    except OutPlayTooLate:
        if menu is None or not state.setup.screen:
            return state
        return replace(state, table_menu=replace(menu, path=(*path, "late"), chosen=None))
    except EventNotAllowed as refused:
        return _answered(state, message("table_menu.not_done", why=refused.why), at)


def let_next_game_begin(state: ClockState, at: int) -> ClockState:
    """Ask at ``at`` (ns) whether the next game begins, because nothing takes it back; LED displays ask only if the result is not signed, or disputed."""
    if state.setup.screen or state.history.game.disputed or owed(state.game_at(at), state.setup):
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


def without_agreeing(state: ClockState) -> ClockState:
    for stroke in agreeing(state):
        state = with_stroke(state, replace(stroke, agrees=False, over=True))
    return state


def agree(state: ClockState) -> ClockState:
    """Do what both players have agreed on, at the later of their first edges."""
    first, second = (replace(stroke, agrees=False, over=True) for stroke in agreeing(state))
    state = replace(with_stroke(with_stroke(state, first), second), table_menu=None)
    path = (*(second.page or ()), AGREED)
    return _carried_out(state, path, action_of(path, state.history, state.setup, state.instant(second.at)) or (), second)
