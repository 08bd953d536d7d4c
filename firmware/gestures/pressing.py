"""What a press does at once, and how holding, a chord or its release changes that."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware.core import events
from firmware.core.game import Phase
from firmware.core.record import Record, accept, take_back
from firmware.core.refused import Refused
from firmware.gestures.clock_state import ClockState, apply_event, confirm, replace_stroke, with_record, with_stroke
from firmware.gestures.meaning import bar, bar_held, own_button, own_button_held
from firmware.gestures.stroke import CHORD_NS, LONG_NS, Hands, Stroke
from firmware.menu.menu import Menu, open_menu, press_menu, with_result
from rules.contact import Ended
from rules.side import Side

PLAYER_BUTTONS: Final = {"left": Side.LEFT, "right": Side.RIGHT}


def began(table: ClockState, button: str, at: int) -> ClockState:
    """Process a press of ``button`` that began at ``at`` (ns)."""
    if button == "key":
        # While the key is on, buttons do not play: a press in progress keeps its short meaning, and holding adds nothing.
        for stroke in table.hands.strokes.values():
            table = replace_stroke(table, stroke, replace(stroke, holdable=False))
        return replace(table, menu=opened_menu(table))
    key = table.hands.contact("key")
    if key.pressed and not key.down and at < key.changed_at:
        # Pressed while the key was on, but detected only after it was turned off.
        return table
    if table.menu is not None:
        return _in_menu(table, table.menu, button, at)
    side = PLAYER_BUTTONS.get(button)
    if side is not None:
        return _player(table, side, at)
    return _stroke(table, (button,), at, bar(table.game_at(at))) if button == "centre" else table


def opened_menu(table: ClockState) -> Menu:
    """Return the menu in its initial state."""
    return open_menu(confirms=table.frozen is not None)


def _player(table: ClockState, side: Side, at: int) -> ClockState:
    other = table.hands.strokes.get(side.other.value)
    last = table.hands.last.of(side)
    table = replace(table, hands=replace(table.hands, last=table.hands.last.replace(side, at)))
    if other is not None and not other.is_chord and abs(at - other.at) <= CHORD_NS:
        return _chord(table, other, side, at)
    since_last = None if last is None else at - last
    return _stroke(table, (side.value,), at, own_button(table.game_at(at), side, table.instant(at), since_last))


def _chord(table: ClockState, other: Stroke, side: Side, at: int) -> ClockState:
    """Process a chord: the centre bar, pressed at the first edge; the effect of the first button alone is taken back."""
    earlier, later = min(at, other.at), max(at, other.at)
    contact = table.hands.contact(other.buttons[0])
    both_down = contact.pressed and contact.began_at == other.at
    alone = table.record if other.number is None else _try_take_back(table.record, other.number, None)
    table = replace(table, offer=other.offer)
    game = alone.game_at(table.instant(earlier))
    event = None if game.phase is Phase.ADJUDICATION else bar(game)
    record, number = _replace_event(table, other.number, event, earlier)
    stroke = Stroke((other.buttons[0], side.value), earlier, later, game, other.offer, number, holdable=both_down)
    return with_record(with_stroke(table, stroke), record)


def _stroke(table: ClockState, buttons: tuple[str, ...], at: int, event: events.GameEvent | None) -> ClockState:
    """Set a new stroke and apply its short meaning at once."""
    game, offer = table.game_at(at), table.offer
    record, number = _replace_event(table, None, event, at)
    return with_record(with_stroke(table, Stroke(buttons, at, at, game, offer, number)), record)


def hold_on(table: ClockState, stroke: Stroke) -> ClockState:
    """Process a stroke that is held long enough to mean more."""
    if stroke.stage == 1:
        return _menu_by_chord(table, stroke)
    side = PLAYER_BUTTONS.get(stroke.buttons[0])
    if side is None or stroke.is_bar:
        event = bar_held(stroke.game, stroke.offer)
    else:
        event = _bar_by_one(table, stroke, side) or own_button_held(stroke.game, side)
    number, record = stroke.number, table.record
    if event is not None:
        record, number = _replace_event(table, number, event, stroke.at)
    return with_record(replace_stroke(table, stroke, replace(stroke, stage=1, number=number)), record)


def _bar_by_one(table: ClockState, stroke: Stroke, side: Side) -> events.GameEvent | None:
    """Return the bar's event for one held button of a two-button board whose other button is stuck: a chord is then impossible."""
    ran = stroke.game.phase in (Phase.RUNNING, Phase.HOLD)
    return bar(stroke.game) if ran and table.setup.two_button and table.hands.stuck(side.other.value, stroke.at) else None


