"""The error for an event that the game does not allow in its present state."""

from __future__ import annotations

from appliance.errors import TileclockError
from firmware.core.game import Game, Phase


class Refused(TileclockError):
    """The game does not allow the event; nothing changes. ``str`` returns the bare reason, because menu and script embed it in their own sentences.

    Args:
        why: the reason, as a clause.
    """

    def __init__(self, why: str) -> None:
        super().__init__(expected="an event that the game allows", found=why)
        self.why = why

    def __str__(self) -> str:
        return self.why


def require_phase(game: Game, *phases: Phase) -> None:
    """Raise ``Refused`` unless the game is in one of ``phases``."""
    if game.phase not in phases:
        raise Refused(f"not in {game.phase.value}")
