"""Changes of the station's context: a new lexicon, rulebook or name waits until no challenge is in progress."""

from __future__ import annotations

from kiosk.challenge.apply import apply
from kiosk.challenge.events import Stand
from kiosk.station.door_changes import Transition
from kiosk.station.value import Station


def taken(station: Station, at: int) -> Transition:
    """Return the station at ``at`` (ns), with its pending context applied if no challenge is in progress."""
    if station.coming is None or station.flow.in_progress:
        return station, ()
    return stand(station, Stand(station.coming), at)


def stand(station: Station, event: Stand, at: int) -> Transition:
    """Apply a new context to the flow, or leave it pending."""
    flow, effects = apply(station.flow, event, at)
    return station.replace(flow=flow, coming=None if flow.standing == event.standing else event.standing), effects