def _menu_by_chord(table: ClockState, stroke: Stroke) -> ClockState:
    """Open the menu of a two-button board; the long press is taken back, but a clock that it stopped stays stopped for the director."""
    ran = stroke.game.phase in (Phase.RUNNING, Phase.HOLD)
    record = table.record
    if stroke.number is not None:
        record = _try_take_back(record, stroke.number, (events.Neutralise(), table.instant(stroke.at)) if ran else None)
    return replace(with_record(replace_stroke(table, stroke, replace(stroke, stage=2, over=True)), record), menu=opened_menu(table))


def ended(table: ClockState, button: str, ended: Ended) -> ClockState:
    """Process the release of ``button``."""
    if button == "key" or (stroke := table.hands.strokes.get(button)) is None or stroke.over:
        return table
    if stroke.stage == 0 and stroke.holdable and _released(table.hands, stroke, ended) - stroke.held_from >= LONG_NS:
        table = hold_on(table, stroke)
        stroke = table.hands.strokes[button]
    offers = table.frozen is None and stroke.stage == 0 and stroke.is_bar and stroke.game.phase is Phase.ADJUDICATION
    table = replace_stroke(table, stroke, replace(stroke, over=True))
    return _offer_next(table, stroke.at) if offers else table


def _released(hands: Hands, stroke: Stroke, ended: Ended) -> int:
    """Return when the first button of a stroke was released: the other one of a chord may be up already but unsettled."""
    rising = (hands.contact(button) for button in stroke.buttons)
    return min([ended.released_at, *(contact.released_at for contact in rising if contact.pressed and not contact.down)])


def _offer_next(table: ClockState, at: int) -> ClockState:
    """Offer the next verdict after a short press of the bar that began at ``at``; strokes that began later get the next offer.

    This happens on release, not on press: holding the bar accepts the offer on the display, not the next one.
    """
    for stroke in table.hands.strokes.values():
        if stroke.at > at and stroke.game.phase is Phase.ADJUDICATION:
            table = replace_stroke(table, stroke, replace(stroke, offer=stroke.offer.following))
    adjudicating = table.record.game.phase is Phase.ADJUDICATION
    return replace(table, offer=table.offer.following) if adjudicating else table


def _in_menu(table: ClockState, menu: Menu, button: str, at: int) -> ClockState:
    step = press_menu(menu, button, table.record, table.setup, table.instant(at))
    if step.confirmed:
        table = confirm(table, at)
    if step.event is None:
        return replace(table, menu=step.menu, power_off=table.power_off or step.power_off)
    try:
        table, refused = apply_event(table, step.event, at), None
    except Refused as error:
        refused = error.why
    return replace(table, menu=with_result(step.menu, table.setup, refused))


def _replace_event(table: ClockState, number: int | None, event: events.GameEvent | None, at: int) -> tuple[Record, int | None]:
    """Replace event ``number`` by ``event`` at ``at``, or add it; if that is refused, the record does not change.

    While the times wait for the director's confirmation, player buttons do nothing.
    """
    record, instant = table.record, table.instant(at)
    if table.frozen is not None:
        return record, number
    try:
        if number is not None:
            return take_back(record, number, None if event is None else (event, instant)), None if event is None else number
        if event is not None:
            with_record = accept(record, event, instant)
            return with_record, with_record.highest
    except Refused:
        return record, number
    return record, None


def _try_take_back(record: Record, number: int, instead: tuple[events.GameEvent, int] | None) -> Record:
    try:
        return take_back(record, number, instead)
    except Refused:
        return record
