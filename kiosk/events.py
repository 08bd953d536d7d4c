"""All events of the station: players', director's, the window's; a target on the screen carries one of the first two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.challenge.events import ChallengeEvent
from kiosk.director.events import DirectorEvent


@dataclass(frozen=True, slots=True)
class CloseAsked:
    """The window is to be closed in the middle of a challenge. The page asks for a second time, which closes it."""


Event: TypeAlias = ChallengeEvent | DirectorEvent | CloseAsked
