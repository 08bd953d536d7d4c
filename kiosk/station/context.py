"""Changes of the station's context: a new lexicon, rulebook or name waits until no challenge is in progress."""

from __future__ import annotations

from kiosk.challenge.apply import apply
from kiosk.challenge.events import SetContext
from kiosk.station.door_changes import StationTransition
from kiosk.station.value import Station


def apply_pending(station: Station, at: int) -> StationTransition:
    """Return the station at ``at`` (ns), with its pending context applied if no challenge is in progress."""
    if station.pending_context is None or station.flow.in_progress:
        return station, ()
    return set_context(station, SetContext(station.pending_context), at)


def set_context(station: Station, event: SetContext, at: int) -> StationTransition:
    """Apply a new context to the flow, or leave it pending."""
    flow, effects = apply(station.flow, event, at)
    return station.replace(flow=flow, pending_context=None if flow.station == event.context else event.context), effects
