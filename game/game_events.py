"""Events of the game as a whole: its beginning, end and reopening, a stop's reason, a call for the director, seats and infractions."""

from __future__ import annotations

from typing import Final

from game.events import Call, End, Infraction, NewGame, Reason, Reopen, Swap
from game.game import Game, Phase
from game.not_allowed import EventNotAllowed, require_phase
from game.timed_transitions import finish
from rules.side import Side

RESIGNATION, FORFEIT, SIX_ZEROS = "resignation", "forfeit", "six zeros"
WITH_LOSER: Final = (RESIGNATION, FORFEIT)
"""The reasons of an end that name who loses (2017 I.B, V.K.2)."""
DIRECTOR_CALLED: Final = "director called"


def fresh(event: NewGame) -> Game:
    """Return a game in ``ready``; a side's own allowance replaces regulation (2017 III.A.3)."""
    regulation = event.rulebook.regulation_ns
    return Game(
        event.rulebook,
        allowed=event.allowed.map(lambda own: regulation if own is None else own),
        own_allowance=event.allowed.map(lambda own: own is not None),
        called=event.called,
    )


def end(game: Game, event: End, at: int) -> Game:
    """End the game for the given reason."""
    if game.phase is Phase.OVER:
        raise EventNotAllowed("the game is over already")
    if (event.reason == SIX_ZEROS and game.rulebook.six_zeros_by == "never") or (
        event.reason == RESIGNATION and game.rulebook.resignation_by == "never"
    ):
        raise EventNotAllowed("the rulebook ends no game for this reason")
    if event.reason in WITH_LOSER and event.loser is None:
        raise EventNotAllowed("this reason needs the loser")
    if event.reason not in WITH_LOSER and event.loser is not None:
        raise EventNotAllowed("this reason has no loser")
    return finish(game, at, event.reason, loser=event.loser)


def reopen(game: Game, event: Reopen, at: int) -> Game:
    """Continue a game after found tiles or a wrong end, with the clocks stopped.

    After an out play the opponent is on turn: the out player has used that turn (2017 III.G.5.7, V.C.3; NZ 6.10.6, 6.11.5).
    """
    require_phase(game, Phase.OVER)
    out_player = None if game.end is None else game.end.out_player
    turn = game.turn if out_player is None else out_player.other
    return game.replace(
        turn=turn,
        turn_used=game.turn_used if turn is game.turn else 0,
        phase=Phase.NEUTRAL,
        reason=None,
        loser=None,
        end=None,
        window=None,
        stopped=at,
        neutralised=False,
        judged=None,
    )


def give_reason(game: Game, event: Reason, at: int) -> Game:
    """Note why the clock stands; an earlier reason is replaced (2017 II.A)."""
    if not (game.phase is Phase.NEUTRAL and game.neutralised):
        raise EventNotAllowed("there is no stop to give a reason for")
    return game.replace(reason=event.reason)


def call(game: Game, event: Call, at: int) -> Game:
    """Call the director, which explains a stop without a reason; or answer the call.

    Called within the 20 s of an out play, they count no further: the director says how it goes on (2017 II.A, V.C.2).
    """
    explains = event.on and game.unexplained
    if event.on and game.phase is Phase.OUT_PLAY and game.rulebook.out_play_ends_game:
        return game.replace(called=True, phase=Phase.NEUTRAL, window=None, neutralised=False, judged=None)
    return game.replace(called=event.on, reason=DIRECTOR_CALLED) if explains else game.replace(called=event.on)


def swap(game: Game, event: Swap, at: int) -> Game:
    """Exchange all that belongs to the sides when the players change seats."""
    require_phase(game, Phase.READY, Phase.NEUTRAL)
    return game.replace(
        used=game.used.swapped(),
        allowed=game.allowed.swapped(),
        own_allowance=game.own_allowance.swapped(),
        credit=game.credit.swapped(),
        points=game.points.swapped(),
        infractions=game.infractions.swapped(),
        turn=_across(game.turn),
        holder=_across(game.holder),
        out_player=_across(game.out_player),
        lost_turn=_across(game.lost_turn),
        window=None,
    )


def infraction(game: Game, event: Infraction, at: int) -> Game:
    """Count an infraction; after every third the director decides on a minute (2017 II.F)."""
    if game.phase is Phase.OVER:
        raise EventNotAllowed("the game is over")
    return game.replace(infractions=game.infractions.replace(event.side, game.infractions.of(event.side) + 1))


def _across(side: Side | None) -> Side | None:
    return None if side is None else side.other
