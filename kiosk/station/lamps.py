"""Which lamps of the board are lit: the adjudication button's while it counts, a verdict's while it is shown. Pure, from the state like the page."""

from __future__ import annotations

from typing import Final

from kiosk.challenge.consequence import Consequence
from kiosk.challenge.flow import Flow, Step
from kiosk.station.value import Station

ADJUDICATE: Final = "adjudicate"
ACCEPTABLE: Final = "acceptable"
UNACCEPTABLE: Final = "unacceptable"


def lit(station: Station, now: int) -> frozenset[str]:
    """Return the names of the lamps lit at ``now`` (ns); none while the director's door is not closed."""
    if station.suspended_at is not None:
        return frozenset()
    flow = station.flow
    counts = _counts_from(flow)
    if counts is not None:
        return frozenset({ADJUDICATE} if now >= counts else ())
    follows = _shown(flow)
    if follows is None or flow.calling:
        return frozenset()
    return frozenset({ACCEPTABLE if follows.acceptable else UNACCEPTABLE})


def wake_at(station: Station, now: int) -> int | None:
    """Return the next instant after ``now`` (ns) at which a lamp changes by itself, or None."""
    counts = None if station.suspended_at is not None else _counts_from(station.flow)
    return counts if counts is not None and counts > now else None


def _shown(flow: Flow) -> Consequence | None:
    """Return what follows from the verdict that is shown, the first time or once more; None: none is shown."""
    if flow.step is Step.SHOWN_AGAIN:
        return None if flow.again is None else flow.again.consequence
    return flow.outcome.consequence if flow.step is Step.VERDICT and flow.outcome is not None else None


def _counts_from(flow: Flow) -> int | None:
    """Return from when (ns) the adjudication key counts; None: no words are shown, their number is wrong, or the station cannot judge."""
    if (
        flow.step is not Step.CHECKING
        or flow.leaving
        or flow.calling
        or flow.helping
        or flow.still_there
        or len(flow.words) != flow.count
        or flow.context.trouble is not None
    ):
        return None
    return flow.since + flow.context.limits.least_ns
