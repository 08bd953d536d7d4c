"""Every effect of the station, the players' and the director's: what the shell is asked to do."""

from __future__ import annotations

from typing import TypeAlias

from kiosk.challenge.effects import Effect as ChallengeEffect
from kiosk.director.effects import DirectorEffect

Effect: TypeAlias = ChallengeEffect | DirectorEffect
