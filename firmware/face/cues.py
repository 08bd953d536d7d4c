"""Which sounds a face makes beside the one before it, and who hears each. Pure.

A player's own sound goes to that player's earphone alone. Where both hear one output, a loudspeaker or the board's buzzer, only what both have to know sounds, so
that nothing of the one player's disturbs the other's thinking. A verdict has no sound.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from msgspec import Struct

from firmware.face.value import Face, HalfFace
from rules.side import Side


class Cue(Enum):
    TURN = "turn"
    TWO_MINUTES = "two minutes"
    ZERO = "zero"
    OVERTIME = "overtime"
    """Each full minute below zero."""
    TURN_WARNING = "turn warning"
    TURN_OVER = "turn over"
    """The end of a turn's own time, where the rulebook limits it."""
    WINDOW = "window"
    CALL = "call"
    """The hall's timer calls, or the director asks to stop."""


class Sound(Struct, frozen=True):
    cue: Cue
    side: Side | None = None
    """Whose it is; None: both players'."""


BEEPS: Final[Mapping[Cue, int]] = {Cue.WINDOW: 1, Cue.CALL: 1, Cue.ZERO: 2, Cue.TURN_OVER: 3}
"""What both may hear, and how often a buzzer of one pitch sounds for it."""
MELODIES: Final[Mapping[Cue, tuple[tuple[int, int], ...]]] = {
    Cue.TURN: ((880, 120),),
    Cue.TWO_MINUTES: ((660, 120), (0, 80), (660, 120)),
    Cue.ZERO: ((440, 500),),
    Cue.OVERTIME: ((440, 120), (0, 80), (440, 120), (0, 80), (440, 120)),
    Cue.TURN_WARNING: ((990, 60), (0, 60), (990, 60)),
    Cue.TURN_OVER: ((990, 120), (660, 240)),
    Cue.WINDOW: ((550, 180), (825, 180)),
    Cue.CALL: ((825, 180), (550, 180), (825, 180)),
}
"""The tones of each cue: pitch in Hz (0: silence) and length in ms. No two have the same pitches in the same rhythm."""
LOW_S: Final = 120
MINUTE_S: Final = 60


def sounds(before: Face, after: Face) -> Iterator[Sound]:
    if after.window is not None and after.window.expired and before.window != after.window:
        yield Sound(Cue.WINDOW)
    if (after.stop_asked and not before.stop_asked) or (after.timer_calls and not before.timer_calls):
        yield Sound(Cue.CALL)
    for side in Side:
        yield from (Sound(cue, side) for cue in _own(before.halves.of(side), after.halves.of(side)))


def _own(before: HalfFace, after: HalfFace) -> Iterator[Cue]:
    if after.turn_warned > before.turn_warned:
        yield Cue.TURN_OVER if after.turn_left == 0 else Cue.TURN_WARNING
    if not after.runs:
        return
    if not before.runs:
        # What the clock has left is no news at its start.
        yield Cue.TURN
    elif before.seconds > LOW_S >= after.seconds:
        yield Cue.TWO_MINUTES
    elif before.seconds > 0 >= after.seconds:
        yield Cue.ZERO
    elif after.seconds < 0 and before.seconds // -MINUTE_S < after.seconds // -MINUTE_S:
        yield Cue.OVERTIME
