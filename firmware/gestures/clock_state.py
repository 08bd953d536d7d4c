"""The table: the record of the game, the hands on its buttons, and the director's menu, as one frozen value.

The live clock and ``tileclock replay`` drive the same functions: ``say`` here for an event in words, ``hearing`` for contact edges and time that passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware.core import events
from firmware.core.game import Game, Phase
from firmware.core.record import Record, accept
from firmware.core.replacing import changed
from firmware.gestures.meaning import Offer
from firmware.gestures.stroke import Hands, Stroke
from firmware.menu.menu import Menu
from firmware.menu.setup import Setup


@dataclass(frozen=True)
class ClockState:
    """Everything on one table, but for the shell's own worries."""

    record: Record
    setup: Setup
    hands: Hands = Hands()  # noqa: RUF009 - a frozen value
    offer: Offer = Offer.NONE
    menu: Menu | None = None
    offset: int = 0
    """What to add to an instant of the hands (CLOCK_MONOTONIC) for the game's own: a game outlives a boot."""
    frozen: int | None = None
    """After a power cut: the game's instant, which stands until the director has confirmed the times; no player's button plays."""
    power_off: bool = False
    """The director has asked to have the machine switched off."""

    def instant(self, at: int) -> int:
        """Return the game's instant for an instant of the hands (both ns)."""
        return at + self.offset if self.frozen is None else self.frozen

    def game_at(self, now: int) -> Game:
        """Return the game at ``now`` (ns, as the hands count)."""
        return self.record.game_at(self.instant(now))


def say(table: ClockState, event: events.Event, at: int) -> ClockState:
    """Return the table after an event in words at ``at`` (ns).

    Raises:
        EventNotAllowed: the game does not allow it there.
    """
    if isinstance(event, events.NewGame):
        # It knows nothing of the old game's presses: their numbers are not its own.
        table = replace(table, hands=replace(table.hands, strokes={}))
    return kept(table, accept(table.record, event, table.instant(at)))


def confirm(table: ClockState, now: int) -> ClockState:
    """Return the table with the director's word that the times are right after a power cut: time goes on from ``now`` (ns)."""
    return table if table.frozen is None else replace(table, frozen=None, offset=table.frozen - now)


def kept(table: ClockState, record: Record) -> ClockState:
    """Return the table with ``record``; what was on offer goes with its adjudication."""
    adjudicating = record.game.phase is Phase.ADJUDICATION
    return changed(table, {"record": record, "offer": table.offer if adjudicating else Offer.NONE})


def restroked(table: ClockState, old: Stroke, new: Stroke) -> ClockState:
    """Put ``new`` in the place of ``old``, where a button has not begun another stroke since."""
    strokes = {button: new if stroke is old else stroke for button, stroke in table.hands.strokes.items()}
    return replace(table, hands=replace(table.hands, strokes=strokes))


def with_stroke(table: ClockState, stroke: Stroke) -> ClockState:
    """Keep ``stroke`` as the latest of its buttons."""
    strokes = {**table.hands.strokes, **dict.fromkeys(stroke.buttons, stroke)}
    return replace(table, hands=replace(table.hands, strokes=strokes))
