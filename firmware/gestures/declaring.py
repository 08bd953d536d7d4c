"""The out play that a player declares by holding the own button after a stop."""

from __future__ import annotations

from dataclasses import replace

from firmware.core.declared_out_play import OutPlayTooLate, declare
from firmware.core.not_allowed import EventNotAllowed
from firmware.gestures.chord import PLAYER_BUTTONS
from firmware.gestures.clock_state import ClockState, replace_stroke, with_change
from firmware.gestures.stroke import Stroke
from firmware.gestures.taking_back import undone
from firmware.table_menu.value import opened


def declare_out_play(table: ClockState, stroke: Stroke, reached: Stroke, at: int) -> ClockState:
    """Declare the out play of the holding player at the first edge.

    Where that would end the game at once, only take the short press back and ask: one lean on a button must not end a game.
    """
    side = PLAYER_BUTTONS[stroke.buttons[0]]
    number = stroke.numbers[0] if stroke.numbers else None
    try:
        record = declare(table.record, side, table.instant(stroke.at), number)
    except OutPlayTooLate:
        record = undone(table.record, stroke)
        changed = with_change(table, record, at, stroke.buttons)
        changed = replace_stroke(changed, stroke, reached.acted(table.record, record, ()))
        return replace(changed, table_menu=opened(changed.game_at(at), at, ("out_play", str(side), "late")))
    except EventNotAllowed:
        return replace_stroke(table, stroke, reached)
    numbers = tuple(number for number in stroke.numbers if record.find(number) is not None)
    return replace_stroke(with_change(table, record, at, stroke.buttons), stroke, reached.acted(table.record, record, numbers))
