"""The challenge on the clock: stopping for it, its verdict, and who is on turn afterwards."""

from __future__ import annotations

from game.events import By, Challenge, Verdict, Withdraw
from game.game import OUT_PLAY_REASON, Game, Phase
from game.not_allowed import EventNotAllowed, require_phase
from game.timed_transitions import finish, stop


def challenge(game: Game, event: Challenge, at: int) -> Game:
    """Stop the clock for a challenge, which makes it binding (2017 IV.I.3); during an adjudication, correct who challenges."""
    if game.phase is Phase.ADJUDICATION:
        return _with_challenger(game, event)
    require_phase(game, Phase.RUNNING, Phase.HOLD, Phase.NEUTRAL, Phase.OUT_PLAY)
    if game.turn is None:
        raise EventNotAllowed("no player is on turn")
    challenger = event.side or (game.out_player.other if game.out_player is not None else game.turn)
    return stop(
        game,
        at,
        phase=Phase.ADJUDICATION,
        challenger=challenger,
        holder=None,
        hold_since=None,
        hold_noted=False,
        window=None,
        reason=None,
        lost_turn=None,
    )


def withdraw(game: Game, event: Withdraw, at: int, by: By) -> Game:
    """Cancel the challenge: turn and out play are as before, a hold ends (2017 IV.I.3); where the rules forbid it, only the director does (NZ 6.12.2.1)."""
    require_phase(game, Phase.ADJUDICATION)
    if by is By.PLAYERS and not game.rulebook.challenge.may_withdraw:
        raise EventNotAllowed("only the director may withdraw a challenge under this rulebook")
    return game.replace(phase=Phase.NEUTRAL, challenger=None, window=None, neutralised=False, judged=None)


def verdict(game: Game, event: Verdict, at: int) -> Game:
    """Apply the verdict on the play; the rulebook decides turn and points (2017 IV.J, VI.B.3; NZ 6.16, 6.17)."""
    challenger = game.challenger
    if game.phase is not Phase.ADJUDICATION or challenger is None:
        raise EventNotAllowed("no challenge is being adjudicated")
    challenged = challenger.other
    rule = game.rulebook.challenge
    if not event.acceptable:
        turn, lost_turn = challenger, challenged
    elif rule.acceptable_loses_turn:
        turn, lost_turn = challenged, challenger
    else:
        turn, lost_turn = challenger, None
    points = rule.points_a_word * event.words + rule.points_a_challenge if event.acceptable else 0
    side, change = (challenged, points) if rule.points_are == "given" else (challenger, -points)
    judged = game.replace(
        phase=Phase.NEUTRAL,
        turn=turn,
        lost_turn=lost_turn,
        turn_used=game.turn_used if turn is game.turn else 0,
        points=game.points.replace(side, game.points.of(side) + change),
        out_player=None,
        challenger=None,
        window=None,
        neutralised=False,
        judged=event.acceptable,
    )
    return finish(judged, at, OUT_PLAY_REASON) if event.acceptable and game.out_player is not None else judged


def _with_challenger(game: Game, event: Challenge) -> Game:
    if event.side is None or event.side is game.challenger:
        raise EventNotAllowed("that player challenges already")
    if game.out_player is not None:
        raise EventNotAllowed("only the out player's opponent can challenge the out play")
    return game.replace(challenger=event.side)
