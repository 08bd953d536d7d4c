"""Changes of the station by time alone: the players' screen clears, the PIN question closes, the desk locks, a request to close expires."""

from __future__ import annotations

from typing import Final

from kiosk.challenge import timeouts as players
from kiosk.director import door as doors
from kiosk.director.opinion import still_open
from kiosk.station.context import apply_pending
from kiosk.station.door_changes import StationTransition, door_changed, is_suspended
from kiosk.station.value import Station
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
