"""Changes of the station by time alone, and when the next one comes.

The players' screen clears, the PIN question closes, the desk locks, a request to close expires.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kiosk.challenge import timeouts as players
from kiosk.challenge.timeouts import COUNTDOWN_S
from kiosk.director import door as doors
from kiosk.director.adjudication import still_open
from kiosk.director.door import Door, shuts_at
from kiosk.station.value import Station, StationTransition, apply_pending, door_changed, is_suspended
from rules.duration import NS

CLOSE_AGAIN_NS: Final = 5 * NS
"""How long a window in the middle of a challenge waits for the second request to close it."""


def tick(station: Station, at: int) -> StationTransition:
    """Return the station at ``at`` (ns), and the effects for the shell."""
    shuts = doors.shuts_at(station.door)
    due = shuts is not None and at >= shuts
    now, effects = door_changed(station, doors.closed(station.door), at, "the desk locked itself") if due else (station, ())
    now = now.replace(opinions=still_open(now.opinions, at))
    if now.close_asked_until is not None and at >= now.close_asked_until:
        now = now.replace(close_asked_until=None)
    if is_suspended(now):
        return now, effects
    flow, more = players.tick(now.flow, at)
    now, last = apply_pending(now.replace(flow=flow), at)
    return now, (*effects, *more, *last)


def wake_at(station: Station, now: int) -> int | None:
    """Return the next instant at which the station changes by itself, or a countdown after ``now`` (ns) does; None: never.

    The result is in the past if ``tick`` is overdue.
    """
    # Opinions expire even without an input: an idle station must not hold words in memory.
    instants = [*_of_door(station.door, now), *(opinion.until for opinion in station.opinions)]
    if station.close_asked_until is not None:
        instants.append(station.close_asked_until)
    flow = None if is_suspended(station) else players.wake_at(station.flow, now)
    if flow is not None:
        instants.append(flow)
    return min(instants, default=None)


def _of_door(door: Door, now: int) -> Iterator[int]:
    """Yield the instants at which the door closes by itself, and the seconds of the countdown to that or to the next PIN attempt."""
    shuts = shuts_at(door)
    if shuts is not None:
        yield shuts
        yield from (instant for seconds in range(1, COUNTDOWN_S + 1) if (instant := shuts - seconds * NS) > now)
    if door.shut_until is not None and door.shut(now) and not door.is_closed:
        yield door.shut_until - (door.shut_until - now - 1) // NS * NS
