"""When the face next changes by itself. The shell sleeps until then; nothing is drawn in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from firmware.core.game import Game
from firmware.core.record import accept
from firmware.core.refused import Refused
from firmware.core.timed_transitions import next_transition
from firmware.gestures.clock_state import ClockState
from firmware.menu.menu import proposed
from rules.duration import NS, seconds_shown


def next_change(table: ClockState, now: int) -> int | None:
    """Return the next instant after ``now`` (ns, the hands' time) at which the face changes without an input; None: never."""
    if table.frozen is not None:
        return None
    instants = (instant - table.offset for game in _games(table, now) for instant in _instants(game, table.instant(now)))
    return min((instant for instant in instants if instant > now), default=None)


def _games(table: ClockState, now: int) -> Iterator[Game]:
    """Yield the games on the face: the present one, and the preview in the director's menu."""
    yield table.game_at(now)
    event = None if table.menu is None else proposed(table.menu)
    if event is not None:
        at = table.instant(now)
        # A refused event changes nothing.
        with suppress(Refused):
            yield accept(table.record, event, at).game_at(at)


def _instants(game: Game, now: int) -> Iterator[int]:
    due = next_transition(game)
    if due is not None:
        yield due
    if game.running is not None:
        yield now + _until_next_reading(game.remaining(game.running, now))
    window = game.window_at(now)
    if window is not None:
        left = window.ends - now
        yield now + _until_next_reading(left) if left > 0 else window.hidden_from


def _until_next_reading(remaining: int) -> int:
    """Return for how many ns the reading of ``remaining`` ns still holds; at zero it turns to -0:00 at once."""
    return remaining - (seconds_shown(remaining) - 1) * NS if remaining else 1
