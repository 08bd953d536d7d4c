"""The whole station as one frozen value: what the players do, how the director's door stands, what lies on the desk behind it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import Flow, Open
from kiosk.director.desk import Desk
from kiosk.director.door import Door
from kiosk.director.opinion import Opinion


@dataclass(frozen=True, slots=True)
class Before:
    """What outlives a loss of power."""

    opinions: tuple[Opinion, ...] = ()
    """Plays that wait for a word judge."""
    open: tuple[Open, ...] = ()
    """Challenges that may be repeated."""


NOTHING: Final = Before()


@dataclass(frozen=True, slots=True)
class Station:
    """The station. Instants in ns."""

    flow: Flow
    door: Door
    desk: Desk = field(default_factory=Desk)
    """What lies on the director's desk; an empty one while the door is not open."""
    opinions: tuple[Opinion, ...] = ()
    """Plays that wait for a word judge, until they are settled or forgotten."""
    stood: int | None = None
    """Since when the door is not closed, and what players typed stands still; None: it is closed."""
    coming: StationContext | None = None
    """What the station will stand like as soon as nobody is in a challenge."""

    def replace(self, **changes: Any) -> Station:
        """Return the station with some of its fields replaced."""
        return replace(self, **changes)
