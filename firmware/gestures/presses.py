"""Presses from contact edges and passing time, in order: what each does at once, and how a chord, holding on or letting go changes that.

``edge`` applies a contact edge, ``tick`` lets time pass, ``next_due`` returns the next instant for ``tick``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from firmware.gestures import clock_state, director_presses, table_presses
from firmware.gestures.clock_state import ClockState, replace_stroke, settled, with_answer, with_change, with_history, with_stroke
from firmware.gestures.director_presses import key_off, key_on
from firmware.gestures.lapsing import Answer, following
from firmware.gestures.meaning import Does, Meaning, Says, announced, bar, bar_stages, door_stage, own_button, own_stages, stuck_stages
from firmware.gestures.stroke import (
    PLAYER_BUTTONS,
    STUCK_NS,
    Act,
    ButtonState,
    Pair,
    Stages,
    Stroke,
    TableBefore,
    chord_due,
    may_become_chord,
    pair_of,
    put_instead,
    taken_back,
    undone,
)
from firmware.gestures.table_presses import agree, agree_due, reopened, repeat, without_agreeing
from firmware.table_menu.value import opened
from firmware.texts import message
from game.events import Challenge, GameEvent, Neutralise, Press
from game.game import Game, Phase
from rules import contact as contacts
from rules.contact import BOUNCE_NS, MS, PRESS_NS, Began, Ended, Signal
from rules.side import Side

ANSWERS_NS: Final = 2000 * MS
"""A press that does nothing is answered for so long."""
STILL_MEANT_NS: Final = 1000 * MS
"""A player's press so soon after a menu has closed by itself was meant for the menu: it starts no clock that stands."""
ACTS_NS: Final = 6000 * MS
"""An act that a hand may not have meant is named for so long."""


def began(table: ClockState, button: str, at: int) -> ClockState:
    """Process a press of ``button`` that began at ``at`` (ns)."""
    if button == "key":
        return director_presses.key_on(table, at)
    if table.menu is not None:
        return director_presses.in_menu(table, table.menu, button, at)
    if table.menu_left_at is not None and at < table.menu_left_at:
        # Pressed while the menu was open, but detected only after the key was turned off.
        return table
    if button == "ok" and table.asks_ok:
        return director_presses.open_menu(table, at)
    if table.door is not None:
        return director_presses.at_door(table, table.door, button, at)
    return _at_table(table, button, at)


def _at_table(table: ClockState, button: str, at: int) -> ClockState:
    side = PLAYER_BUTTONS.get(button)
    if side is None and button != "centre":
        return table
    if side is None:
        table = without_agreeing(table)
    menu = table.table_menu
    if menu is not None and at >= menu.opened_at and not table_presses.keeps_meaning(table, side, at):
        return table_presses.in_menu(table, menu, button, at)
    return _bar(table, at) if side is None else _player(table, side, at)


def _player(table: ClockState, side: Side, at: int) -> ClockState:
    instant = table.instant(at)
    game = table.history.game_at(instant)
    if game.running is None and table.closed_at is not None and table.closed_at <= at < table.closed_at + STILL_MEANT_NS:
        return _pressed(table, side, at, Says(message("closed.menu")), ())
    short = own_button(game, side, instant)
    stages = own_stages(game, side, short)
    if table.setup.two_button and table.button_state.stuck(side.other.value, at):
        stages = stuck_stages(game, short, stages)
    return _pressed(table, side, at, short, stages)


def _bar(table: ClockState, at: int) -> ClockState:
    instant = table.instant(at)
    game = table.history.game_at(instant)
    return _pressed(table, None, at, bar(game), bar_stages(game, instant, table.offer, menu=table.setup.screen, door=False))


def _pressed(table: ClockState, side: Side | None, at: int, short: Meaning, stages: Stages) -> ClockState:
    """Set a new stroke of a player's button or the centre one, and apply its short meaning at once."""
    stroke = Stroke(("centre",) if side is None else (side.value,), at, at, _before(table, at), stages=stages)
    if table.table_menu is not None and at >= table.table_menu.opened_at:
        # A player's button that keeps its meaning closes the menu; on a page to agree on, it also counts as agreeing.
        stroke = replace(stroke, agrees=table_presses.agreeing_path(table, at), stages=())
        table = replace(table, table_menu=None)
    other = None if side is None else table.button_state.strokes.get(side.other.value)
    if other is not None and other.agrees is not None and not other.over:
        # The other player's press on that page has closed it.
        stroke = replace(stroke, agrees=other.agrees, stages=())
    return _with_meaning(table, stroke, short)


