"""``apply``: the game after an event at an instant. Every change of a game goes through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from firmware.core import challenge, director_events, events, play
from firmware.core.game import Game
from firmware.core.timed_transitions import advance, settle

_APPLY: Final[dict[type, Callable[[Game, Any, int], Game]]] = {
    events.Press: play.press,
    events.Neutralise: play.neutralise,
    events.Hold: play.hold,
    events.Release: play.release,
    events.OutPlay: play.out_play,
    events.Resume: play.resume,
    events.Decide: play.decide,
    events.Challenge: challenge.challenge,
    events.Withdraw: challenge.withdraw,
    events.Verdict: challenge.verdict,
    events.StartWindow: director_events.start_window,
    events.End: director_events.end,
    events.Reopen: director_events.reopen,
    events.LateStart: director_events.late_start,
    events.Arrive: director_events.arrive,
    events.Adjust: director_events.adjust,
    events.EraseOvertime: director_events.erase_overtime,
    events.Swap: director_events.swap,
    events.Infraction: director_events.infraction,
}


def apply(game: Game, event: events.GameEvent, at: int) -> Game:
    """Return the game after ``event`` at ``at`` (ns), including the timed transitions due at or before that instant.

    Raises:
        Refused: the game does not allow the event in its present state; nothing has changed.
    """
    return settle(_APPLY[type(event)](advance(game, at), event, at), at)
