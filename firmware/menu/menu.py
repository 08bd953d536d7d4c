"""The menu as a value: the action, the choices so far, the cursor. Each press gives the next menu.

On a full board up and down move, ok selects, a player's button selects that side, the bar goes back and the key leaves. On two buttons left
moves up, right moves down and both select, as in the table menu; there the cursor begins on "back" on every page but the first, so that a stray press of
both does no harm. A keyboard's
up, down and Enter always act as on a full board. The first page lists all actions, each in its place; the cursor begins on the common act of the phase. What
cannot be done now stays in its place and says why. The last row switches the machine off, with a confirmation, and never while time counts.
Before an event is made, short lines show what it would change.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu import describe
from firmware.menu.actions import (
    ACTIONS,
    COMMON,
    CREDIT,
    Action,
    Context,
    Menu,
    MenuOption,
    MenuQuestion,
    MenuStep,
    options_of,
    usual_answers,
    why_not,
)
from firmware.menu.describe import listed, particulars, refusal
from firmware.menu.setup import Setup
from firmware.texts import Texts
from game.events import By, Event, Neutralise, NewGame, Withdraw
from game.game import EventNotAllowed, Game, Phase
from game.history import History, accept
from game.table import between_games, is_offered
from rules.duration import reading
from rules.side import Side

POWER_OFF: Final = "power_off"
"""Stands in place of an event's name; the game does not change, so no event is made."""


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


def _differences(before: Game, after: Game, now: int, texts: Texts) -> Iterator[str]:
    for side in Side:
        change = describe.changes(before, after, side, now, texts)
        if change is not None:
            yield texts.say("menu.total", who=texts.say(f"side.{side}"), before=change[0], after=change[1])
    phases = describe.phase(before, texts), describe.phase(after, texts)
    if phases[0] != phases[1]:
        yield texts.say("menu.phase", before=phases[0], after=phases[1])
    yield from _then("menu.turn", _side(before.turn, texts), _side(after.turn, texts), texts)
    yield from _status_changes(before, after, texts)
    yield from _then("menu.window", describe.window(before, now, texts), describe.window(after, now, texts), texts)
    yield from _then("menu.reason", describe.reason(before, texts), describe.reason(after, texts), texts)
    yield from _then("menu.rulebook", texts.render(before.rulebook.title), texts.render(after.rulebook.title), texts)


def _then(key: str, before: str | None, after: str | None, texts: Texts) -> Iterator[str]:
    if before == after:
        return
    change = "begins" if before is None else "ends" if after is None else "becomes"
    yield texts.say(f"{key}.{change}", before=before, after=after)


def _status_changes(before: Game, after: Game, texts: Texts) -> Iterator[str]:
    yield from _side_changes(before.holder, after.holder, ("menu.hold_ends", "menu.hold_begins"), texts)
    yield from _side_changes(before.out_player, after.out_player, ("menu.out_play_ends", "menu.out_play_begins"), texts)
    for key, was, side in (
        ("menu.loses_turn", before.lost_turn, after.lost_turn),
        ("menu.challenges", before.challenger, after.challenger),
        ("menu.loses", before.loser, after.loser),
    ):
        if side is not None and was is not side:
            yield texts.say(key, side=texts.say(f"side.{side}"))
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


def half_made(menu: Menu) -> bool:
    action = _action(menu)
    return action is not None and bool(menu.chosen or menu.amount or not action.steps)


class MenuPage(Struct, frozen=True):
    title: str
    lines: tuple[str, ...]
    options: tuple[MenuOption, ...]
    sentence: str = ""
    cursor: int = 0
    said: str = ""
    """The answer to the last press, or what else would change: it has its place on every page, so that no row moves."""


def page(menu: Menu, history: History, setup: Setup, now: int) -> MenuPage:
    shown = _page_of(_context(menu, history, setup, now))
    return shown if menu.cursor is None else replace(shown, cursor=menu.cursor % len(shown.options))


def _page_of(context: Context) -> MenuPage:
    menu = context.menu
    action = _action(menu)
    if menu.key_off:
        return _key_page(context)
    if menu.action == POWER_OFF:
        return _power_off_page(context)
    if action is None:
        return _first_page(context)
    if menu.asks is not None:
        asked = action.usual[menu.asks]
        return _question(asked, asked.options(context), context)
    if len(menu.chosen) == len(action.steps):
        return _last_page(action, context)
    asked, options = action.steps[len(menu.chosen)], options_of(action, context)
    return _changing_page(action, options, context) if asked.shows_change else _question(asked, options, context)