def _with_meaning(table: ClockState, stroke: Stroke, short: Meaning) -> ClockState:
    """Set ``stroke`` and apply its short meaning; while the times of a power cut wait for the director, players do nothing."""
    if table.frozen is not None:
        doors = tuple(door_stage() for stage in stroke.stages if stage.does is Act.DOOR)
        return with_stroke(table, replace(stroke, stages=doors))
    history, numbers = table.history, stroke.numbers
    if isinstance(short, Does):
        history, numbers = put_instead(history, numbers, short.event, table.instant(stroke.at))
    elif numbers:
        history, numbers = taken_back(history, numbers), ()
    stroke = stroke.acted(table.history, history, numbers)
    changed = with_change(table, history, stroke.held_from, stroke.buttons)
    if isinstance(short, Says):
        where = None if stroke.is_bar else PLAYER_BUTTONS[stroke.buttons[0]]
        changed = with_answer(changed, Answer(where, short.message, stroke.at + ANSWERS_NS))
    if isinstance(short, Does) and history is not table.history:
        changed = _announcing(changed, stroke.before.game, short.event, stroke.at)
    return with_stroke(changed, stroke)


def _announcing(table: ClockState, before: Game, event: GameEvent, at: int) -> ClockState:
    """Return the table with what ``event``, made in ``before``, is announced as from ``at`` (ns) on."""
    said = announced(before, event)
    for side, sentence in () if said is None else said.items():
        table = with_answer(table, Answer(side, sentence, at + ACTS_NS))
    return table


def _before(table: ClockState, at: int) -> TableBefore:
    return TableBefore(table.game_at(at), table.offer, table.table_menu, table.door)


def become_chord(table: ClockState) -> ClockState:
    """Turn the pair of presses in progress into one press of the bar at the first edge; what either did alone is taken back."""
    pair = pair_of(table.button_state)
    return table if pair is None else _chord(table, pair)


def _chord(table: ClockState, pair: Pair) -> ClockState:
    first, second = pair
    before = first.before
    without_second = undone(table.history, second)
    alone = undone(without_second, first)
    table = replace(table, answers=tuple(each for each in table.answers if each.where is None))
    stroke = Stroke((first.buttons[0], second.buttons[0]), first.at, second.at, before)
    if before.door is not None:
        return director_presses.hand_in(with_stroke(with_history(table, alone), stroke), before.door, second.at)
    if before.table_menu is not None and first.at >= before.table_menu.opened_at:
        doors = (door_stage(),) if table.setup.two_button else ()
        restored = replace(with_history(table, alone), table_menu=table_presses.reopened(before.table_menu, second.at))
        return table_presses.take(with_stroke(restored, replace(stroke, stages=doors)), before.table_menu, first.at)
    instant = table.instant(first.at)
    game = alone.game_at(instant)
    stages = bar_stages(game, instant, before.offer, menu=table.setup.screen, door=table.setup.two_button)
    stroke = replace(stroke, before=replace(before, game=game), stages=stages, numbers=first.numbers)
    table = _with_meaning(with_history(table, without_second), stroke, bar(game))
    # The first button alone may have ended the adjudication for a moment, and with it the offer.
    return replace(table, offer=before.offer) if table.history.game.phase is Phase.ADJUDICATION else table


def hold_on(table: ClockState, stroke: Stroke) -> ClockState:
    """Process a stroke that is held long enough to reach its next stage."""
    stage, at = stroke.next_stage, stroke.deadline
    if stage is None or at is None:
        return table
    reached = replace(stroke, stage=stroke.stage + 1)
    match stage.does:
        case Act.TABLE_MENU:
            return _open_table_menu(table, stroke, reached, at)
        case Act.OUT_PLAY:
            return _ask_for_out_play(table, stroke, reached, at)
        case Act.NEXT_GAME:
            return replace(replace_stroke(table, stroke, reached), table_menu=None)
        case Act.DOOR:
            return _open_door(table, stroke, reached, at)
        case Act.STOP:
            event = Neutralise()
        case event:
            pass
    history, numbers = put_instead(table.history, stroke.numbers, event, table.instant(stroke.at))
    changed = with_change(replace(table, table_menu=None), history, at, stroke.buttons)
    if history is not table.history:
        changed = _announcing(changed, stroke.before.game, event, at)
    return replace_stroke(changed, stroke, reached.acted(table.history, history, numbers))


