"""What the game answers to an event that is not allowed where it stands."""

from __future__ import annotations

from appliance.errors import TileclockError
from firmware.core.game import Game, Phase


class Refused(TileclockError):
    """The event changes nothing; the message says why."""


def require_phase(game: Game, *phases: Phase) -> None:
    """Raise ``Refused`` unless the game is in one of ``phases``."""
    if game.phase not in phases:
        raise Refused(f"not in {game.phase.value}")