def proposed(menu: Menu, history: History, setup: Setup, now: int) -> Event | None:
    action = _action(menu)
    if action is None:
        return None
    context = _context(menu, history, setup, now)
    if len(menu.chosen) == len(action.steps):
        return _event(action, menu.chosen, context)
    shown = page(menu, history, setup, now)
    return _shown_event(action, shown.options[shown.cursor], context) if _shows_change(menu) else None


def press_menu(menu: Menu, button: str, history: History, setup: Setup, now: int) -> MenuStep:
    shown, context = page(menu, history, setup, now), _context(menu, history, setup, now)
    move = _moves(setup).get(button)
    if move == "take":
        return _choose(shown.options[shown.cursor], context)
    if move == "back":
        return MenuStep(menu) if menu.action is None else _step_back(context)
    if move is not None:
        return MenuStep(replace(menu, cursor=(shown.cursor + int(move)) % len(shown.options), result=None))
    own = next((option for option in shown.options if option.side is not None and option.side.value == button), None)
    return MenuStep(menu) if own is None else _choose(own, context)


def moves(button: str, setup: Setup) -> bool:
    return _moves(setup).get(button) in ("1", "-1")


def take_row(menu: Menu, row: int, history: History, setup: Setup, now: int) -> MenuStep:
    """Return the result of a mouse or a finger on row number ``row`` of the page at ``now`` (ns); a row that is gone does nothing.

    An answer whose change is shown only at the cursor gets the cursor first.
    """
    moved = replace(menu, cursor=row, result=None)
    options = page(moved, history, setup, now).options
    if row >= len(options):
        return MenuStep(menu)
    if _shows_change(menu) and options[row].step is None and row != page(menu, history, setup, now).cursor:
        return MenuStep(moved)
    return _choose(options[row], _context(moved, history, setup, now))


def with_result(menu: Menu | None, setup: Setup, refused: str | None) -> Menu | None:
    if menu is None or menu.result is None:
        return menu
    result = setup.texts.say("menu.done", what=menu.result) if refused is None else setup.texts.say("menu.refused", why=refused)
    return replace(menu, result=result)


def _context(menu: Menu, history: History, setup: Setup, now: int) -> Context:
    return Context(history, history.game_at(now), now, setup, menu)


def _moves(setup: Setup) -> dict[str, str]:
    full = {"up": "-1", "down": "1", "ok": "take", "centre": "back"}
    # A keyboard on a two-button board has all these buttons, which helps if one of the two is stuck.
    return {**full, "left": "-1", "right": "1"} if setup.two_button else full


def _action(menu: Menu) -> Action | None:
    return None if menu.action is None else _ACTION_BY_NAME.get(menu.action)


def _shows_change(menu: Menu) -> bool:
    action = _action(menu)
    if action is None or menu.asks is not None or len(menu.chosen) == len(action.steps):
        return False
    return action.steps[len(menu.chosen)].shows_change


def _event(action: Action, chosen: tuple[Any, ...], context: Context) -> Event:
    return action.make(*chosen, *(context.menu.unusual or usual_answers(action, context)))


def _shown_event(action: Action, option: MenuOption, context: Context) -> Event | None:
    """Return the event that the cursor's answer makes, or the amount entered so far; None: neither."""
    answer = option.value if option.step is None and not option.why else context.menu.amount or None
    return None if answer is None else _event(action, (*context.menu.chosen, answer), context)


def _first_page(context: Context) -> MenuPage:
    menu, setup, texts = context.menu, context.setup, context.texts
    rows = [
        MenuOption(_row(action, context), action, group=texts.say(f"menu.group.{action.group}"), why=why_not(action, context) or "")
        for action in ACTIONS
    ]
    if setup.screen:
        plays = "" if between_games(context.game) else texts.say("menu.test.plays")
        test = MenuStep(menu, test=True)
        rows.append(MenuOption(texts.say("menu.test.row"), group=texts.say("menu.group.game"), why=plays, step=test))
    if setup.power_off:
        off = MenuStep(Menu(action=POWER_OFF, confirms=menu.confirms))
        rows.append(MenuOption(texts.say("menu.power_off.row"), group=texts.say("menu.group.game"), why=_runs(context), step=off))
    before = _before_the_acts(context)
    # Once an act is done, one press leaves. Both buttons have just opened the door: pressed once more they confirm no times.
    leaves = setup.two_button and (menu.confirms or menu.result)
    cursor = len(before) - 1 if leaves else 0 if menu.confirms else _common_row((*before, *rows), context.game.phase)
    warned = (texts.say("door.no_code"),) if setup.two_button and not setup.code else ()
    return MenuPage(texts.say("menu.title"), warned, (*before, *rows), cursor=cursor, said=menu.result or "")