def _open_table_menu(table: ClockState, stroke: Stroke, reached: Stroke, at: int) -> ClockState:
    """Open the table menu; a clock that the bar stopped stays stopped, any other short meaning is taken back."""
    history, numbers = table.history, stroke.numbers
    links = (table.history.find(number) for number in numbers)
    if not any(link is not None and isinstance(link.event, Neutralise) for link in links):
        history, numbers = undone(history, stroke), ()
    changed = with_change(table, history, at, stroke.buttons)
    changed = replace_stroke(changed, stroke, reached.acted(table.history, history, numbers))
    return replace(
        changed, table_menu=opened(changed.game_at(at), at, chosen="take_back" if _announces_a_press(table, stroke.at) else None)
    )


def _announces_a_press(table: ClockState, at: int) -> bool:
    """Return whether the halves name at ``at`` (ns) a press that a hand may not have meant: its sentence points to the row that takes it back."""
    began = table.instant(at)
    last = next(link for link in table.history.until(began) if not isinstance(link.event, Neutralise))
    if not isinstance(last.event, Press) or last.before is None or last.at + ACTS_NS <= began:
        return False
    return announced(last.before.game_at(last.at), last.event) is not None


def _ask_for_out_play(table: ClockState, stroke: Stroke, reached: Stroke, at: int) -> ClockState:
    """Take the short press back and ask who has played out: one lean on a button must not start the seconds that end a game."""
    history = undone(table.history, stroke)
    changed = replace_stroke(with_change(table, history, at, stroke.buttons), stroke, reached.acted(table.history, history, ()))
    return replace(changed, table_menu=opened(changed.game_at(at), at, ("out_play",)))


def _open_door(table: ClockState, stroke: Stroke, reached: Stroke, at: int) -> ClockState:
    """Open the director's door; what was called is taken back, but what the stroke stopped stays stopped: at the door no press plays."""
    history, numbers = table.history, stroke.numbers
    stops = None if table.frozen is not None else _stop_for_the_door(stroke)
    if stops is not None:
        history, _ = put_instead(history, numbers, stops, table.instant(stroke.at))
    else:
        history = undone(history, stroke)
    changed = with_change(table, history, at, stroke.buttons)
    changed = replace_stroke(changed, stroke, replace(reached, numbers=(), over=True))
    return director_presses.knock(replace(changed, table_menu=None), at)


def _stop_for_the_door(stroke: Stroke) -> GameEvent | None:
    """Return the event that stops what counts to an end, in the state at the first edge; None: nothing counts, or one button cannot stop it."""
    game = stroke.before.game
    if game.phase in (Phase.RUNNING, Phase.HOLD):
        return Neutralise() if stroke.numbers else None
    if not stroke.is_chord:
        return None
    if game.phase is Phase.OUT_PLAY and game.rulebook.out_play_ends_game:
        return Challenge()
    meaning = bar(game)
    return meaning.event if game.phase is Phase.LATE and isinstance(meaning, Does) else None


def ended(table: ClockState, button: str, ended: Ended) -> ClockState:
    """Process the release of ``button``."""
    stroke = table.button_state.strokes.get(button)
    if button == "key" or stroke is None or stroke.over:
        return table
    pair = pair_of(table.button_state)
    if pair is not None and _released(table.button_state, pair, ended) >= pair.due:
        table = _chord(table, pair)
        stroke = table.button_state.strokes.get(button, stroke)
    released = _released(table.button_state, (stroke,), ended)
    while not stroke.over and (deadline := stroke.deadline) is not None and deadline <= released:
        table = hold_on(table, stroke)
        stroke = table.button_state.strokes[button]
    while not stroke.over and (repeat := stroke.repeat_at) is not None and repeat <= released:
        table = table_presses.repeat(table, stroke)
        stroke = table.button_state.strokes[button]
    return table if stroke.over else _let_go(agree(table, released), button, released)


