"""What a screen hands to the shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.events import Event


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody pressed something."""

    event: Event
    at: int
    """The instant, ns of CLOCK_MONOTONIC."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed; never on a locked screen."""


Input: TypeAlias = Said | Quit
