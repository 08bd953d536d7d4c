"""What a press does to the state at its first edge, at each stage that it is held to, and when it is let go. Instants in ns.

The director's come first: the key, the door of a two-button board, and the menu behind them.
"""

from typing import Final

from msgspec.structs import replace

from firmware.gestures import table_presses
from firmware.gestures.clock_state import (
    CLOSED_NS,
    STUCK_NS,
    Answer,
    ClockState,
    CodeDoor,
    Stroke,
    act_with,
    apply_event,
    asks_both,
    closed,
    confirm,
    with_answer,
    with_stroke,
    without_act,
)
from firmware.gestures.meaning import (
    DOOR,
    STAGE_NS,
    WAYS_BACK,
    Act,
    Does,
    Meaning,
    Offers,
    Says,
    Stages,
    announced,
    bar,
    counts_to_an_end,
    own_button,
)
from firmware.menu.actions import Menu, MenuStep
from firmware.menu.menu import half_made, moves, page, press_menu, take_row, with_result
from firmware.table_menu.actions import PageKind, opened, owed
from firmware.table_menu.pages import keeping, kind_of
from firmware.texts import message
from game.events import Arrive, By, Call, Challenge, GameEvent, Neutralise, Press
from game.game import EventNotAllowed, Phase
from rules.contact import MS
from rules.duration import NS
from rules.side import Side

ASKING_NS: Final = 20 * NS
MIN_PRESSES: Final = 4
MAX_PRESSES: Final = 12


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
    if state.menu is None or not half_made(state.menu):
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
    menu = Menu(confirms=state.frozen is not None)
    return replace(state, menu=menu, menu_closes_at=closes_at, table_menu=None, door=None, asks_ok=False)


def _in_directors_menu(state: ClockState, menu: Menu, stroke: Stroke) -> ClockState:
    # Both buttons of a two-button board are its ok.
    button = "ok" if stroke.is_chord else stroke.buttons[0]
    if moves(button, state.setup):
        state = with_stroke(state, replace(stroke, repeats=0))
    return _pressed(state, menu, button, stroke.at)


def _repeat_in_directors_menu(state: ClockState, menu: Menu, stroke: Stroke, at: int) -> ClockState:
    count = stroke.repeats or 0
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
        return replace(state, menu=step.menu, power_off=state.power_off or step.power_off, test_asked=step.test)
    try:
        state, refused = apply_event(state, step.event, at, By.DIRECTOR), None
    except EventNotAllowed as error:
        refused = error.why
    return replace(state, menu=with_result(step.menu, state.setup, refused))


def _at_door(state: ClockState, door: CodeDoor, stroke: Stroke) -> ClockState:
    at, side = stroke.held_from, stroke.side
    if side is None and not stroke.is_chord:
        return state
    if side is None:
        door = replace(door, checking=door.checking or len(door.entered) >= MIN_PRESSES)
    elif not door.checking and at >= state.shut_until:
        door = replace(door, entered=(door.entered + ("1" if side is Side.LEFT else "2"))[:MAX_PRESSES], wrong=False)
    return replace(with_stroke(state, stroke), door=replace(door, closes_at=at + ASKING_NS))


def code_checked(state: ClockState, at: int, *, right: bool) -> ClockState:
    if right:
        return open_menu(replace(state, wrong_codes=0, code_tried_at=0), at)
    return replace(state, wrong_codes=state.wrong_codes + 1, code_tried_at=at, door=CodeDoor(at + ASKING_NS, wrong=True))


ANSWERS_NS: Final = 2000 * MS
ACTS_NS: Final = 10_000 * MS


