"""All events of the station, players' and director's; a target on the screen carries one of them."""

from __future__ import annotations

from typing import TypeAlias

from kiosk.challenge.events import ChallengeEvent
from kiosk.director.events import DirectorEvent

Event: TypeAlias = ChallengeEvent | DirectorEvent
