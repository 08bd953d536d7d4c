"""Detect presses from contact edges and passing time, and process them in order.

``edge`` applies a contact edge, ``tick`` lets time pass, ``due`` returns the next instant for ``tick``. ``pressing`` gives presses their meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from firmware.gestures.agreeing import agree, agree_due
from firmware.gestures.chord import chord_due, may_become_chord, pair_of
from firmware.gestures.clock_state import ClockState, settled, settles_at
from firmware.gestures.director_presses import key_off, key_on
from firmware.gestures.pressing import become_chord, began, ended, hold_on
from firmware.gestures.stroke import Hands, Stroke
from firmware.gestures.table_presses import reopened, repeat
from rules import contact as contacts
from rules.contact import BOUNCE_NS, PRESS_NS, Began, Ended, Signal

SETTLED_NS: Final = BOUNCE_NS + PRESS_NS
"""A press is detected at most this long after its first edge."""
_SETTLE, _CONTACT, _SIGNAL, _CHORD, _AGREE, _STAGE, _REPEAT = range(7)
"""What is due, in the order of one instant: a chord is decided before a fill is full."""


def edge(table: ClockState, button: str, at: int, *, down: bool) -> ClockState:
    """Return the table after a contact edge of ``button`` at ``at`` (ns), advanced to ``at`` first."""
    # A fill that would be full now waits for this edge, which may begin a chord.
    table = _advanced(table, at, stages_until=at - 1)
    moved = contacts.edge(table.hands.contact(button), at, down=down)
    table = replace(table, hands=_with_contact(table.hands, button, moved))
    if table.table_menu is not None:
        table = replace(table, table_menu=reopened(table.table_menu, at))
    if button == "key" and moved.pressed:
        # The switch may bounce after it was detected as on; off leaves the menu at once.
        return key_on(table, at) if down else key_off(table, at)
    return table


def tick(table: ClockState, now: int) -> ClockState:
    """Return the table at ``now`` (ns): all that presses and passing time have come to by then is processed, each at its own instant."""
    return _advanced(table, now, stages_until=now)


def due(table: ClockState) -> int | None:
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
        table = _process_signals(settled(table, _known_until(table.hands, at)), at)


def _done(table: ClockState, what: int, button: str, at: int) -> ClockState:
    if what == _CONTACT:
        return _ripen(table, button)
    if what == _CHORD:
        return become_chord(table)
    if what == _AGREE:
        return agree(table, at)
    if what == _STAGE:
        return hold_on(table, table.hands.strokes[button])
    return repeat(table, table.hands.strokes[button]) if what == _REPEAT else table


def _ripening(table: ClockState) -> Iterator[tuple[int, int, str]]:
    hands = table.hands
    settling = settles_at(table)
    if settling is not None:
        yield max([settling, *(first + SETTLED_NS for first in _unsettled(hands) if first < settling)]), _SETTLE, ""
    for button, contact in hands.contacts.items():
        if contact.due is not None:
            yield contact.due, _CONTACT, button
    for button, signal in hands.signals:
        yield _signal_due(hands, signal), _SIGNAL, button
    chord, agreed = chord_due(hands), agree_due(hands)
    if chord is not None:
        yield chord, _CHORD, ""
    if agreed is not None:
        yield agreed, _AGREE, ""
    for button, stroke in hands.strokes.items():
        if stroke.buttons[0] == button and not stroke.over:
            yield from _held(hands, button, stroke)


def _held(hands: Hands, button: str, stroke: Stroke) -> Iterator[tuple[int, int, str]]:
    for deadline, what in ((stroke.deadline, _STAGE), (stroke.repeat_at, _REPEAT)):
        if deadline is not None and (sure := _held_for_sure(hands, stroke, deadline)) is not None:
            yield sure, what, button


def _held_for_sure(hands: Hands, stroke: Stroke, deadline: int) -> int | None:
    """Return the instant (ns) at which ``stroke`` reaches ``deadline``: once it is certain that it is held, and what came before is known."""
    pair = pair_of(hands)
    if pair is not None and any(each is stroke for each in pair):
        return None
    sure = hands.held_for_sure(stroke, deadline)
    waits = may_become_chord(hands, stroke, deadline)
    return None if sure is None else max(sure, _others_settle(hands, stroke, deadline), waits or sure)


def _others_settle(hands: Hands, stroke: Stroke, deadline: int) -> int:
    """Return the instant (ns) from which no other button that moved before ``deadline`` is unsettled: its press may end this one's fill."""
    # The contacts of a stroke have settled.
    return max((first + SETTLED_NS for first in _unsettled(hands) if first < deadline), default=deadline)


def _unsettled(hands: Hands) -> Iterator[int]:
    """Yield the first edges (ns) of the contacts that may be presses but are not detected yet."""
    return (each.began_at for each in hands.contacts.values() if each.began_at is not None and not each.pressed)


def _known_until(hands: Hands, at: int) -> int:
    """Return the instant (ns) up to which all presses are detected at ``at``: what closes by itself after a first edge waits for that press."""
    unsettled = (first for first in _unsettled(hands) if at < first + SETTLED_NS)
    return min([at, *unsettled, *(signal.at for _, signal in hands.signals if isinstance(signal, Began))])


def _ripen(table: ClockState, button: str) -> ClockState:
    contact, signal = contacts.ripen(table.hands.contact(button))
    hands = _with_contact(table.hands, button, contact)
    return replace(table, hands=replace(hands, signals=(*hands.signals, (button, signal))))


def _process_signals(table: ClockState, at: int) -> ClockState:
    """Process the signals that are due at ``at``, in the order of their first edges: the first edge decides, not the first to settle."""
    for button, signal in sorted(table.hands.signals, key=lambda each: each[1].at):
        if _signal_due(table.hands, signal) <= at:
            left = tuple(each for each in table.hands.signals if each != (button, signal))
            table = _process_signal(replace(table, hands=replace(table.hands, signals=left)), button, signal)
    return table


def _signal_due(hands: Hands, signal: Signal) -> int:
    """Return when a signal no longer waits for unsettled contacts that moved before it; bounce has a maximum length."""
    return max((first + SETTLED_NS for first in _unsettled(hands) if first < signal.at), default=signal.at)


def _process_signal(table: ClockState, button: str, signal: Signal) -> ClockState:
    if isinstance(signal, Began):
        return began(table, button, signal.at)
    if isinstance(signal, Ended):
        return ended(table, button, signal)
    return replace(table, hands=replace(table.hands, spikes=table.hands.spikes + 1))


def _with_contact(hands: Hands, button: str, contact: contacts.Contact) -> Hands:
    return replace(hands, contacts={**hands.contacts, button: contact})
