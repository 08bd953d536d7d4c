"""What the game answers to an event that is not allowed where it stands."""

from __future__ import annotations

from appliance.errors import TileclockError
from appliance.phrase import Phrase, as_phrase
from firmware.core.game import Game, Phase


class EventNotAllowed(TileclockError):
    """The game does not allow the event, which changes nothing. ``str`` gives the bare reason: menu and script put it into sentences of their own.

    Args:
        why: why not, as a clause.
    """

    def __init__(self, why: str) -> None:
        super().__init__(expected="an event that the game allows", found=why)
        self.why = as_phrase(why)

    def __str__(self) -> str:
        return str(self.why)


def require_phase(game: Game, *phases: Phase) -> None:
    """Raise ``EventNotAllowed`` unless the game is in one of ``phases``."""
    if game.phase not in phases:
        raise EventNotAllowed(Phrase("not in {phase}", phase=game.phase.value))
