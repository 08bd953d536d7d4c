"""The menu as a value: the action, the choices so far, the cursor. Each press gives the next menu.

On a full board up and down move, ok selects, a player's button selects that side, the bar goes back and the key leaves. On two buttons left
moves on and right selects; there "back" is the first row of every page but the first, so that a stray press of right does no harm. A keyboard's
up, down and Enter always act as on a full board. The first page lists what can be done now, the common acts of the phase first; its last row
switches the machine off, with a confirmation, and never while time counts. Before an event is made, short lines show what it would change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu import describe, steps
from firmware.menu.actions import ACTIONS, COMMON, Action, allowed_options, in_order, possible, why_not
from firmware.menu.describe import listed, particulars, signed
from firmware.menu.setup import Setup
from firmware.menu.steps import Change, Context, MenuOption
from firmware.texts import Texts
from game.events import By, Event, NewGame, When, Withdraw
from game.game import EventNotAllowed, Game, Phase
from game.history import History, accept
from game.table import is_offered
from rules.duration import reading
from rules.side import Side

POWER_OFF: Final = "power_off"
"""Stands in place of an event's name; the game does not change, so no event is made."""
POWER_OFF_ROW: Final = object()
"""Opens the question."""
POWER_OFF_NOW: Final = object()
"""Yes, switch off."""


def power_off_rows(setup: Setup) -> tuple[MenuOption, ...]:
    """Return the row for the first page, if the machine can be switched off."""
    texts = setup.texts
    return (MenuOption(texts.say("menu.power_off.row"), POWER_OFF_ROW, group=texts.say("menu.group.game")),) if setup.power_off else ()


def power_off_question(game: Game, setup: Setup) -> tuple[str, tuple[str, ...], tuple[MenuOption, ...]]:
    """Return the question's title, its lines, and its answers besides "back"."""
    texts = setup.texts
    title = texts.say("menu.titled", what=texts.say("menu.power_off.row"), asked=texts.say("menu.step.confirm"))
    if time_counts(game):
        return title, (setup.texts.say("menu.refused", why=setup.texts.say("menu.power_off.runs")),), ()
    return title, (setup.texts.say("menu.power_off.kept"),), (MenuOption(setup.texts.say("menu.power_off.now"), POWER_OFF_NOW),)


def time_counts(game: Game) -> bool:
    """Return whether a player's time counts: switching off then would lose that time."""
    return game.running is not None or game.phase is Phase.LATE


def preview(history: History, event: Event, now: int, setup: Setup) -> tuple[str, ...]:
    """Return the changes that ``event`` by the director would make at ``now`` (ns), the most important first. Raises EventNotAllowed."""
    before, after = history.game_at(now), accept(history, event, now, by=By.DIRECTOR).game_at(now)
    changes = tuple(_differences(before, after, now, setup.texts))
    if isinstance(event, NewGame):
        # Times that change from one game to the next are no correction of either.
        left, right = (reading(after.remaining(side, now)) for side in Side)
        return (setup.texts.say("hall.next_game", rulebook=after.rulebook.title, left=left, right=right), *changes)
    return changes or (setup.texts.say("menu.unchanged"),)


def total(action: str, context: Context) -> tuple[str, ...]:
    """Return, for the pages of giving or taking time, for whom it is and what it would come to."""
    if action != "adjust" or not context.chosen:
        return ()
    side, *rest = context.chosen
    amount, when = (*rest, context.amount, When.NOW)[:2] if rest else (context.amount, When.NOW)
    reads = context.game.remaining(side, context.now)
    credit = context.game.accounts.of(side).credit
    if len(rest) > 1 and when is When.END:
        before, after = (context.texts.say("mark.credit", time=signed(ns)) for ns in (credit, credit + amount))
    else:
        before, after = reading(reads), reading(reads + amount)
    said = context.texts.say(f"side.{side}")
    return (context.texts.say("menu.total", who=said, before=before, after=after),)


