"""The menu as a value: the action, the choices so far, the cursor. Each press gives the next menu.

On a full board up and down move, ok selects, a player's button selects that side, the bar goes back and the key leaves. On two buttons left
moves on and right selects; "back" is the first row there, so that a stray press of right does no harm. A keyboard's up, down and Enter always
act as on a full board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from firmware.core.events import Event
from firmware.core.game import Game
from firmware.core.not_allowed import EventNotAllowed
from firmware.core.record import Record
from firmware.menu import switching
from firmware.menu.actions import ACTIONS, Action
from firmware.menu.describe import listed, particulars
from firmware.menu.preview import preview
from firmware.menu.setup import Setup
from firmware.menu.steps import Change, Context, Option

_ACTION_BY_NAME: Final = {action.name: action for action in ACTIONS}
_BACK: Final = object()
_CONFIRM: Final = object()
_TIMES_RIGHT: Final = object()


@dataclass(frozen=True, slots=True)
class Menu:
    """The director's position in the menu."""

    action: str | None = None
    chosen: tuple[Any, ...] = ()
    cursor: int = 0
    amount: int = 0
    """The amount being entered, in ns."""
    result: str | None = None
    """The result of the last action."""
    confirms: bool = False
    """The times must be confirmed after a power cut."""


@dataclass(frozen=True, slots=True)
class MenuPage:
    """One page: its title, lines to read, and rows to select."""

    title: str
    lines: tuple[str, ...]
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class MenuStep:
    """The result of a press in the menu: the next menu (None: closed), and the event to record, if any."""

    menu: Menu | None
    event: Event | None = None
    confirmed: bool = False
    """The director confirms the times after a power cut."""
    power_off: bool = False
    """Switch the machine off."""


def open_menu(*, confirms: bool = False) -> Menu:
    """Return the menu at its first page; ``confirms`` first asks to confirm the times after a power cut."""
    return Menu(confirms=confirms)


def page(menu: Menu, record: Record, setup: Setup, now: int) -> MenuPage:
    """Return the menu's page at ``now`` (ns)."""
    if menu.action == switching.NAME:
        title, lines, answers = switching.question(record.game_at(now), setup)
        return MenuPage(title, lines, (_back(setup), *answers))
    action = _action(menu)
    if action is None:
        return _first_page(menu, setup)
    if len(menu.chosen) < len(action.steps):
        step = action.steps[len(menu.chosen)]
        title = f"{setup.texts.say(f'menu.action.{action.name}')}: {setup.texts.say(step.title)}"
        options = step.options(Context(record, record.game_at(now), setup, menu.amount))
        back = (_back(setup),)
        return MenuPage(title, (), (*back, *options) if setup.two_button else (*options, *back))
    return _last_page(action, menu, record, setup, now)


def proposed(menu: Menu) -> Event | None:
    """Return the event that an action's last page asks to confirm, or None on other pages."""
    action = _action(menu)
    return action.make(*menu.chosen) if action is not None and len(menu.chosen) == len(action.steps) else None


def press_menu(menu: Menu, button: str, record: Record, setup: Setup, now: int) -> MenuStep:
    """Return the result of pressing ``button`` at ``now`` (ns)."""
    options = page(menu, record, setup, now).options
    move = _moves(setup).get(button)
    if move == "take":
        return _take(menu, options[menu.cursor % len(options)], record, setup, now)
    if move == "back":
        return MenuStep(menu if menu.action is None else _step_back(menu, record.game_at(now), setup))
    if move is not None:
        return MenuStep(replace(menu, cursor=(menu.cursor + int(move)) % len(options), result=None))
    own = next((option for option in options if option.side is not None and option.side.value == button), None)
    return MenuStep(menu) if own is None else _take(menu, own, record, setup, now)


def with_result(menu: Menu | None, setup: Setup, refused: str | None) -> Menu | None:
    """Return the menu after its event was recorded or refused: the first page shows which."""
    if menu is None or menu.result is None:
        return menu
    result = setup.texts.say("menu.done", what=menu.result) if refused is None else setup.texts.say("menu.refused", why=refused)
    return replace(menu, result=result)


def _moves(setup: Setup) -> dict[str, str]:
    full = {"up": "-1", "down": "1", "ok": "take", "centre": "back"}
    # A keyboard on a two-button board has all these buttons, which helps if one of the two is stuck.
    return {**full, "left": "1", "right": "take"} if setup.two_button else full


