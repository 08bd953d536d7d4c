"""``apply``: an event at an instant takes a game to the next. The one door to a game's changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from firmware.core import challenge, direction, events, play
from firmware.core.game import Game
from firmware.core.happenings import advance, settle

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
    events.StartWindow: direction.start_window,
    events.End: direction.end,
    events.Reopen: direction.reopen,
    events.LateStart: direction.late_start,
    events.Arrive: direction.arrive,
    events.Adjust: direction.adjust,
    events.EraseOvertime: direction.erase_overtime,
    events.Swap: direction.swap,
    events.Infraction: direction.infraction,
}


def apply(game: Game, event: events.GameEvent, at: int) -> Game:
    """Return the game after ``event`` at ``at`` (ns), with all that happens by itself at or before that instant.

    Raises:
        Refused: the event is not allowed where the game stands; nothing has changed.
    """
    return settle(_APPLY[type(event)](advance(game, at), event, at), at)
