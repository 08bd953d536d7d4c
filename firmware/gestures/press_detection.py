"""Detect presses from contact edges and passing time, and process them in order.

``edge`` applies a contact edge, ``tick`` lets time pass, ``due`` returns the next instant for ``tick``. ``pressing`` gives presses their meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from firmware.gestures.clock_state import ClockState
from firmware.gestures.pressing import began, ended, hold_on, opened_menu
from firmware.gestures.stroke import Hands, Stroke
from rules import contact as contacts
from rules.contact import BOUNCE_NS, PRESS_NS, Began, Ended, Signal

SETTLED_NS: Final = BOUNCE_NS + PRESS_NS
"""A press is detected at most this long after its first edge."""
_CONTACT: Final = 0
_STROKE: Final = 1
_SIGNAL: Final = 2


def edge(table: ClockState, button: str, at: int, *, down: bool) -> ClockState:
    """Return the table after a contact edge of ``button`` at ``at`` (ns), advanced to ``at`` first."""
    table = tick(table, at)
    moved = contacts.edge(table.hands.contact(button), at, down=down)
    table = replace(table, hands=_with_contact(table.hands, button, moved))
    if button == "key" and moved.pressed:
        # The switch may bounce after it was detected as on; off leaves the menu at once.
        return replace(table, menu=opened_menu(table) if down else None)
    return table


def tick(table: ClockState, now: int) -> ClockState:
    """Return the table at ``now`` (ns): presses and long presses up to and at ``now`` are processed, each at its own instant."""
    while True:
        ripe = min(_ripening(table), default=None)
        if ripe is None or ripe[0] > now:
            return table
        at, what, button = ripe
        if what == _STROKE:
            table = hold_on(table, table.hands.strokes[button])
        elif what == _CONTACT:
            table = _ripen(table, button)
        table = _process_signals(table, at)


def due(table: ClockState) -> int | None:
    """Return the next instant (ns) with work for ``tick``, or None."""
    ripe = min(_ripening(table), default=None)
    return None if ripe is None else ripe[0]


def _ripening(table: ClockState) -> Iterator[tuple[int, int, str]]:
    hands = table.hands
    for button, contact in hands.contacts.items():
        if contact.due is not None:
            yield contact.due, _CONTACT, button
    for button, signal in hands.signals:
        yield _signal_due(hands, signal), _SIGNAL, button
    for button, stroke in hands.strokes.items():
        if stroke.buttons[0] == button and (sure := _held_for_sure(table, stroke)) is not None:
            yield sure, _STROKE, button


def _held_for_sure(table: ClockState, stroke: Stroke) -> int | None:
    deadline = stroke.deadline(two_button=table.setup.two_button)
    if deadline is None:
        return None
    sure = [table.hands.contact(button).held_for_sure(deadline) for button in stroke.buttons]
    return None if None in sure else max(instant for instant in sure if instant is not None)


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
    unsettled = (each.began_at for each in hands.contacts.values() if each.began_at is not None and not each.pressed)
    return max((first + SETTLED_NS for first in unsettled if first < signal.at), default=signal.at)


def _process_signal(table: ClockState, button: str, signal: Signal) -> ClockState:
    if isinstance(signal, Began):
        return began(table, button, signal.at)
    if isinstance(signal, Ended):
        return ended(table, button, signal)
    return replace(table, hands=replace(table.hands, spikes=table.hands.spikes + 1))


def _with_contact(hands: Hands, button: str, contact: contacts.Contact) -> Hands:
    return replace(hands, contacts={**hands.contacts, button: contact})
