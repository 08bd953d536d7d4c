"""How the station comes to stand differently: another lexicon, rulebook or name is taken only while nobody is in a challenge, and remembered until then."""

from __future__ import annotations

from kiosk.challenge.apply import apply
from kiosk.challenge.events import Stand
from kiosk.station.door_changes import Transition
from kiosk.station.value import Station


def taken(station: Station, at: int) -> Transition:
    """Return the station at ``at`` (ns), standing as it is to where nobody is in a challenge."""
    if station.coming is None or station.flow.in_progress:
        return station, ()
    return stand(station, Stand(station.coming), at)


def stand(station: Station, event: Stand, at: int) -> Transition:
    """Give the flow what the station is to stand like; what it does not take now comes later."""
    flow, effects = apply(station.flow, event, at)
    return station.replace(flow=flow, coming=None if flow.standing == event.standing else event.standing), effects