def _differences(before: Game, after: Game, now: int, texts: Texts) -> Iterator[str]:
    for side in Side:
        change = describe.changes(before, after, side, now, texts)
        if change is not None:
            yield texts.say("menu.total", who=texts.say(f"side.{side}"), before=change[0], after=change[1])
    yield from _then("menu.phase", describe.phase(before, texts), describe.phase(after, texts), texts)
    yield from _then("menu.turn", _side(before.turn, texts), _side(after.turn, texts), texts)
    yield from _status_changes(before, after, texts)
    yield from _then("menu.window", describe.window(before, now, texts), describe.window(after, now, texts), texts)
    yield from _then("menu.reason", describe.reason(before, texts), describe.reason(after, texts), texts)
    yield from _then("menu.rulebook", texts.render(before.rulebook.title), texts.render(after.rulebook.title), texts)


def _then(key: str, before: str | None, after: str | None, texts: Texts) -> Iterator[str]:
    if before != after:
        none = texts.say("menu.none")
        yield texts.say(key, before=before or none, after=after or none)


def _status_changes(before: Game, after: Game, texts: Texts) -> Iterator[str]:
    """Yield changes of what the face shows besides the clocks: a hold, an out play, a lost turn."""
    yield from _side_changes(before.holder, after.holder, ("menu.hold_ends", "menu.hold_begins"), texts)
    yield from _side_changes(before.out_player, after.out_player, ("menu.out_play_ends", "menu.out_play_begins"), texts)
    if after.lost_turn is not None and before.lost_turn is not after.lost_turn:
        yield texts.say("menu.loses_turn", side=texts.say(f"side.{after.lost_turn}"))
    if after.challenger is not None and before.challenger is not after.challenger:
        yield texts.say("menu.challenges", side=texts.say(f"side.{after.challenger}"))
    if after.loser is not None and before.loser is not after.loser:
        yield texts.say("menu.loses", side=texts.say(f"side.{after.loser}"))
    if before.called is not after.called:
        yield texts.say("menu.called_now" if after.called else "menu.not_called")
    if before.hold_noted is not after.hold_noted:
        yield texts.say("menu.hold_said" if after.hold_noted else "menu.hold_unsaid")


def _side_changes(before: Side | None, after: Side | None, keys: tuple[str, str], texts: Texts) -> Iterator[str]:
    if before is not after:
        for key, side in zip(keys, (before, after), strict=True):
            if side is not None:
                yield texts.say(key, side=texts.say(f"side.{side}"))


def _side(side: Side | None, texts: Texts) -> str | None:
    return None if side is None else texts.say(f"side.{side}")


_ACTION_BY_NAME: Final = {action.name: action for action in ACTIONS}
_BACK: Final = object()
_CONFIRM: Final = object()
_TIMES_RIGHT: Final = object()


class Menu(Struct, frozen=True):
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


class MenuPage(Struct, frozen=True):
    """One page: its title, lines to read, and rows to select."""

    title: str
    lines: tuple[str, ...]
    options: tuple[MenuOption, ...]
    sentence: str = ""
    """What is to be confirmed, for large type."""


class MenuStep(Struct, frozen=True):
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


def page(menu: Menu, history: History, setup: Setup, now: int) -> MenuPage:
    """Return the menu's page at ``now`` (ns)."""
    context = _context(menu, history, setup, now)
    if menu.action == POWER_OFF:
        title, lines, answers = power_off_question(context.game, setup)
        return MenuPage(title, lines, (_back(setup), *answers))
    action = _action(menu)
    if action is None:
        return _first_page(menu, context)
    if len(menu.chosen) < len(action.steps):
        return _question(action, context)
    return _last_page(action, context)


def proposed(menu: Menu) -> Event | None:
    """Return the event that an action's last page asks to confirm, or None on other pages."""
    action = _action(menu)
    return action.make(*menu.chosen) if action is not None and len(menu.chosen) == len(action.steps) else None