def began(state: ClockState, stroke: Stroke, *, beside_stuck: bool) -> ClockState:
    """Return the state after the press ``stroke`` began; ``beside_stuck``: the other player button is stuck."""
    if state.menu is not None:
        return _in_directors_menu(state, state.menu, stroke)
    if stroke.buttons == ("ok",) and state.asks_ok:
        return open_menu(state, stroke.at)
    if stroke.side is None and not stroke.is_bar:
        return state
    if state.door is not None:
        return _at_door(state, state.door, stroke)
    state = table_presses.without_agreeing(state) if stroke.is_bar else state
    menu = state.table_menu
    # Where both agree, the page says that any press means no.
    if menu is not None and (asks_both(state) or stroke.side not in keeping(stroke.game)):
        return table_presses.in_menu(state, menu, stroke, beside_stuck=beside_stuck)
    short, stages = _meant(state, stroke, beside_stuck=beside_stuck)
    if menu is not None:
        # A player's button that keeps its meaning closes the menu.
        stages, state = (), replace(state, table_menu=None)
    if state.frozen is not None:
        # While the times of a power cut wait for the director, players open the door and do nothing else.
        return with_stroke(state, replace(stroke, stages=tuple(stage for stage in stages if stage is DOOR)))
    way_back = any(answer.message.key in WAYS_BACK and stroke.at < answer.until for answer in state.answers)
    return _with_short(state, replace(stroke, short=short, stages=stages, way_back=way_back))


def _meant(state: ClockState, stroke: Stroke, *, beside_stuck: bool) -> tuple[Meaning, Stages]:
    game, instant, side = stroke.game, state.instant(stroke.at), stroke.side
    # It was meant for the page that has just closed by itself, unless the button kept its meaning there.
    guarded = game.running is None and state.closed_at is not None and stroke.at < state.closed_at + CLOSED_NS
    if side is None:
        door = stroke.is_chord and state.setup.two_button
        short, stages = bar(
            game, instant, state.offer, menu=state.setup.screen or game.result is not None or owed(game, state.setup), door=door
        )
        if isinstance(short, Says) and owed(game, state.setup):
            # Before the wait for the next game comes the result of this one.
            short = Says(message("prompt.sign"))
        return Says(message("answer.just_closed")) if guarded and isinstance(short, Does) else short, stages
    short, stages = own_button(game, side, instant, state.offer, beside_stuck=beside_stuck)
    if (guarded or _answered_beside(state, stroke, side)) and side not in keeping(game):
        # During a challenge it only offers, which records nothing.
        return short if isinstance(short, Offers) else Says(message("answer.just_closed")), ()
    if game.phase is Phase.OVER and state.setup.results:
        # There is no slip to wait for.
        short = Says(message("prompt.sign")) if owed(game, state.setup) else None
    return short, stages


def _answered_beside(state: ClockState, stroke: Stroke, side: Side) -> bool:
    """Return whether another button has just answered, or still answers, a page that asks either player: the press was meant for it."""
    beside = ((each, kind_of(each.page or ())) for each in state.strokes.values() if each.side is not side)
    return any(
        stroke.at < each.at + (STAGE_NS[each.stage] if each.over else STUCK_NS)
        for each, kind in beside
        # The bar's press on the other pages only goes back or closes.
        if kind is PageKind.AGREE or (each.side is not None and (kind is PageKind.WHO or (kind is PageKind.CALLED and each.stage)))
    )


def _with_short(state: ClockState, stroke: Stroke) -> ClockState:
    state = with_stroke(state, stroke)
    match stroke.short:
        case Does(event):
            return _announcing(act_with(state, stroke, event), stroke, event, stroke.at)
        case Says(said):
            # It stands in the place of what says that a page has closed, and for as long: until then no half names what its button does.
            return with_answer(state, Answer(stroke.side, said, max(stroke.at + ANSWERS_NS, (state.closed_at or 0) + CLOSED_NS)))
        case _:
            return state


def _announcing(state: ClockState, stroke: Stroke, event: GameEvent, at: int) -> ClockState:
    """Return the state with what ``event``, if ``stroke`` has made it, is announced as from ``at`` (ns) on."""
    said = announced(stroke.game, state.history.game, event, held=at - stroke.at >= STAGE_NS[0]) if state.history.event is event else None
    for side, sentence in () if said is None else said.items():
        state = with_answer(state, Answer(side, sentence, at + ACTS_NS))
    return state


