"""Pressing: what a press does to the table at once, and what holding on, a chord or letting go make of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware.core import events
from firmware.core.game import Phase
from firmware.core.not_allowed import EventNotAllowed
from firmware.core.record import Record, accept, take_back
from firmware.gestures.clock_state import ClockState, confirm, kept, restroked, say, with_stroke
from firmware.gestures.meaning import bar, bar_held, own_button, own_button_held
from firmware.gestures.stroke import CHORD_NS, LONG_NS, Hands, Stroke
from firmware.menu.menu import Menu, came_to, open_menu, press_menu
from rules.contact import Ended
from rules.side import Side

PLAYER_BUTTONS: Final = {"left": Side.LEFT, "right": Side.RIGHT}


def began(table: ClockState, button: str, first: int) -> ClockState:
    """Act on a press of ``button`` that began at ``first`` (ns)."""
    if button == "key":
        # With the key on no button plays: a press that is under way keeps its short meaning, and holding on means nothing more.
        for stroke in table.hands.strokes.values():
            table = restroked(table, stroke, replace(stroke, holdable=False))
        return replace(table, menu=opened_menu(table))
    key = table.hands.contact("key")
    if key.pressed and not key.down and first < key.changed:
        # Pressed while the key was on, and only found to be a press after it was turned off.
        return table
    if table.menu is not None:
        return _in_menu(table, table.menu, button, first)
    side = PLAYER_BUTTONS.get(button)
    if side is not None:
        return _player(table, side, first)
    return _stroke(table, (button,), first, bar(table.game_at(first))) if button == "centre" else table


def opened_menu(table: ClockState) -> Menu:
    """Return the menu as it opens."""
    return open_menu(confirms=table.frozen is not None)


def _player(table: ClockState, side: Side, first: int) -> ClockState:
    other = table.hands.strokes.get(side.other.value)
    last = table.hands.last.of(side)
    table = replace(table, hands=replace(table.hands, last=table.hands.last.replace(side, first)))
    if other is not None and not other.is_chord and abs(first - other.first) <= CHORD_NS:
        return _chord(table, other, side, first)
    since_last = None if last is None else first - last
    return _stroke(table, (side.value,), first, own_button(table.game_at(first), side, table.instant(first), since_last))


def _chord(table: ClockState, other: Stroke, side: Side, first: int) -> ClockState:
    """Both player buttons: the centre bar at the first edge; what the first one did is taken back."""
    earlier, later = min(first, other.first), max(first, other.first)
    contact = table.hands.contact(other.buttons[0])
    both_down = contact.pressed and contact.first == other.first
    alone = table.record if other.number is None else _taken_back(table.record, other.number, None)
    table = replace(table, offer=other.offer)
    game = alone.game_at(table.instant(earlier))
    event = None if game.phase is Phase.ADJUDICATION else bar(game)
    record, number = _instead(table, other.number, event, earlier)
    stroke = Stroke((other.buttons[0], side.value), earlier, later, game, other.offer, number, holdable=both_down)
    return kept(with_stroke(table, stroke), record)


def _stroke(table: ClockState, buttons: tuple[str, ...], first: int, event: events.GameEvent | None) -> ClockState:
    """Keep a new stroke and do at once what its short press means."""
    game, offer = table.game_at(first), table.offer
    record, number = _instead(table, None, event, first)
    return kept(with_stroke(table, Stroke(buttons, first, first, game, offer, number)), record)


def hold_on(table: ClockState, stroke: Stroke) -> ClockState:
    """The stroke is still held where holding on means more."""
    if stroke.stage == 1:
        return _menu_by_chord(table, stroke)
    side = PLAYER_BUTTONS.get(stroke.buttons[0])
    if side is None or stroke.is_bar:
        event = bar_held(stroke.game, stroke.offer)
    else:
        event = _bar_by_one(table, stroke, side) or own_button_held(stroke.game, side)
    number, record = stroke.number, table.record
    if event is not None:
        record, number = _instead(table, number, event, stroke.first)
    return kept(restroked(table, stroke, replace(stroke, stage=1, number=number)), record)


def _bar_by_one(table: ClockState, stroke: Stroke, side: Side) -> events.GameEvent | None:
    """On two buttons of which the other is stuck nobody can press both: the one that is left, held, stops the clock as both would."""
    ran = stroke.game.phase in (Phase.RUNNING, Phase.HOLD)
    return bar(stroke.game) if ran and table.setup.two_button and table.hands.stuck(side.other.value, stroke.first) else None


def _menu_by_chord(table: ClockState, stroke: Stroke) -> ClockState:
    """A two-button board's key: what the long press did is taken back, but a clock that it stopped stays stopped for the director."""
    ran = stroke.game.phase in (Phase.RUNNING, Phase.HOLD)
    record = table.record
    if stroke.number is not None:
        record = _taken_back(record, stroke.number, (events.Neutralise(), table.instant(stroke.first)) if ran else None)
    return replace(kept(restroked(table, stroke, replace(stroke, stage=2, over=True)), record), menu=opened_menu(table))


