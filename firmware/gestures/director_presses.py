"""The director's presses: the key, the door of a two-button board, and the menu behind them."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from appliance.lock import wait_ns
from faults.errors import TileclockError
from firmware.gestures.clock_state import (
    CLOSED_NS,
    Answer,
    ClockState,
    CodeDoor,
    Stroke,
    apply_event,
    closed,
    confirm,
    with_answer,
    with_stroke,
)
from firmware.gestures.meaning import counts_to_an_end
from firmware.menu.menu import Menu, MenuStep, moves, page, press_menu, take_row, with_result
from firmware.menu.menu import open_menu as first_page
from firmware.texts import message
from game.events import By, Call
from game.game import EventNotAllowed
from rules.duration import NS
from rules.side import Side

ASKING_NS: Final = 20 * NS
MIN_PRESSES: Final = 4
MAX_PRESSES: Final = 12


class BadCode(TileclockError, ValueError):
    """The text is not a valid code."""


def parse_code(text: str) -> tuple[Side, ...]:
    """Return the presses of a code written as L and R. Raises BadCode: it does not have 4 to 12 of them, or has other letters."""
    sides = {"L": Side.LEFT, "R": Side.RIGHT}
    presses = tuple(sides.get(letter) for letter in text.strip().upper())
    if None in presses or not MIN_PRESSES <= len(presses) <= MAX_PRESSES:
        raise BadCode(expected="a code of 4 to 12 letters, L for left and R for right", found="something else", remedy="Choose another")
    return tuple(press for press in presses if press is not None)


MENU_NS: Final = 300 * NS
"""On a two-button board the menu closes this long after the last press: no key can be turned off there."""
KEY_ASKS_NS: Final = 10 * NS
"""Turned off with an act half made, the key asks for so long."""


def key_on(state: ClockState, at: int) -> ClockState:
    """Process the key turned on at ``at`` (ns): while a clock runs, the players play on until ``ok``; a half made act goes on."""
    if state.menu is not None and state.menu.key_off:
        return replace(state, menu=replace(state.menu, key_off=False), menu_closes_at=None)
    if state.frozen is None and counts_to_an_end(state.game_at(at), state.instant(at)):
        return replace(state, asks_ok=True)
    return open_menu(state, at)


def key_off(state: ClockState, at: int) -> ClockState:
    """Process the key turned off at ``at`` (ns): it leaves the menu, but asks about an act that is half made, unless the players play on."""
    left = replace(state, menu=None, asks_ok=False)
    if state.menu is None or not state.menu.half_made:
        return left
    if state.frozen is None and counts_to_an_end(state.game_at(at), state.instant(at)):
        # No button of theirs waits for an answer.
        return with_answer(left, Answer(None, message("menu.key_off.left"), at + CLOSED_NS))
    return replace(state, menu=replace(state.menu, key_off=True), menu_closes_at=at + KEY_ASKS_NS)


def open_menu(state: ClockState, at: int) -> ClockState:
    """Open the director's menu at ``at`` (ns): presses in progress keep their short meaning, and a call is answered."""
    state = closed(state)
    if state.frozen is None and state.history.game.called:
        state = apply_event(state, Call(on=False), at, By.DIRECTOR)
    closes_at = at + MENU_NS if state.setup.two_button else None
    menu = first_page(confirms=state.frozen is not None)
    return replace(state, menu=menu, menu_closes_at=closes_at, table_menu=None, door=None, asks_ok=False)


def in_menu(state: ClockState, menu: Menu, stroke: Stroke) -> ClockState:
    button = stroke.buttons[0]
    if moves(button, state.setup):
        state = with_stroke(state, replace(stroke, repeats=0))
    return _pressed(state, menu, button, stroke.at)


def repeat(state: ClockState, menu: Menu, stroke: Stroke) -> ClockState:
    count, at = stroke.repeats or 0, stroke.repeat_at or stroke.at
    # The press itself has moved once.
    last = count + 2 >= len(page(menu, state.history, state.setup, state.instant(at)).options)
    return _pressed(with_stroke(state, replace(stroke, repeats=None if last else count + 1)), menu, stroke.buttons[0], at)


def _pressed(state: ClockState, menu: Menu, button: str, at: int) -> ClockState:
    return _done(state, press_menu(menu, button, state.history, state.setup, state.instant(at)), at)


def hit_row(state: ClockState, row: int, at: int) -> ClockState:
    if state.menu is None or state.door is not None:
        return state
    return _done(state, take_row(state.menu, row, state.history, state.setup, state.instant(at)), at)


def _done(state: ClockState, step: MenuStep, at: int) -> ClockState:
    state = replace(state, menu_closes_at=at + MENU_NS) if state.setup.two_button else state
    if step.confirmed:
        state = confirm(state, at)
    if step.event is None:
        return replace(state, menu=step.menu, power_off=state.power_off or step.power_off)
    try:
        state, refused = apply_event(state, step.event, at, By.DIRECTOR), None
    except EventNotAllowed as error:
        refused = error.why
    return replace(state, menu=with_result(step.menu, state.setup, refused))


def knock(state: ClockState, at: int) -> ClockState:
    if not state.setup.code:
        return open_menu(state, at)
    wait = wait_ns(state.wrong_codes)
    shut = None if state.code_tried_at is None or not wait else state.code_tried_at + wait
    return replace(state, door=CodeDoor(at + ASKING_NS, shut_until=shut))


def at_door(state: ClockState, door: CodeDoor, stroke: Stroke) -> ClockState:
    at, side = stroke.held_from, stroke.side
    if side is None and not stroke.is_chord:
        return state
    state = with_stroke(state, stroke)
    if side is None:
        complete = len(door.entered) >= MIN_PRESSES and not door.checking
        return replace(state, door=replace(door, closes_at=at + ASKING_NS, checking=door.checking or complete))
    waits = door.checking or (door.shut_until is not None and at < door.shut_until)
    entered = door.entered if waits else (*door.entered, side)[:MAX_PRESSES]
    return replace(state, door=replace(door, closes_at=at + ASKING_NS, entered=entered, wrong=door.wrong and waits))


def code_of(entered: tuple[Side, ...]) -> str:
    """Return the presses of a code as the digits that are hashed: 1 for left, 2 for right."""
    return "".join("1" if side is Side.LEFT else "2" for side in entered)


def code_checked(state: ClockState, at: int, *, right: bool) -> ClockState:
    if state.door is None or not state.door.checking:
        return state
    if right:
        return open_menu(replace(state, wrong_codes=0, code_tried_at=None), at)
    wrong = state.wrong_codes + 1
    wait = wait_ns(wrong)
    door = CodeDoor(at + ASKING_NS, wrong=True, shut_until=at + wait if wait else None)
    return replace(state, wrong_codes=wrong, code_tried_at=at, door=door)