def press_menu(menu: Menu, button: str, history: History, setup: Setup, now: int) -> MenuStep:
    """Return the result of pressing ``button`` at ``now`` (ns)."""
    options = page(menu, history, setup, now).options
    move = _moves(setup).get(button)
    if move == "take":
        return _take(menu, options[menu.cursor % len(options)], _context(menu, history, setup, now))
    if move == "back":
        return MenuStep(menu if menu.action is None else _step_back(menu, _context(menu, history, setup, now)))
    if move is not None:
        return MenuStep(replace(menu, cursor=(menu.cursor + int(move)) % len(options), result=None))
    own = next((option for option in options if option.side is not None and option.side.value == button), None)
    return MenuStep(menu) if own is None else _take(menu, own, _context(menu, history, setup, now))


def take_row(menu: Menu, row: int, history: History, setup: Setup, now: int) -> MenuStep:
    """Return the result of a mouse or a finger on row number ``row`` of the page at ``now`` (ns); a row that is gone does nothing."""
    options = page(menu, history, setup, now).options
    if row >= len(options):
        return MenuStep(menu)
    return _take(replace(menu, cursor=row), options[row], _context(menu, history, setup, now))


def with_result(menu: Menu | None, setup: Setup, refused: str | None) -> Menu | None:
    """Return the menu after its event was recorded or refused: the first page shows which."""
    if menu is None or menu.result is None:
        return menu
    result = setup.texts.say("menu.done", what=menu.result) if refused is None else setup.texts.say("menu.refused", why=refused)
    return replace(menu, result=result)


def _context(menu: Menu, history: History, setup: Setup, now: int) -> Context:
    return Context(history, history.game_at(now), now, setup, menu.amount, menu.chosen)


def _moves(setup: Setup) -> dict[str, str]:
    full = {"up": "-1", "down": "1", "ok": "take", "centre": "back"}
    # A keyboard on a two-button board has all these buttons, which helps if one of the two is stuck.
    return {**full, "left": "1", "right": "take"} if setup.two_button else full


def _action(menu: Menu) -> Action | None:
    return None if menu.action is None else _ACTION_BY_NAME.get(menu.action)


def _first_page(menu: Menu, context: Context) -> MenuPage:
    setup, texts = context.setup, context.texts
    common = COMMON[context.game.phase]
    rows = [
        MenuOption(_row(action, context), action, group="" if action.name in common else texts.say(f"menu.group.{action.group}"))
        for action in in_order(context.game.phase)
        if possible(action, context)
    ]
    if menu.confirms:
        rows.insert(0, MenuOption(texts.say("menu.times_right"), _TIMES_RIGHT))
    if setup.two_button:
        # On a full board the menu stays open until the key is turned off; a two-button board has no key.
        rows.insert(1, MenuOption(texts.say("menu.leave"), _BACK))
    warned = (texts.say("door.no_code"),) if setup.two_button and not setup.code else ()
    lines = (*warned, *(() if menu.result is None else (menu.result,)))
    return MenuPage(texts.say("menu.title"), lines, (*rows, *power_off_rows(setup)))


def _row(action: Action, context: Context) -> str:
    texts = context.texts
    if action.name == "next_game" and is_offered(context.history, context.setup.offered):
        return texts.say("menu.action.next_game_offered")
    named = texts.say(f"menu.action.{action.name}")
    return listed(named, (option.text for option in steps.CREDIT.options(context)), texts) if action.name == "credit" else named


def _question(action: Action, context: Context) -> MenuPage:
    """Return the page of a step, or why the action has become impossible."""
    setup, texts = context.setup, context.texts
    title = _titled(action, action.steps[len(context.chosen)].title, texts)
    back, why = (_back(setup),), why_not(action, context)
    if why is not None:
        return MenuPage(title, (texts.say("menu.refused", why=why or texts.say("menu.none")),), back)
    options = allowed_options(action, context)
    back_first = setup.two_button or not action.steps[len(context.chosen)].preselects
    return MenuPage(title, total(action.name, context), (*back, *options) if back_first else (*options, *back))


