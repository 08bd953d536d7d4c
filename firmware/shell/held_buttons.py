"""Buttons that were down before the clock could look, and buttons that stay down for longer than any press."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from firmware.gestures.clock_state import ClockState
from firmware.gestures.director_presses import key_on
from firmware.gestures.stroke import STUCK_NS
from rules.contact import Contact


def with_held(table: ClockState, down: Collection[str], now: int) -> ClockState:
    """Return the table with the buttons in ``down`` held since before ``now`` (ns).

    A button that is down when the pins open is not a press: it counts as acted on, and must be released first.
    """
    if not down:
        return table
    if "key" in down:
        # A switch stays on by design; it is not a stuck button.
        table = key_on(table, now)
    found = {button: Contact(down=True, changed_at=now, began_at=now - STUCK_NS, pressed=True) for button in down}
    return replace(table, hands=replace(table.hands, contacts={**table.hands.contacts, **found}))


def stuck(table: ClockState, now: int) -> set[str]:
    """Return the buttons that are stuck at ``now`` (ns)."""
    return {button for button, at in _sticking(table) if now >= at}


def next_stuck(table: ClockState, reported: Collection[str]) -> int | None:
    """Return the instant (ns) at which the next button is stuck, besides those in ``reported``; None: only an edge can change that."""
    return min((at for button, at in _sticking(table) if button not in reported), default=None)


def _sticking(table: ClockState) -> Iterator[tuple[str, int]]:
    """Yield each button that is down, and when it is stuck if it stays down."""
    for button, contact in table.hands.contacts.items():
        if contact.down and contact.began_at is not None and button != "key":
            yield button, contact.began_at + STUCK_NS
