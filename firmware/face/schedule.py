"""When the face changes next by itself: what the shell sleeps until. Nothing is drawn in between."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.core.duration import NS, seconds_shown
from firmware.core.game import Game
from firmware.core.happenings import next_happening
from firmware.gestures.table import Table


def next_change(table: Table, now: int) -> int | None:
    """Return the instant after ``now`` (ns, as the hands count) at which the face changes if nobody does anything; None: never."""
    if table.frozen is not None:
        return None
    instants = _instants(table.game_at(now), table.instant(now))
    return min((instant - table.offset for instant in instants if instant - table.offset > now), default=None)


def _instants(game: Game, now: int) -> Iterator[int]:
    due = next_happening(game)
    if due is not None:
        yield due
    if game.running is not None:
        yield now + _until_next_reading(game.remaining(game.running, now))
    window = game.window_at(now)
    if window is not None:
        left = window.ends - now
        yield now + _until_next_reading(left) if left > 0 else window.gone


def _until_next_reading(remaining: int) -> int:
    """Return how long the reading of ``remaining`` ns stands yet; at zero it turns to -0:00 at once."""
    return remaining - (seconds_shown(remaining) - 1) * NS if remaining else 1
