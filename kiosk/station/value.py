"""The whole station as one frozen value: the players' flow, the director's door, and the desk behind it; and what changes several of these at once.

Opening and closing the door writes rows, suspends the players' input and empties the desk. A new lexicon, rulebook or name waits until no challenge is in
progress.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from game.challenge_log.entry import Entry, Kind
from kiosk.challenge.apply import apply
from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import Flow, LastVerdict, Open, Step
from kiosk.challenge.repeats import verdicts_without
from kiosk.director import desk as desks
from kiosk.director.adjudication import Opinion, Stage, ruled, without
from kiosk.director.desk import Desk
from kiosk.director.door import Door
from kiosk.effects import Effect, WriteEntry
from kiosk.events import SetContext


@dataclass(frozen=True, slots=True)
class Before:
    """What survives a power cut."""

    opinions: tuple[Opinion, ...] = ()
    """Plays that wait for a word judge."""
    open: tuple[Open, ...] = ()
    """Challenges that may be repeated."""
    verdicts: tuple[LastVerdict, ...] = ()
    """Verdicts that may be shown once more."""


NOTHING: Final = Before()


@dataclass(frozen=True, slots=True)
class Station:
    """The station. Instants in ns."""

    flow: Flow
    door: Door
    desk: Desk = field(default_factory=Desk)
    """The director's desk; empty while the door is not open."""
    opinions: tuple[Opinion, ...] = ()
    """Plays that wait for a word judge, until settled or expired."""
    suspended_at: int | None = None
    """Since when the door is not closed and the players' input is suspended; None: it is closed."""
    pending_context: StationContext | None = None
    """The context to apply once no challenge is in progress."""
    close_asked_until: int | None = None
    """Until when a second request closes the window, and the page says so; None: there was no first."""

    @property
    def in_progress(self) -> bool:
        """Whether a challenge is in progress, at the players' screen or at the desk."""
        return self.flow.in_progress or self.desk.judging is not None

    def replace(self, **changes: Any) -> Station:
        """Return the station with some fields replaced."""
        return replace(self, **changes)


StationTransition: TypeAlias = tuple[Station, tuple[Effect, ...]]
"""The next station and the effects for the shell, in order."""

_WORKED_AT: Final = (Step.TABLE, Step.WORDS, Step.CHECKING, Step.JUDGING)
"""The steps that players find again after the door closes."""


def is_suspended(station: Station) -> bool:
    """Return whether the players' flow is suspended because the door is not closed.

    A director's visit does not delete typed words. A verdict is for two players only and is cleared in its time: otherwise anyone could leave it on
    the screen for the next table by opening the door. But a verdict that came while the door was open, and was not visible yet, waits.
    """
    suspended_at, flow = station.suspended_at, station.flow
    waits = flow.step in _WORKED_AT or flow.calling or (flow.step is Step.VERDICT and flow.since > (suspended_at or 0))
    return suspended_at is not None and waits


def door_changed(station: Station, door: Door, at: int, why: str) -> StationTransition:
    """Return the station with its new door, from ``at`` (ns) on; ``why`` is the cause of opening or closing."""
    before, now, effects = station.door, station.replace(door=door), list[Effect]()
    if before.is_closed and not door.is_closed:
        now = now.replace(suspended_at=at)
    if door.is_open and not before.is_open:
        effects.append(WriteEntry(Entry(Kind.DOOR_OPENED, why=why)))
    if before.is_open and not door.is_open:
        effects += desks.left(station.desk, f"manual adjudication: {why}")
        now = with_desk(now, Desk())
    if door.is_closed and now.suspended_at is not None:
        now = now.replace(flow=shifted(now.flow, now.suspended_at, at) if is_suspended(now) else now.flow, suspended_at=None)
    return now, tuple(effects)


def with_desk(station: Station, desk: Desk) -> Station:
    """Return the station with its new desk; a ruled play no longer waits for a word judge, one between two judges waits for the next.

    A word judge's verdict takes the place of the station's own, which is shown no more.
    """
    if desk.judging is not None and desk.judging.rulings:
        station = station.replace(flow=station.flow.replace(verdicts=verdicts_without(station.flow, desk.judging.slip.table)))
    judged, opinions = station.desk.judging, station.opinions
    table = None if judged is None else judged.slip.table
    if judged is not None and table is not None and desk.judging is None:
        settled = judged.stage is Stage.RULED
        opinions = without(opinions, table) if settled else ruled(opinions, table, judged.slip.words, judged.rulings)
    return station.replace(desk=desk, opinions=opinions)


def shifted(flow: Flow, suspended_at: int, at: int) -> Flow:
    """Return a flow suspended from ``suspended_at`` to ``at`` (ns) with its times shifted. Open challenges are not extended, because play goes on meanwhile."""
    # The key switch's instant may lie slightly before the last touch; the shell's answers meanwhile are not newer than now.
    by = max(0, at - suspended_at)
    # A check starts anew, so that the finger that closed the door does not count as the adjudication key; its time to clear continues.
    since = at if flow.step is Step.CHECKING else min(at, flow.since + by)
    return flow.replace(since=since, touched=min(at, flow.touched + by))


def apply_pending(station: Station, at: int) -> StationTransition:
    """Return the station at ``at`` (ns), with its pending context applied if no challenge is in progress."""
    if station.pending_context is None or station.flow.in_progress:
        return station, ()
    return set_context(station, SetContext(station.pending_context), at)


def set_context(station: Station, event: SetContext, at: int) -> StationTransition:
    """Apply a new context to the flow, or leave it pending."""
    flow, effects = apply(station.flow, event, at)
    return station.replace(flow=flow, pending_context=None if flow.station == event.context else event.context), effects
