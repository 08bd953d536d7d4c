"""Both player buttons as one: when two presses are the bar (docs/spec/events.md, "Gestures")."""

from __future__ import annotations

from typing import NamedTuple

from firmware.gestures.stroke import CHORD_NS, CHORD_WITHIN_NS, Hands, Stroke
from rules.side import Side

PLAYER_BUTTONS = {side.value: side for side in Side}


class Pair(NamedTuple):
    """Two player presses that overlap and may be a chord, in the order of their first edges."""

    first: Stroke
    second: Stroke

    @property
    def due(self) -> int:
        """The instant (ns) at which they are a chord if both are still closed."""
        return self.second.at + CHORD_NS


def pair_of(hands: Hands) -> Pair | None:
    """Return the player presses in progress that may become a chord, or None."""
    left, right = (hands.strokes.get(button) for button in PLAYER_BUTTONS)
    if left is None or right is None or left.is_chord or right.is_chord:
        return None
    pair = Pair(*sorted((left, right), key=lambda stroke: stroke.at))
    alone = all(stroke.over is False and stroke.stage == 0 for stroke in pair)
    agree = left.agrees is not None and right.agrees is not None
    near = pair.second.at - pair.first.at <= CHORD_WITHIN_NS
    return pair if alone and near and not agree and _overlap(hands, pair) else None


def chord_due(hands: Hands) -> int | None:
    """Return the instant (ns) at which it is certain that two presses are a chord, or None."""
    pair = pair_of(hands)
    if pair is None:
        return None
    sure = [hands.held_for_sure(stroke, pair.due) for stroke in pair]
    return None if None in sure else max(instant for instant in sure if instant is not None)


def may_become_chord(hands: Hands, stroke: Stroke, deadline: int) -> int | None:
    """Return how long (ns) the next stage of ``stroke`` at ``deadline`` waits for a second button that has closed but may still be bouncing."""
    side = PLAYER_BUTTONS.get(stroke.buttons[0])
    if side is None or stroke.is_chord or stroke.stage > 0:
        return None
    other = hands.contact(side.other.value)
    near = other.began_at is not None and not other.pressed and stroke.at <= other.began_at <= min(deadline, stroke.at + CHORD_WITHIN_NS)
    return other.began_at + CHORD_NS if near and other.began_at is not None else None


def _overlap(hands: Hands, pair: Pair) -> bool:
    """Return whether the first press was still down when the second came: a release that has not settled yet may lie before it."""
    contact = hands.contact(pair.first.buttons[0])
    return contact.down or contact.released_at > pair.second.at
