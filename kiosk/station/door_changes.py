"""What follows from the door's opening and closing: rows for the log, what players typed kept and moved on, the desk cleared."""

from __future__ import annotations

from typing import Final, TypeAlias

from kiosk.challenge.effects import Keep
from kiosk.challenge.entry import Entry, Kind
from kiosk.challenge.flow import Flow, Step
from kiosk.director import desk as desks
from kiosk.director.adjudication import Stage
from kiosk.director.desk import Desk
from kiosk.director.door import Door
from kiosk.director.opinion import ruled, without
from kiosk.effects import Effect
from kiosk.station.value import Station

Transition: TypeAlias = tuple[Station, tuple[Effect, ...]]
"""The station then, and what the shell is asked to do, in this order."""

_WORKED_AT: Final = (Step.TABLE, Step.WORDS, Step.CHECKING, Step.JUDGING)
"""What players may find again when the door has closed."""


def stands_still(station: Station) -> bool:
    """Tell whether the players' flow stands still, for the door is not closed.

    What was typed is not lost because a director comes. A verdict is for two only and is cleared in its time whoever knocks, or else anybody could keep it on the
    screen for the next table to read; only one that came while the door was open, so that nobody has seen it yet, waits.
    """
    stood, flow = station.stood, station.flow
    return stood is not None and (flow.step in _WORKED_AT or (flow.step is Step.VERDICT and flow.since > stood))


def passed(station: Station, door: Door, at: int, why: str) -> Transition:
    """Return the station with its door as it stands from ``at`` (ns) on; ``why`` says by what it opened or closed."""
    before, now, effects = station.door, station.replace(door=door), list[Effect]()
    if before.is_closed and not door.is_closed:
        now = now.replace(stood=at)
    if door.is_open and not before.is_open:
        effects.append(Keep(Entry(Kind.DOOR_OPENED, why=why)))
    if before.is_open and not door.is_open:
        effects += desks.left(station.desk, f"manual adjudication: {why}")
        now = with_desk(now, Desk())
    if door.is_closed and now.stood is not None:
        now = now.replace(flow=moved(now.flow, now.stood, at) if stands_still(now) else now.flow, stood=None)
    return now, tuple(effects)


def with_desk(station: Station, desk: Desk) -> Station:
    """Return the station with its desk as it is now; a play whose ruling stands waits for no word judge any more, one between two judges for the next."""
    judged, opinions = station.desk.judging, station.opinions
    table = None if judged is None else judged.slip.table
    if judged is not None and table is not None and desk.judging is None:
        settled = judged.stage is Stage.RULED
        opinions = without(opinions, table) if settled else ruled(opinions, table, judged.slip.words, judged.rulings)
    return station.replace(desk=desk, opinions=opinions)


def moved(flow: Flow, stood: int, at: int) -> Flow:
    """Return a flow that stood still from ``stood`` to ``at`` (ns) with its times moved on. What may be repeated closes when it did: play goes on meanwhile."""
    # The key switch has its own instant, which may lie a little before what was last touched; and what the shell answered meanwhile is no older than now.
    by = max(0, at - stood)
    # The words come up for checking once more: a finger that closed the door is no adjudication key. Their time goes on from where it was.
    since = at if flow.step is Step.CHECKING else min(at, flow.since + by)
    return flow.replace(since=since, touched=min(at, flow.touched + by))
