"""Every event of the station, the players' and the director's: what a target on the screen may carry."""

from __future__ import annotations

from typing import TypeAlias

from kiosk.challenge.events import ChallengeEvent
from kiosk.director.events import DirectorEvent

Event: TypeAlias = ChallengeEvent | DirectorEvent