def hold_on(state: ClockState, stroke: Stroke, at: int) -> ClockState:
    """Return the state in which the press ``stroke`` has been held to its next stage, at ``at`` (ns)."""
    does = stroke.stages[stroke.stage].does
    stroke = replace(stroke, stage=stroke.stage + 1)
    state = with_stroke(state, stroke)
    match does:
        case Act.TABLE_MENU:
            # A clock that the bar has stopped stays stopped.
            stopped = stroke.acted and isinstance(state.history.event, Neutralise)
            state = state if stopped else without_act(state, stroke)
            return table_presses.opened_by_the_bar(state, at, "take_back" if stroke.way_back else None)
        case Act.OUT_PLAY:
            # One lean on a button must not start the seconds that end a game: it only asks.
            state = without_act(state, stroke)
            return replace(state, table_menu=opened(state.game_at(at), ("out_play",), asked=stroke.side))
        case Act.NEXT_GAME:
            return replace(state, table_menu=None)
        case Act.DOOR:
            return _open_door(state, stroke, at)
        case Act.SIGN:
            return table_presses.sign(state, stroke)
        case event:
            return _announcing(act_with(replace(state, table_menu=None), stroke, event), stroke, event, at)


def repeat(state: ClockState, stroke: Stroke, at: int) -> ClockState:
    """Return the state in which a button that is held has moved on at ``at`` (ns)."""
    return table_presses.repeat(state, stroke, at) if state.menu is None else _repeat_in_directors_menu(state, state.menu, stroke, at)


def _open_door(state: ClockState, stroke: Stroke, at: int) -> ClockState:
    """Open the director's door; what was called is gone, but what the stroke stopped stays stopped: at the door no press plays."""
    stops = None if state.frozen is not None else _stop_for_the_door(stroke)
    state = without_act(state, stroke) if stops is None else act_with(state, stroke, stops)
    over = replace(state.strokes[stroke.buttons[0]], over=True)
    state = replace(with_stroke(state, over), table_menu=None)
    return replace(state, door=CodeDoor(at + ASKING_NS)) if state.setup.code else open_menu(state, at)


def _stop_for_the_door(stroke: Stroke) -> GameEvent | None:
    """Return the event that stops what counts to an end, in the state at the first edge; None: nothing counts, or one button cannot stop it."""
    game = stroke.game
    if game.phase in (Phase.RUNNING, Phase.HOLD):
        return Neutralise()
    if not stroke.is_chord:
        return None
    if game.phase is Phase.OUT_PLAY and game.rulebook.out_play_ends_game:
        return Challenge()
    return Arrive(game.absent[0]) if game.phase is Phase.LATE and len(game.absent) == 1 else None


def let_go(state: ClockState, stroke: Stroke, at: int) -> ClockState:
    state = with_stroke(state, replace(stroke, over=True))
    menu = state.table_menu
    if stroke.agrees:
        # A player has let go too soon.
        return state if menu is None or menu.path != stroke.page else table_presses.gone_back(state, menu, at)
    if stroke.reached is not None and stroke.reached.does is Act.NEXT_GAME and at - stroke.at < STUCK_NS:
        return table_presses.let_next_game_begin(state, at)
    if isinstance(stroke.short, Offers) and not stroke.stage and state.history.game.phase is Phase.ADJUDICATION:
        # Now, not at the first edge: held, the bar takes the offer on the display, not the next one.
        # The bar, held for a second, takes the offer then, and leads to no way back that an answer may name.
        return replace(state, offer=stroke.short.event, answers=())
    if stroke.acted and stroke.stages == () and STAGE_NS[0] <= at - stroke.at < STUCK_NS and isinstance(state.history.event, Press):
        # The player on turn holds the own button as the waiting one does for a hold, and has ended the turn.
        return _announcing(state, stroke, state.history.event, at)
    return state
