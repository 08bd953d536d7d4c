"""When the station has to be looked at again although nobody does anything."""

from __future__ import annotations

from collections.abc import Iterator

from kiosk.challenge import timeouts as players
from kiosk.challenge.timeouts import COUNTDOWN_S
from kiosk.director.door import Door, shuts_at
from kiosk.station.door_changes import stands_still
from kiosk.station.value import Station
from rules.duration import NS


def wake_at(station: Station, now: int) -> int | None:
    """Return the next instant at which the station changes by itself, or after ``now`` (ns) the seconds shown do; None: nothing comes by itself.

    What is due already and was not yet ticked is an instant that is past.
    """
    # What waits at the desk is forgotten in its time also where nobody comes: no words lie in the memory of a station that is idle.
    instants = [*_of_door(station.door, now), *(opinion.until for opinion in station.opinions)]
    flow = None if stands_still(station) else players.wake_at(station.flow, now)
    if flow is not None:
        instants.append(flow)
    return min(instants, default=None)


def _of_door(door: Door, now: int) -> Iterator[int]:
    """Yield the instants at which the door closes by itself, or one of the seconds until then or until a PIN is taken passes."""
    shuts = shuts_at(door)
    if shuts is not None:
        yield shuts
        yield from (instant for seconds in range(1, COUNTDOWN_S + 1) if (instant := shuts - seconds * NS) > now)
    if door.shut_until is not None and door.shut(now) and not door.is_closed:
        yield door.shut_until - (door.shut_until - now - 1) // NS * NS
