"""The state of the game as a language-independent key, for displays that show codes instead of words."""

from __future__ import annotations

from firmware.gestures.clock_state import ClockState
from firmware.gestures.offer import NO_OFFER
from game.game import Game, Phase


def cue(table: ClockState, game: Game) -> str:
    """Return the phase's value, or a more specific key.

    These are ``confirm``, ``acceptable``, ``unacceptable``, ``offer_acceptable``, ``offer_unacceptable``, ``offer_back``.
    """
    if table.frozen is not None:
        return "confirm"
    if game.phase is Phase.NEUTRAL and game.judged is not None:
        return "acceptable" if game.judged else "unacceptable"
    if game.phase is Phase.ADJUDICATION and table.offer != NO_OFFER:
        return f"offer_{table.offer.kind.value}"
    return game.phase.value
