"""The director's presses: the key, the door of a two-button board, and the menu behind them."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from appliance.lock import wait_ns
from firmware.gestures.clock_state import ClockState, apply_event, confirm, replace_stroke, with_stroke
from firmware.gestures.lapsing import ASKING_NS, MAX_PRESSES, MIN_PRESSES, CodeDoor
from firmware.gestures.meaning import counts_to_an_end
from firmware.gestures.stroke import PLAYER_BUTTONS, Stroke, TableBefore
from firmware.menu.menu import Menu, MenuStep, press_menu, take_row, with_result
from firmware.menu.menu import open_menu as first_page
from game.events import By, Call
from game.game import EventNotAllowed
from rules.duration import NS
from rules.side import Side

MENU_NS: Final = 300 * NS
"""On a two-button board the menu closes this long after the last press: no key can be turned off there."""


def key_on(table: ClockState, at: int) -> ClockState:
    """Process the key turned on at ``at`` (ns): while a clock runs, the players play on until ``ok``."""
    if table.frozen is None and counts_to_an_end(table.game_at(at), table.instant(at)):
        return replace(table, asks_ok=True)
    return open_menu(table, at)


def key_off(table: ClockState, at: int) -> ClockState:
    """Process the key turned off at ``at`` (ns): it leaves the menu, and the presses that began in it do not play."""
    return replace(table, menu=None, menu_left_at=at if table.menu is not None else table.menu_left_at, asks_ok=False)


def open_menu(table: ClockState, at: int) -> ClockState:
    """Open the director's menu at ``at`` (ns): presses in progress keep their short meaning, and a call is answered."""
    for stroke in table.button_state.strokes.values():
        table = replace_stroke(table, stroke, replace(stroke, live=False, repeats=None, agrees=None))
    if table.frozen is None and table.history.game.called:
        table = apply_event(table, Call(on=False), at, By.DIRECTOR)
    closes_at = at + MENU_NS if table.setup.two_button else None
    menu = first_page(confirms=table.frozen is not None)
    return replace(table, menu=menu, menu_closes_at=closes_at, table_menu=None, door=None, asks_ok=False)


def in_menu(table: ClockState, menu: Menu, button: str, at: int) -> ClockState:
    """Process a press in the director's menu."""
    return _done(table, press_menu(menu, button, table.history, table.setup, table.instant(at)), at)


def hit_row(table: ClockState, row: int, at: int) -> ClockState:
    """Process a mouse or a finger on row number ``row`` of the director's menu at ``at`` (ns)."""
    if table.menu is None or table.door is not None:
        return table
    return _done(table, take_row(table.menu, row, table.history, table.setup, table.instant(at)), at)


def _done(table: ClockState, step: MenuStep, at: int) -> ClockState:
    table = table if table.menu_closes_at is None else replace(table, menu_closes_at=at + MENU_NS)
    if step.confirmed:
        table = confirm(table, at)
    if step.event is None:
        return replace(table, menu=step.menu, power_off=table.power_off or step.power_off)
    try:
        table, refused = apply_event(table, step.event, at, By.DIRECTOR), None
    except EventNotAllowed as error:
        refused = error.why
    return replace(table, menu=with_result(step.menu, table.setup, refused))


def knock(table: ClockState, at: int) -> ClockState:
    """Open the director's door at ``at`` (ns): ask for the code if there is one."""
    if not table.setup.code:
        return open_menu(table, at)
    wait = wait_ns(table.wrong_codes)
    shut = None if table.code_tried_at is None or not wait else table.code_tried_at + wait
    return replace(table, door=CodeDoor(at + ASKING_NS, shut_until=shut))


def at_door(table: ClockState, door: CodeDoor, button: str, at: int) -> ClockState:
    """Process a press at the door: left or right is entered."""
    side = PLAYER_BUTTONS.get(button)
    if side is None:
        return table
    before = TableBefore(table.game_at(at), table.offer, door=door)
    table = with_stroke(table, Stroke((button,), at, at, before))
    waits = door.checking or (door.shut_until is not None and at < door.shut_until)
    entered = door.entered if waits else (*door.entered, side)[:MAX_PRESSES]
    return replace(table, door=replace(door, closes_at=at + ASKING_NS, entered=entered, wrong=door.wrong and waits))


def hand_in(table: ClockState, door: CodeDoor, at: int) -> ClockState:
    """Process both buttons at the door: they hand the code in, for the shell to check."""
    complete = len(door.entered) >= MIN_PRESSES and not door.checking
    return replace(table, door=replace(door, closes_at=at + ASKING_NS, checking=door.checking or complete))


def code_of(entered: tuple[Side, ...]) -> str:
    """Return the presses of a code as the digits that are hashed: 1 for left, 2 for right."""
    return "".join("1" if side is Side.LEFT else "2" for side in entered)


def code_checked(table: ClockState, at: int, *, right: bool) -> ClockState:
    """Return the table after the shell's answer at ``at`` (ns) to the code that was handed in."""
    if table.door is None or not table.door.checking:
        return table
    if right:
        return open_menu(replace(table, wrong_codes=0, code_tried_at=None), at)
    wrong = table.wrong_codes + 1
    wait = wait_ns(wrong)
    door = CodeDoor(at + ASKING_NS, wrong=True, shut_until=at + wait if wait else None)
    return replace(table, wrong_codes=wrong, code_tried_at=at, door=door)
