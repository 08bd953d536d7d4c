"""``apply``: the game after an event at an instant. Every change of a game goes through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from game import challenge, events, game_events, late, play, times, windows
from game.events import By, usual_maker
from game.game import Game
from game.timed_transitions import advance, settle

_APPLY: Final[dict[type, Callable[[Game, Any, int], Game]]] = {
    events.Press: play.press,
    events.Neutralise: play.neutralise,
    events.Reason: game_events.give_reason,
    events.Hold: play.hold,
    events.Release: play.release,
    events.OutPlay: play.out_play,
    events.NotOut: play.not_out,
    events.Resume: play.resume,
    events.Decide: play.decide,
    events.Challenge: challenge.challenge,
    events.Verdict: challenge.verdict,
    events.StartWindow: windows.start_window,
    events.End: game_events.end,
    events.Reopen: game_events.reopen,
    events.LateStart: late.late_start,
    events.Arrive: late.arrive,
    events.EraseOvertime: times.erase_overtime,
    events.Points: times.points,
    events.ChangeRulebook: times.change_rulebook,
    events.Swap: game_events.swap,
    events.Infraction: game_events.infraction,
    events.Call: game_events.call,
}
_APPLY_BY: Final[dict[type, Callable[[Game, Any, int, By], Game]]] = {
    events.Withdraw: challenge.withdraw,
    events.Adjust: times.adjust,
}
"""The events that not everybody may make."""


def apply(game: Game, event: events.GameEvent, at: int, by: By | None = None) -> Game:
    """Return the game after ``event`` at ``at`` (ns), including the timed transitions due at or before that instant.

    Args:
        game: the game before.
        event: what happens.
        at: its instant, in ns.
        by: who makes it; None: the usual maker.

    Raises:
        EventNotAllowed: the game does not allow the event in its present state, or not from ``by``; nothing has changed.
    """
    handler = _APPLY.get(type(event))
    if handler is None:
        return settle(_APPLY_BY[type(event)](advance(game, at), event, at, by or usual_maker(event)), at)
    return settle(handler(advance(game, at), event, at), at)