def ended(table: ClockState, button: str, ended: Ended) -> ClockState:
    """Act on letting go of ``button``."""
    if button == "key" or (stroke := table.hands.strokes.get(button)) is None or stroke.over:
        return table
    if stroke.stage == 0 and stroke.holdable and _released(table.hands, stroke, ended) - stroke.held_from >= LONG_NS:
        table = hold_on(table, stroke)
        stroke = table.hands.strokes[button]
    offers = table.frozen is None and stroke.stage == 0 and stroke.is_bar and stroke.game.phase is Phase.ADJUDICATION
    table = restroked(table, stroke, replace(stroke, over=True))
    return _offered(table, stroke.first) if offers else table


def _released(hands: Hands, stroke: Stroke, ended: Ended) -> int:
    """Return when the first button of a stroke was let go: the other of a chord may be up already, and not settled."""
    rising = (hands.contact(button) for button in stroke.buttons)
    return min([ended.released, *(contact.rose for contact in rising if contact.pressed and not contact.down)])


def _offered(table: ClockState, first: int) -> ClockState:
    """Offer the next verdict, for a short press of the bar that began at ``first``; what was pressed after it has seen it.

    Offered on letting go, not on pressing: who holds the bar takes what was read before, not what comes next.
    """
    for stroke in table.hands.strokes.values():
        if stroke.first > first and stroke.game.phase is Phase.ADJUDICATION:
            table = restroked(table, stroke, replace(stroke, offer=stroke.offer.following))
    adjudicating = table.record.game.phase is Phase.ADJUDICATION
    return replace(table, offer=table.offer.following) if adjudicating else table


def _in_menu(table: ClockState, menu: Menu, button: str, first: int) -> ClockState:
    step = press_menu(menu, button, table.record, table.setup, table.instant(first))
    if step.confirmed:
        table = confirm(table, first)
    if step.event is None:
        return replace(table, menu=step.menu, power_off=table.power_off or step.power_off)
    try:
        table, refused = say(table, step.event, first), None
    except EventNotAllowed as error:
        refused = error.why
    return replace(table, menu=came_to(step.menu, table.setup, refused))


def _instead(table: ClockState, number: int | None, event: events.GameEvent | None, at: int) -> tuple[Record, int | None]:
    """Put ``event`` at ``at`` in the place of event ``number``; where either cannot be, the record stays as it is.

    While the director has to confirm the times, no player's button plays.
    """
    record, instant = table.record, table.instant(at)
    if table.frozen is not None:
        return record, number
    try:
        if number is not None:
            return take_back(record, number, None if event is None else (event, instant)), None if event is None else number
        if event is not None:
            kept = accept(record, event, instant)
            return kept, kept.highest
    except EventNotAllowed:
        return record, number
    return record, None


def _taken_back(record: Record, number: int, instead: tuple[events.GameEvent, int] | None) -> Record:
    try:
        return take_back(record, number, instead)
    except EventNotAllowed:
        return record
