"""All effects of the station, players' and director's: requests to the shell."""

from __future__ import annotations

from typing import TypeAlias

from kiosk.challenge.effects import ChallengeEffect
from kiosk.director.effects import DirectorEffect

Effect: TypeAlias = ChallengeEffect | DirectorEffect
