"""Both players agree by holding their buttons together for a second, on a page of the table menu that asks for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware.gestures import table_presses
from firmware.gestures.chord import PLAYER_BUTTONS
from firmware.gestures.clock_state import ClockState, replace_stroke, with_record
from firmware.gestures.stroke import Hands, Stroke
from firmware.gestures.taking_back import undone
from firmware.table_menu.rows import AGREED
from rules.contact import MS

AGREE_NS: Final = 1000 * MS


def agreeing(hands: Hands) -> tuple[Stroke, ...]:
    """Return the presses in progress on a page to agree on, in the order of their first edges."""
    strokes = (hands.strokes.get(button) for button in PLAYER_BUTTONS)
    live = [stroke for stroke in strokes if stroke is not None and stroke.agrees is not None and not stroke.over]
    return tuple(sorted(live, key=lambda stroke: stroke.at))


def agreed_at(hands: Hands) -> int | None:
    """Return the instant (ns) at which both players have agreed if they hold on, or None while they do not both hold."""
    strokes = agreeing(hands)
    return strokes[1].at + AGREE_NS if len(strokes) == 2 and strokes[0].agrees == strokes[1].agrees else None


def agree_due(hands: Hands) -> int | None:
    """Return the instant (ns) at which it is certain that both have agreed, or None."""
    due = agreed_at(hands)
    if due is None:
        return None
    sure = [hands.held_for_sure(stroke, due) for stroke in agreeing(hands)]
    return None if None in sure else max(instant for instant in sure if instant is not None)


def without_agreeing(table: ClockState) -> ClockState:
    """Return the table without any agreement: the bar answered no."""
    for stroke in agreeing(table.hands):
        table = replace_stroke(table, stroke, replace(stroke, agrees=None, over=True))
    return table


def agree(table: ClockState, until: int) -> ClockState:
    """Do what both players have agreed on by ``until`` (ns), at the later of their first edges; what their presses did is taken back."""
    due = agreed_at(table.hands)
    if due is None or due > until:
        return table
    first, second = agreeing(table.hands)
    path = second.agrees or ()
    record = undone(undone(table.record, second), first)
    over = {stroke.buttons[0]: replace(stroke, numbers=(), made=None, agrees=None, over=True) for stroke in (first, second)}
    hands = replace(table.hands, strokes={**table.hands.strokes, **over})
    return table_presses.carry_out(replace(with_record(table, record), hands=hands, table_menu=None), (*path, AGREED), second.at)
