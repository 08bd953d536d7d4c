"""The error for an event that the game does not allow in its present state."""

from __future__ import annotations

from appliance.errors import TileclockError
from appliance.phrase import Phrase, as_phrase
from game.game import Game, Phase


class EventNotAllowed(TileclockError):
    """The game does not allow the event; nothing changes. ``str`` returns the bare reason, because menu and script embed it in their own sentences.

    Args:
        why: the reason, as a clause.
    """

    def __init__(self, why: str) -> None:
        super().__init__(expected="an event that the game allows", found=why)
        self.why = as_phrase(why)

    def __str__(self) -> str:
        return str(self.why)


def require_phase(game: Game, *phases: Phase) -> None:
    """Raise ``EventNotAllowed`` unless the game is in one of ``phases``."""
    if game.phase not in phases:
        raise EventNotAllowed(Phrase("not in {phase}", phase=as_phrase(game.phase.value)))