def _let_go(table: ClockState, button: str, released: int) -> ClockState:
    stroke = table.button_state.strokes.get(button)
    if stroke is None or stroke.over:
        return table
    reached = stroke.stages[stroke.stage - 1].does if stroke.stage else None
    table = replace_stroke(table, stroke, replace(stroke, over=True))
    if stroke.agrees is not None:
        return table_presses.back_from_agreeing(table, stroke)
    if reached is Act.NEXT_GAME and stroke.live and released - stroke.at < STUCK_NS:
        return table_presses.begin_next_game(table, released)
    offers = stroke.is_bar and stroke.stage == 0 and stroke.before.game.phase is Phase.ADJUDICATION and stroke.before.table_menu is None
    return _offer_next(table, stroke.at) if offers and table.frozen is None and stroke.before.door is None else table


def _released(button_state: ButtonState, strokes: tuple[Stroke, ...], ended: Ended) -> int:
    """Return when the first button of the strokes was released: another one may be up already but unsettled."""
    rising = (button_state.contact(button) for stroke in strokes for button in stroke.buttons)
    return min([ended.released_at, *(contact.released_at for contact in rising if contact.pressed and not contact.down)])


def _offer_next(table: ClockState, at: int) -> ClockState:
    """Offer the next verdict after a short press of the bar that began at ``at``; strokes that began later get the next offer.

    This happens on release, not on press: holding the bar accepts the offer on the display, not the next one.
    """
    game = table.history.game
    for stroke in set(table.button_state.strokes.values()):
        if stroke.at > at and stroke.is_bar and stroke.before.game.phase is Phase.ADJUDICATION:
            offer = following(stroke.before.offer, game.rulebook)
            stages = bar_stages(
                stroke.before.game,
                table.instant(stroke.at),
                offer,
                menu=table.setup.screen,
                door=stroke.is_chord and table.setup.two_button,
            )
            table = replace_stroke(table, stroke, replace(stroke, before=replace(stroke.before, offer=offer), stages=stages))
    return replace(table, offer=following(table.offer, game.rulebook)) if game.phase is Phase.ADJUDICATION else table


SETTLED_NS: Final = BOUNCE_NS + PRESS_NS
"""A press is detected at most this long after its first edge."""
_SETTLE, _CONTACT, _SIGNAL, _CHORD, _AGREE, _STAGE, _REPEAT = range(7)
"""What is due, in the order of one instant: a chord is decided before a fill is full."""


def edge(table: ClockState, button: str, at: int, *, down: bool) -> ClockState:
    """Return the table after a contact edge of ``button`` at ``at`` (ns), advanced to ``at`` first."""
    # A fill that would be full now waits for this edge, which may begin a chord.
    table = _advanced(table, at, stages_until=at - 1)
    moved = contacts.edge(table.button_state.contact(button), at, down=down)
    table = replace(table, button_state=_with_contact(table.button_state, button, moved))
    if table.table_menu is not None:
        table = replace(table, table_menu=reopened(table.table_menu, at))
    if button == "key" and moved.pressed:
        # The switch may bounce after it was detected as on; off leaves the menu at once.
        return key_on(table, at) if down else key_off(table, at)
    return table


def tick(table: ClockState, now: int) -> ClockState:
    """Return the table at ``now`` (ns): all that presses and passing time have come to by then is processed, each at its own instant."""
    return _advanced(table, now, stages_until=now)


def next_due(table: ClockState) -> int | None:
    """Return the next instant (ns) with work for ``tick``, or None."""
    ripe = min(_ripening(table), default=None)
    return None if ripe is None else ripe[0]


def _advanced(table: ClockState, now: int, *, stages_until: int) -> ClockState:
    while True:
        ripe = min((each for each in _ripening(table) if each[1] < _STAGE or each[0] <= stages_until), default=None)
        if ripe is None or ripe[0] > now:
            return table
        at, what, button = ripe
        table = _done(table, what, button, at)
        table = _process_signals(settled(table, _known_until(table.button_state, at)), at)


def _done(table: ClockState, what: int, button: str, at: int) -> ClockState:
    if what == _CONTACT:
        return _ripen(table, button)
    if what == _CHORD:
        return become_chord(table)
    if what == _AGREE:
        return agree(table, at)
    if what == _STAGE:
        return hold_on(table, table.button_state.strokes[button])
    return repeat(table, table.button_state.strokes[button]) if what == _REPEAT else table


