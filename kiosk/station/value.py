"""The whole station as one frozen value: the players' flow, the director's door, and the desk behind it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import Flow, LastVerdict, Open
from kiosk.director.desk import Desk
from kiosk.director.door import Door
from kiosk.director.opinion import Opinion


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
