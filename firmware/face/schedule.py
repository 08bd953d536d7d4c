"""When the face next changes by itself, and what on it passes with time: the fills of the presses in progress, and the answers that stand.

The shell sleeps until then; nothing is drawn in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from firmware.face.value import FILL_STEPS
from firmware.gestures.clock_state import ClockState, offer_lapses_at
from firmware.gestures.lapsing import SHOWS_AFTER_NS, Answer, Fill
from firmware.gestures.stroke import PLAYER_BUTTONS, Act, Stroke
from firmware.gestures.table_presses import AGREE_NS, agreeing
from firmware.menu.menu import proposed
from firmware.table_menu.deeds import round_ago
from firmware.texts import message
from game import timed_transitions
from game.game import EventNotAllowed, Game, Phase
from game.history import accept
from rules.duration import NS, seconds_shown
from rules.side import Side


def fills(table: ClockState) -> tuple[Fill, ...]:
    """Return the fills of the presses in progress, those too that do not show yet."""
    return (*_held(table), *_agreeing(table))


def answers_at(table: ClockState, now: int) -> tuple[Answer, ...]:
    """Return the answers that stand at ``now`` (ns)."""
    return tuple(answer for answer in table.answers if now < answer.until)


def _held(table: ClockState) -> Iterator[Fill]:
    for button, stroke in table.button_state.strokes.items():
        if stroke.over or not stroke.live or stroke.buttons[0] != button:
            continue
        stage, reached = stroke.next_stage, stroke.stages[stroke.stage - 1] if stroke.stage else None
        since = stroke.held_from + (0 if reached is None else reached.after)
        shows = stroke.at + SHOWS_AFTER_NS
        if stage is not None:
            full_at, stages = stroke.held_from + stage.after, len(stroke.stages)
            yield Fill(_where(stroke), since, shows, full_at, stage.let_go, stage.hold_on, stroke.stage, stages)
        elif reached is not None and reached.does is Act.NEXT_GAME:
            yield Fill(_where(stroke), since, shows, None, reached.hold_on, None, stroke.stage, stroke.stage)


def _agreeing(table: ClockState) -> Iterator[Fill]:
    strokes = agreeing(table.button_state)
    let_go = message("fill.let_go.back")
    if len(strokes) == 2:
        since = strokes[1].at
        yield Fill(None, since, since, since + AGREE_NS, let_go, message("fill.hold_on.agreed"))
    for stroke in strokes if len(strokes) == 1 else ():
        yield Fill(_where(stroke), stroke.at, stroke.at, None, let_go, message("fill.hold_on.other_holds"))


def _where(stroke: Stroke) -> Side | None:
    return None if stroke.is_bar else PLAYER_BUTTONS[stroke.buttons[0]]


FRAME_NS: Final = NS // 60
"""A display frame."""


def next_due(table: ClockState, now: int) -> int | None:
    """Return the next instant after ``now`` (ns, CLOCK_MONOTONIC) at which the face changes without an input; None: never."""
    instants = [*_of_hands(table, now)]
    if table.frozen is None:
        instants += _of_late_start(table, now)
        instants += [instant - table.offset for game in _games(table, now) for instant in _instants(game, table.instant(now))]
    return min((instant for instant in instants if instant > now), default=None)


def _of_hands(table: ClockState, now: int) -> Iterator[int]:
    """Yield the changes in CLOCK_MONOTONIC: answers that end, and the door's waiting."""
    yield from (answer.until for answer in table.answers)
    for fill in fills(table) if table.frozen is None else ():
        if now < fill.shows_from:
            yield fill.shows_from
        elif fill.full_at is not None and now < fill.full_at:
            # The next step of the face, at most one a display frame.
            step = (fill.full_at - fill.since) * fill.stages // FILL_STEPS
            yield max(now + FRAME_NS, fill.since + ((now - fill.since) // step + 1) * step)
    closing = (
        None if table.table_menu is None else table.table_menu.closes_at,
        None if table.door is None else table.door.closes_at,
        None if table.menu is None else table.menu_closes_at,
        offer_lapses_at(table),
    )
    yield from (now + _until_next_reading(at - now) for at in closing if at is not None and at > now)
    if table.door is not None and table.door.shut_until is not None and now < table.door.shut_until:
        yield now + _until_next_reading(table.door.shut_until - now)


def _of_late_start(table: ClockState, now: int) -> Iterator[int]:
    """Yield when the players' menu says another time that is left of a late start."""
    at, began = table.instant(now), table.setup.round_began
    if table.table_menu is not None and began is not None and round_ago(table.game_at(now), table.setup, at) is not None:
        yield now + NS - (at - began) % NS


def _games(table: ClockState, now: int) -> Iterator[Game]:
    """Yield the games on the face: the present one, and the preview in the director's menu."""
    yield table.game_at(now)
    event = None if table.menu is None else proposed(table.menu)
    if event is not None:
        at = table.instant(now)
        # A refused event changes nothing.
        with suppress(EventNotAllowed):
            yield accept(table.history, event, at).game_at(at)


def _instants(game: Game, now: int) -> Iterator[int]:
    due = timed_transitions.next_due(game)
    if due is not None:
        yield due
    if game.running is not None:
        remaining = game.remaining(game.running, now)
        yield now + _until_next_reading(remaining)
        # The points count what the side owes at the end too, which is no whole number of seconds.
        counted = now + _until_next_reading(remaining + min(0, game.credit.of(game.running)))
        if game.penalty(game.running, counted) != game.penalty(game.running, now):
            yield counted
    # While a hold counts, the courtesy draw is in the players' instructions also where another window stands.
    for window in (game.window_at(now), game.draw if game.phase is Phase.HOLD else None):
        if window is not None:
            left = window.ends - now
            yield now + _until_next_reading(left) if left > 0 else window.hidden_from
    if game.phase is Phase.OUT_PLAY and game.out_play_ends > now:
        yield now + _until_next_reading(game.out_play_ends - now)
    elapsed = game.elapsed(now)
    if elapsed is not None:
        yield now + NS - elapsed % NS


def _until_next_reading(remaining: int) -> int:
    """Return for how many ns the reading of ``remaining`` ns still holds; at zero it turns to -0:00 at once."""
    return remaining - (seconds_shown(remaining) - 1) * NS if remaining else 1
