"""A screen's inputs for the shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.events import Event


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press that makes an event."""

    event: Event
    at: int
    """The instant, ns of CLOCK_MONOTONIC."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed; impossible on a locked screen."""


ScreenInput: TypeAlias = Pressed | Quit