def _action(menu: Menu) -> Action | None:
    return None if menu.action is None else _ACTION_BY_NAME.get(menu.action)


def _first_page(menu: Menu, setup: Setup) -> MenuPage:
    rows = (Option(setup.texts.say(f"menu.action.{action.name}"), action) for action in ACTIONS)
    # On a full board the menu stays open until the key is turned off; a two-button board has no key.
    leave = (Option(setup.texts.say("menu.leave"), _BACK),) if setup.two_button else ()
    times = (Option(setup.texts.say("menu.times_right"), _TIMES_RIGHT),) if menu.confirms else ()
    lines = () if menu.result is None else (menu.result,)
    return MenuPage(setup.texts.say("menu.title"), lines, (*leave, *times, *rows, *switching.rows(setup)))


def _last_page(action: Action, menu: Menu, record: Record, setup: Setup, now: int) -> MenuPage:
    title = f"{setup.texts.say(f'menu.action.{action.name}')}: {setup.texts.say('menu.step.confirm')}"
    event = action.make(*menu.chosen)
    try:
        lines = (*_details_line(event, record, setup), *preview(record, event, now, setup))
    except EventNotAllowed as refused:
        return MenuPage(title, (setup.texts.say("menu.refused", why=refused.why),), (_back(setup),))
    return MenuPage(title, lines, (_back(setup), Option(setup.texts.say("menu.confirm"), _CONFIRM)))


def _back(setup: Setup) -> Option:
    return Option(setup.texts.say("menu.back"), _BACK)


def _details_line(event: Event, record: Record, setup: Setup) -> tuple[str, ...]:
    """Return the line with the details of the proposed event, if its action has any."""
    first, *rest = particulars(event, record, setup.texts) or ("",)
    return (listed(first, iter(rest), setup.texts),) if first else ()


def _step_back(menu: Menu, game: Game, setup: Setup) -> Menu | None:
    above = menu.confirms + setup.two_button
    if menu.action == switching.NAME:
        return Menu(cursor=len(ACTIONS) + above, confirms=menu.confirms)
    action = _action(menu)
    if action is None:
        return None
    asked = [index for index in range(len(menu.chosen)) if action.steps[index].applies(game)]
    if asked:
        return replace(menu, chosen=menu.chosen[: asked[-1]], cursor=0, amount=0)
    return Menu(cursor=[each.name for each in ACTIONS].index(action.name) + above, confirms=menu.confirms)


def _take(menu: Menu, option: Option, record: Record, setup: Setup, now: int) -> MenuStep:
    value, game = option.value, record.game_at(now)
    if value is _BACK:
        return MenuStep(_step_back(menu, game, setup))
    if value is _TIMES_RIGHT:
        return MenuStep(Menu(), confirmed=True)
    if value is switching.ROW:
        return MenuStep(Menu(action=switching.NAME, confirms=menu.confirms))
    if value is switching.NOW:
        return MenuStep(Menu(confirms=menu.confirms), power_off=True)
    if isinstance(value, Change):
        return MenuStep(replace(menu, amount=menu.amount + value.ns))
    if isinstance(value, Action):
        menu, action = Menu(action=value.name, confirms=menu.confirms), value
    else:
        action = _ACTION_BY_NAME[menu.action or ""]
        if value is not _CONFIRM:
            menu = replace(menu, chosen=(*menu.chosen, value), cursor=0, amount=0)
    menu = _skip_inapplicable(menu, action, game)
    complete = len(menu.chosen) == len(action.steps)
    return _make(action, menu, record, setup) if complete and (value is _CONFIRM or not action.asks_confirmation) else MenuStep(menu)


def _skip_inapplicable(menu: Menu, action: Action, game: Game) -> Menu:
    """Return the menu with default answers to the steps that do not apply in the game's present state."""
    for step in action.steps[len(menu.chosen) :]:
        if step.applies(game):
            break
        menu = replace(menu, chosen=(*menu.chosen, step.default))
    return menu


def _make(action: Action, menu: Menu, record: Record, setup: Setup) -> MenuStep:
    event = action.make(*menu.chosen)
    result = listed(setup.texts.say(f"menu.action.{action.name}"), iter(particulars(event, record, setup.texts)), setup.texts)
    return MenuStep(Menu(result=result, confirms=menu.confirms), event)
