"""The table: the game's record, the state of its buttons, and the director's menu, as one frozen value.

The live clock and ``tileclock replay`` use the same functions: ``apply_event`` here applies an event, ``press_detection`` contact edges and passing time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware.core import events
from firmware.core.game import Game, Phase
from firmware.core.record import Record, accept
from firmware.core.replacing import changed
from firmware.gestures.door import Door
from firmware.gestures.fill import Answer
from firmware.gestures.meaning import Offer
from firmware.gestures.stroke import Hands, Stroke
from firmware.menu.menu import Menu
from firmware.menu.setup import Setup
from firmware.table_menu.value import TableMenu


@dataclass(frozen=True)
class ClockState:
    """The whole state of one table, except the shell's notices."""

    record: Record
    setup: Setup
    hands: Hands = Hands()  # noqa: RUF009 - a frozen value
    offer: Offer = Offer.NONE
    menu: Menu | None = None
    """The director's menu."""
    table_menu: TableMenu | None = None
    answers: tuple[Answer, ...] = ()
    """The latest answers, expired ones too: at most one a half and one for both."""
    door: Door | None = None
    """The director's door, while it asks for the code."""
    wrong_codes: int = 0
    """Wrong codes since the last right one; it survives a restart."""
    asks_ok: bool = False
    """The key was turned on while a clock ran: ``ok`` opens the director's menu, and the players play on."""
    offset: int = 0
    """Add this to an instant of the hands (CLOCK_MONOTONIC) for the game's instant: a game outlives a boot."""
    frozen: int | None = None
    """After a power cut: the game's instant, constant until the director confirms the times; player buttons do nothing."""
    power_off: bool = False
    """The director has requested power off."""

    def instant(self, at: int) -> int:
        """Return the game's instant for an instant of the hands (both in ns)."""
        return at + self.offset if self.frozen is None else self.frozen

    def game_at(self, now: int) -> Game:
        """Return the game at ``now`` (ns, the hands' time)."""
        return self.record.game_at(self.instant(now))


def apply_event(table: ClockState, event: events.Event, at: int, by: events.By | None = None) -> ClockState:
    """Return the table after ``event`` at ``at`` (ns), made by ``by`` (None: the usual maker).

    Raises:
        EventNotAllowed: the game does not allow the event at that instant.
    """
    if isinstance(event, events.NewGame):
        # The strokes refer to event numbers of the old game.
        table = replace(table, hands=replace(table.hands, strokes={}))
    return with_record(table, accept(table.record, event, table.instant(at), by=by))


def confirm(table: ClockState, now: int) -> ClockState:
    """Return the table after the director confirms the times of a power cut: time continues from ``now`` (ns)."""
    return table if table.frozen is None else replace(table, frozen=None, offset=table.frozen - now)


def with_record(table: ClockState, record: Record) -> ClockState:
    """Return the table with ``record``; an offer ends with its adjudication."""
    adjudicating = record.game.phase is Phase.ADJUDICATION
    return changed(table, {"record": record, "offer": table.offer if adjudicating else Offer.NONE})


def replace_stroke(table: ClockState, old: Stroke, new: Stroke) -> ClockState:
    """Replace ``old`` by ``new`` on each button whose latest stroke it still is."""
    strokes = {button: new if stroke is old else stroke for button, stroke in table.hands.strokes.items()}
    return replace(table, hands=replace(table.hands, strokes=strokes))


def with_stroke(table: ClockState, stroke: Stroke) -> ClockState:
    """Set ``stroke`` as the latest of its buttons."""
    strokes = {**table.hands.strokes, **dict.fromkeys(stroke.buttons, stroke)}
    return replace(table, hands=replace(table.hands, strokes=strokes))