def _ripening(table: ClockState) -> Iterator[tuple[int, int, str]]:
    button_state = table.button_state
    settling = clock_state.next_due(table)
    if settling is not None:
        yield max([settling, *(first + SETTLED_NS for first in _unsettled(button_state) if first < settling)]), _SETTLE, ""
    for button, contact in button_state.contacts.items():
        if contact.due is not None:
            yield contact.due, _CONTACT, button
    for button, signal in button_state.signals:
        yield _signal_due(button_state, signal), _SIGNAL, button
    chord, agreed = chord_due(button_state), agree_due(button_state)
    if chord is not None:
        yield chord, _CHORD, ""
    if agreed is not None:
        yield agreed, _AGREE, ""
    for button, stroke in button_state.strokes.items():
        if stroke.buttons[0] == button and not stroke.over:
            yield from _held(button_state, button, stroke)


def _held(button_state: ButtonState, button: str, stroke: Stroke) -> Iterator[tuple[int, int, str]]:
    for deadline, what in ((stroke.deadline, _STAGE), (stroke.repeat_at, _REPEAT)):
        if deadline is not None and (sure := _held_for_sure(button_state, stroke, deadline)) is not None:
            yield sure, what, button


def _held_for_sure(button_state: ButtonState, stroke: Stroke, deadline: int) -> int | None:
    """Return the instant (ns) at which ``stroke`` reaches ``deadline``: once it is certain that it is held, and what came before is known."""
    pair = pair_of(button_state)
    if pair is not None and any(each is stroke for each in pair):
        return None
    sure = button_state.held_for_sure(stroke, deadline)
    waits = may_become_chord(button_state, stroke, deadline)
    return None if sure is None else max(sure, _others_settle(button_state, stroke, deadline), waits or sure)


def _others_settle(button_state: ButtonState, stroke: Stroke, deadline: int) -> int:
    """Return the instant (ns) from which no other button that moved before ``deadline`` is unsettled: its press may end this one's fill."""
    # The contacts of a stroke have settled.
    return max((first + SETTLED_NS for first in _unsettled(button_state) if first < deadline), default=deadline)


def _unsettled(button_state: ButtonState) -> Iterator[int]:
    """Yield the first edges (ns) of the contacts that may be presses but are not detected yet."""
    return (each.began_at for each in button_state.contacts.values() if each.began_at is not None and not each.pressed)


def _known_until(button_state: ButtonState, at: int) -> int:
    """Return the instant (ns) up to which all presses are detected at ``at``: what closes by itself after a first edge waits for that press."""
    unsettled = (first for first in _unsettled(button_state) if at < first + SETTLED_NS)
    return min([at, *unsettled, *(signal.at for _, signal in button_state.signals if isinstance(signal, Began))])


def _ripen(table: ClockState, button: str) -> ClockState:
    contact, signal = contacts.ripen(table.button_state.contact(button))
    button_state = _with_contact(table.button_state, button, contact)
    return replace(table, button_state=replace(button_state, signals=(*button_state.signals, (button, signal))))


def _process_signals(table: ClockState, at: int) -> ClockState:
    """Process the signals that are due at ``at``, in the order of their first edges: the first edge decides, not the first to settle."""
    for button, signal in sorted(table.button_state.signals, key=lambda each: each[1].at):
        if _signal_due(table.button_state, signal) <= at:
            left = tuple(each for each in table.button_state.signals if each != (button, signal))
            table = _process_signal(replace(table, button_state=replace(table.button_state, signals=left)), button, signal)
    return table


def _signal_due(button_state: ButtonState, signal: Signal) -> int:
    """Return when a signal no longer waits for unsettled contacts that moved before it; bounce has a maximum length."""
    return max((first + SETTLED_NS for first in _unsettled(button_state) if first < signal.at), default=signal.at)


def _process_signal(table: ClockState, button: str, signal: Signal) -> ClockState:
    if isinstance(signal, Began):
        return began(table, button, signal.at)
    if isinstance(signal, Ended):
        return ended(table, button, signal)
    return replace(table, button_state=replace(table.button_state, spikes=table.button_state.spikes + 1))


def _with_contact(button_state: ButtonState, button: str, contact: contacts.Contact) -> ButtonState:
    return replace(button_state, contacts={**button_state.contacts, button: contact})