def _before_the_acts(context: Context) -> tuple[MenuOption, ...]:
    texts = context.texts
    confirm = (MenuOption(texts.say("menu.times_right"), step=MenuStep(Menu(), confirmed=True)),) if context.menu.confirms else ()
    # On a full board the menu stays open until the key is turned off; a two-button board has no key.
    return (*confirm, MenuOption(texts.say("menu.leave"), step=MenuStep(None))) if context.setup.two_button else confirm


def _runs(context: Context) -> str:
    return context.texts.say("menu.power_off.runs") if time_counts(context.game) else ""


def _common_row(options: tuple[MenuOption, ...], phase: Phase) -> int:
    can = {option.value.name: row for row, option in enumerate(options) if isinstance(option.value, Action) and not option.why}
    return next((can[name] for name in COMMON[phase] if name in can), 0)


def _row(action: Action, context: Context) -> str:
    texts = context.texts
    if action.name == "next_game" and is_offered(context.history, context.setup.offered):
        return texts.say("menu.action.next_game_offered")
    named = texts.say(f"menu.action.{action.name}")
    due = (option.text for option in CREDIT.options(context) if not option.why)
    return listed(named, due, texts) if action.name == "credit" else named


def _question(asked: MenuQuestion, options: tuple[MenuOption, ...], context: Context) -> MenuPage:
    back, title, said = _back(context), _titled(asked.title, context), context.menu.result or ""
    if context.setup.two_button or not asked.preselects:
        return MenuPage(title, (), (back, *options), said=said)
    cursor = next((row for row, option in enumerate(options) if not option.why), 0)
    return MenuPage(title, (), (*options, back), cursor=cursor, said=said)


def _changing_page(action: Action, answers: tuple[MenuOption, ...], context: Context) -> MenuPage:
    """Return the page whose answers show what they change: taking one makes the event."""
    menu, texts = context.menu, context.texts
    title, side = _titled(action.steps[len(menu.chosen)].title, context), menu.chosen[0]
    options = (_back(context), *answers, *_usual_rows(action, context))
    event = _shown_event(action, options[(menu.cursor or 0) % len(options)], context)
    if event is not None:
        sentence, *changes = preview(context.history, event, context.now, context.setup)
        return MenuPage(title, (), options, sentence, said=menu.result or " · ".join(changes))
    points = context.game.accounts.of(side).points
    if menu.action == "points":
        reads = describe.signed_points(points, texts) if points else "0"
    else:
        reads = describe.half(context.game, side, context.now, texts)
    sentence = texts.say("menu.reads", who=texts.say(f"side.{side}"), reading=reads)
    return MenuPage(title, (), options, sentence, said=menu.result or "")


def _last_page(action: Action, context: Context) -> MenuPage:
    texts, event = context.texts, _event(action, context.menu.chosen, context)
    refused = ""
    try:
        sentence, *changes = preview(context.history, event, context.now, context.setup)
    except EventNotAllowed as error:
        refused = refusal(error, context.game, context.now, texts)
        sentence, changes = texts.say("menu.refused", why=refused), []
    if isinstance(event, Withdraw) and not context.game.rulebook.challenge.may_withdraw:
        changes.append(texts.say("menu.forbidden"))
    confirm = MenuOption(texts.say("menu.confirm"), why=refused, step=_make(action, context))
    options = (_back(context), confirm, *_usual_rows(action, context))
    lines = (*_details_line(event, context), *changes)
    return MenuPage(_titled("menu.step.confirm", context), lines, options, sentence, said=context.menu.result or "")


def _usual_rows(action: Action, context: Context) -> Iterator[MenuOption]:
    answers = context.menu.unusual or usual_answers(action, context)
    for place, (asked, answer) in enumerate(zip(action.usual, answers, strict=True)):
        text = next(option.text for option in asked.options(context) if option.value == answer)
        yield context.stays(context.texts.say("menu.usual", asked=context.texts.say(asked.title), answer=text), asks=place, cursor=None)