def _last_page(action: Action, context: Context) -> MenuPage:
    setup, texts = context.setup, context.texts
    title = _titled(action, "menu.step.confirm", texts)
    event = action.make(*context.chosen)
    try:
        sentence, *rest = preview(context.history, event, context.now, setup)
    except EventNotAllowed as refused:
        return MenuPage(title, (texts.say("menu.refused", why=refused.why),), (_back(setup),))
    forbidden = isinstance(event, Withdraw) and not context.game.rulebook.challenge.may_withdraw
    lines = (*_details_line(event, context), *rest, *((texts.say("menu.forbidden"),) if forbidden else ()))
    return MenuPage(title, lines, (_back(setup), MenuOption(texts.say("menu.confirm"), _CONFIRM)), sentence)


def _titled(action: Action, key: str, texts: Texts) -> str:
    return texts.say("menu.titled", what=texts.say(f"menu.action.{action.name}"), asked=texts.say(key))


def _back(setup: Setup) -> MenuOption:
    return MenuOption(setup.texts.say("menu.back"), _BACK)


def _details_line(event: Event, context: Context) -> tuple[str, ...]:
    """Return the line with the details of the proposed event, if its action has any."""
    first, *rest = particulars(event, context.history, context.texts) or ("",)
    return (listed(first, iter(rest), context.texts),) if first else ()


def _step_back(menu: Menu, context: Context) -> Menu | None:
    action = _action(menu)
    if action is None and menu.action != POWER_OFF:
        return None
    asked = [
        index for index in range(len(menu.chosen)) if action and action.steps[index].applies(replace(context, chosen=menu.chosen[:index]))
    ]
    if asked:
        return replace(menu, chosen=menu.chosen[: asked[-1]], cursor=0, amount=0)
    first = Menu(confirms=menu.confirms)
    options = _first_page(first, replace(context, chosen=(), amount=0)).options
    taken = POWER_OFF_ROW if action is None else action
    return replace(first, cursor=next((row for row, option in enumerate(options) if option.value is taken), 0))


def _take(menu: Menu, option: MenuOption, context: Context) -> MenuStep:
    value = option.value
    if value is _BACK:
        return MenuStep(_step_back(menu, context))
    if value is _TIMES_RIGHT:
        return MenuStep(Menu(), confirmed=True)
    if value is POWER_OFF_ROW:
        return MenuStep(Menu(action=POWER_OFF, confirms=menu.confirms))
    if value is POWER_OFF_NOW:
        return MenuStep(Menu(confirms=menu.confirms), power_off=True)
    if isinstance(value, Change):
        return MenuStep(replace(menu, amount=menu.amount + value.ns, cursor=menu.cursor if abs(value.ns) != 1 else 0))
    if isinstance(value, Action):
        menu, action = Menu(action=value.name, confirms=menu.confirms), value
    else:
        action = _ACTION_BY_NAME[menu.action or ""]
        if value is not _CONFIRM:
            menu = replace(menu, chosen=(*menu.chosen, value), cursor=0, amount=0)
    menu = _skip_inapplicable(menu, action, context)
    complete = len(menu.chosen) == len(action.steps)
    return _make(action, menu, context) if complete and (value is _CONFIRM or not action.asks_confirmation) else MenuStep(menu)


def _skip_inapplicable(menu: Menu, action: Action, context: Context) -> Menu:
    """Return the menu with default answers to the steps that do not apply after the answers so far."""
    for step in action.steps[len(menu.chosen) :]:
        asked = replace(context, chosen=menu.chosen)
        if step.applies(asked):
            break
        menu = replace(menu, chosen=(*menu.chosen, step.default(asked)))
    return menu


def _make(action: Action, menu: Menu, context: Context) -> MenuStep:
    event, texts = action.make(*menu.chosen), context.texts
    result = listed(texts.say(f"menu.action.{action.name}"), iter(particulars(event, context.history, texts)), texts)
    return MenuStep(Menu(result=result, confirms=menu.confirms), event)
