"""Presses on the pages of a result: left turns the digit up, right down, the bar takes it; each player signs by the own button held for a second (docs/spec/result.md).

Two signatures are two presses, one after the other: buttons that are down at the same time sign nothing.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from firmware.gestures.clock_state import Answer, ClockState, Stroke, act, apply_event, with_answer, with_stroke
from firmware.gestures.meaning import STAGE_NS, Act, HoldStage
from firmware.table_menu.draft import BASE, CHANGE, SIGN, TAKEN_OFF, Draft, after_entry, entry
from firmware.table_menu.pages import CLOSE, kind_of
from firmware.table_menu.value import PageKind, TableMenu, TablePage, opened
from firmware.texts import KeyedMessage, message
from game.events import StartWindow
from game.game import RECOUNT, EventNotAllowed, Game
from game.history import accept
from rules.contact import MS
from rules.side import Side

ANSWERS_NS: Final = 3000 * MS
_SIGNS: Final = HoldStage(STAGE_NS[0], Act.SIGN, message("fill.let_go.nothing"), message("fill.hold_on.sign"))


def opened_alone(state: ClockState, at: int) -> ClockState:
    """Return the state with the page of a result at ``at`` (ns), where no screen shows a menu before it; once it is signed, with the row that disputes it."""
    game, draft = state.game_at(at), state.draft or Draft()
    if game.result is not None:
        return replace(state, table_menu=opened(game, chosen=CLOSE))
    return replace(state, draft=draft, table_menu=opened(game, SIGN if draft.entered else entry("score", Side.LEFT)))


def follow(state: ClockState, menu: TableMenu, path: tuple[str, ...], stroke: Stroke) -> ClockState:
    draft = state.draft or Draft()
    match path[len(CHANGE) :] if path[: len(CHANGE)] == CHANGE else ():
        case (what, side):
            return replace(state, draft=draft, table_menu=replace(menu, path=entry(what, Side(side)), chosen=None))
        case (each,) if each == TAKEN_OFF:
            draft = draft.changed(taken_off=not draft.taken_off)
            return replace(state, draft=draft, table_menu=replace(menu, path=SIGN, chosen=None))
        case _:
            page = SIGN if draft.entered else entry("score", Side.LEFT)
            return replace(state, draft=draft, table_menu=replace(menu, path=page, chosen=None))


def pressed(state: ClockState, menu: TableMenu, shown: TablePage, stroke: Stroke) -> ClockState:
    side, draft = stroke.side, state.draft or Draft()
    if side is None:
        return _taken(with_stroke(state, stroke), menu, draft, stroke)
    if shown.kind is PageKind.SCORE:
        return turned(with_stroke(state, replace(stroke, repeats=0)), menu, side)
    beside = [each for each in state.open_strokes if each.side is side.other]
    for each in beside:
        # Neither counts: one player may hold both.
        state = with_stroke(state, replace(each, stages=()))
    if beside:
        return _answered(with_stroke(state, stroke), None, "result.apart", stroke.at)
    if side in draft.signed(stroke.game, state.instant(stroke.at)):
        return _answered(with_stroke(state, stroke), side, "result.signed_already", stroke.at)
    return with_stroke(state, replace(stroke, stages=(_SIGNS,)))


def turned(state: ClockState, menu: TableMenu, side: Side) -> ClockState:
    _, what, whose, place = menu.path
    draft = state.draft or Draft()
    return replace(state, draft=draft.turned(what, Side(whose), int(place), 1 if side is Side.LEFT else BASE - 1))


def hit_digit(state: ClockState, digit: int, at: int) -> ClockState:
    menu, draft = state.table_menu, state.draft or Draft()
    if menu is None or kind_of(menu.path) is not PageKind.SCORE:
        return state
    _, what, whose, place = menu.path
    before = draft.digit(what, Side(whose), int(place))
    draft = draft.turned(what, Side(whose), int(place), digit - before) if digit != before else draft
    state = _next(state, menu, draft, at)
    agreed = state.table_menu is not None and state.table_menu.path == SIGN and _recounts(state.game_at(at))
    return apply_event(state, StartWindow(RECOUNT), at) if agreed else state


def _taken(state: ClockState, menu: TableMenu, draft: Draft, stroke: Stroke) -> ClockState:
    if menu.path == SIGN:
        return replace(state, table_menu=replace(menu, path=CHANGE, chosen=None))
    state = _next(state, menu, draft, stroke.at)
    if state.table_menu is None or state.table_menu.path != SIGN or not _recounts(state.game_at(stroke.at)):
        return state
    # The time to ask for a recount counts from the agreement on the score (2017 V.I).
    instant = state.instant(stroke.at)
    return act(state, stroke, lambda history: accept(history, StartWindow(RECOUNT), instant))


def _next(state: ClockState, menu: TableMenu, draft: Draft, at: int) -> ClockState:
    path = after_entry(menu.path, draft, state.game_at(at).rulebook)
    return replace(state, draft=replace(draft, entered=draft.entered or path == SIGN), table_menu=replace(menu, path=path))


def _recounts(game: Game) -> bool:
    """Return whether the time to ask for a recount begins with the agreement on the score, and has not begun."""
    book = game.rulebook
    counts = RECOUNT in book.windows and not book.recount_starts_itself and RECOUNT not in book.directors_windows
    return counts and game.end is not None and game.end.recount_at is None and not game.excludes_recount


def sign(state: ClockState, stroke: Stroke) -> ClockState:
    """Note that the player of ``stroke`` signs what the page says; after both the result is recorded, at the first edge of the later press."""
    menu, side, draft = state.table_menu, stroke.side, state.draft
    if menu is None or menu.path != SIGN or side is None or draft is None:
        return state
    instant, game = state.instant(stroke.at), state.game_at(stroke.at)
    draft = draft.signed_by(side, game, instant)
    result = draft.result(game, state.setup, instant)
    if result is None:
        return replace(state, draft=draft)
    try:
        after = act(replace(state, table_menu=None), stroke, lambda history: accept(history, result, instant))
    except EventNotAllowed as refused:
        return with_answer(state, Answer(None, message("table_menu.not_done", why=refused.why), stroke.at + ANSWERS_NS))
    return _answered(after, None, "table_menu.done.result", stroke.at)


def _answered(state: ClockState, where: Side | None, key: str, at: int) -> ClockState:
    said: KeyedMessage = message(key)
    return with_answer(state, Answer(where, said, at + ANSWERS_NS))