def _power_off_page(context: Context) -> MenuPage:
    texts = context.texts
    title = texts.say("menu.titled", what=texts.say("menu.power_off.row"), asked=texts.say("menu.step.confirm"))
    off = MenuStep(Menu(confirms=context.menu.confirms), power_off=True)
    options = (_back(context), MenuOption(texts.say("menu.power_off.now"), why=_runs(context), step=off))
    return MenuPage(title, (texts.say("menu.power_off.kept"),), options, said=context.menu.result or "")


def _key_page(context: Context) -> MenuPage:
    menu, texts = context.menu, context.texts
    sides = (texts.say(f"side.{answer}") for answer in menu.chosen if isinstance(answer, Side))
    sentence = texts.say("menu.key_off.undone", what=listed(texts.say(f"menu.action.{menu.action}"), sides, texts))
    leave = MenuOption(texts.say("menu.key_off.leave"), step=_step_back(context))
    return MenuPage(texts.say("menu.key_off.title"), (), (leave,), sentence)


def _titled(key: str, context: Context) -> str:
    texts = context.texts
    return texts.say("menu.titled", what=texts.say(f"menu.action.{context.menu.action}"), asked=texts.say(key))


def _back(context: Context) -> MenuOption:
    return MenuOption(context.texts.say("menu.back"), step=_step_back(context))


def _details_line(event: Event, context: Context) -> tuple[str, ...]:
    first, *rest = particulars(event, context.history, context.texts) or ("",)
    return (listed(first, iter(rest), context.texts),) if first else ()


def _step_back(context: Context) -> MenuStep:
    menu = context.menu
    if menu.key_off or menu.action is None:
        return MenuStep(None)
    action, menu = _action(menu), replace(menu, result=None, cursor=None)
    if menu.asks is not None:
        return MenuStep(replace(menu, asks=None))
    if menu.fine:
        return MenuStep(replace(menu, fine=False, amount=0))
    asked = [
        index
        for index in range(len(menu.chosen))
        if action is not None and action.steps[index].applies(_having(menu.chosen[:index], context))
    ]
    if asked:
        return MenuStep(replace(menu, chosen=menu.chosen[: asked[-1]], amount=0, unusual=()))
    # The row to switch off is the last one, after that of the test.
    row = len(ACTIONS) + context.setup.screen if action is None else ACTIONS.index(action)
    return MenuStep(Menu(cursor=len(_before_the_acts(context)) + row, confirms=menu.confirms))


def _having(chosen: tuple[Any, ...], context: Context) -> Context:
    return replace(context, menu=replace(context.menu, chosen=chosen))


def _choose(option: MenuOption, context: Context) -> MenuStep:
    if option.why:
        return MenuStep(replace(context.menu, result=context.texts.say("menu.refused", why=option.why)))
    return option.step or _answer(option.value, context)


def _answer(value: Any, context: Context) -> MenuStep:
    menu = context.menu
    if isinstance(value, Action):
        return _made_or_asked(value, Menu(action=value.name, confirms=menu.confirms), context, makes=not value.asks_confirmation)
    action = _ACTION_BY_NAME[menu.action or ""]
    if menu.asks is not None:
        answers = list(menu.unusual or usual_answers(action, context))
        answers[menu.asks] = value
        return MenuStep(replace(menu, unusual=tuple(answers), asks=None, cursor=None, result=None))
    answered = replace(menu, chosen=(*menu.chosen, value), cursor=None, amount=0, fine=False, result=None)
    return _made_or_asked(action, answered, context, makes=not action.asks_confirmation or _shows_change(menu))


def _made_or_asked(action: Action, menu: Menu, context: Context, *, makes: bool) -> MenuStep:
    """Return the step to the next question that applies; after the last one, to the event if it ``makes`` it at once."""
    for step in action.steps[len(menu.chosen) :]:
        asked = replace(context, menu=menu)
        if step.applies(asked):
            break
        menu = replace(menu, chosen=(*menu.chosen, step.default(asked)))
    return _make(action, replace(context, menu=menu)) if makes and len(menu.chosen) == len(action.steps) else MenuStep(menu)


def _make(action: Action, context: Context) -> MenuStep:
    menu, texts = context.menu, context.texts
    event = _event(action, menu.chosen, context)
    result = listed(texts.say(f"menu.action.{action.name}"), iter(particulars(event, context.history, texts)), texts)
    # Stopping cannot wait; the reason may follow.
    asks = "reason" if isinstance(event, Neutralise) else None
    return MenuStep(Menu(action=asks, result=result, confirms=menu.confirms), event)
