"""The fills of the presses in progress, and the answers that stand, for the face."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.gestures.agreeing import AGREE_NS, agreeing
from firmware.gestures.chord import PLAYER_BUTTONS
from firmware.gestures.clock_state import ClockState
from firmware.gestures.fill import SHOWS_AFTER_NS, Answer, Fill
from firmware.gestures.stroke import Act, Stroke
from firmware.texts.message import message
from rules.side import Side


def fills(table: ClockState) -> tuple[Fill, ...]:
    """Return the fills of the presses in progress, those too that do not show yet."""
    return (*_held(table), *_agreeing(table))


def answers_at(table: ClockState, now: int) -> tuple[Answer, ...]:
    """Return the answers that stand at ``now`` (ns)."""
    return tuple(answer for answer in table.answers if now < answer.until)


def _held(table: ClockState) -> Iterator[Fill]:
    for button, stroke in table.hands.strokes.items():
        if stroke.over or not stroke.live or stroke.buttons[0] != button:
            continue
        stage, reached = stroke.next_stage, stroke.stages[stroke.stage - 1] if stroke.stage else None
        since = stroke.held_from + (0 if reached is None else reached.after)
        shows = stroke.at + SHOWS_AFTER_NS
        if stage is not None:
            yield Fill(_where(stroke), since, shows, stroke.held_from + stage.after, stage.let_go, stage.hold_on)
        elif reached is not None and reached.does is Act.NEXT_GAME:
            yield Fill(_where(stroke), since, shows, None, reached.hold_on, None)


def _agreeing(table: ClockState) -> Iterator[Fill]:
    strokes = agreeing(table.hands)
    let_go = message("fill.let_go.back")
    if len(strokes) == 2:
        since = strokes[1].at
        yield Fill(None, since, since, since + AGREE_NS, let_go, message("fill.hold_on.agreed"))
    for stroke in strokes if len(strokes) == 1 else ():
        yield Fill(_where(stroke), stroke.at, stroke.at, None, let_go, message("fill.hold_on.other_holds"))


def _where(stroke: Stroke) -> Side | None:
    return None if stroke.is_bar else PLAYER_BUTTONS[stroke.buttons[0]]
