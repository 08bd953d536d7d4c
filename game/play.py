"""What players do in a game: arriving late, press, stop, hold, out play, challenge and its verdict."""

from __future__ import annotations

from faults.errors import Phrase, as_phrase
from game.events import (
    Arrive,
    By,
    Challenge,
    Decide,
    Hold,
    LateStart,
    Neutralise,
    NotOut,
    OutPlay,
    Press,
    Release,
    Resume,
    Verdict,
    Withdraw,
)
from game.game import OUT_PLAY_REASON, EventNotAllowed, Game, Phase, Window
from game.timed_transitions import charge, finish, stop, without_hold
from rules.side import BySide, Side
from rules.verdict import turn_and_points


def late_start(game: Game, event: LateStart, at: int, by: By) -> Game:
    """Start the absent player's clock; with both absent, time counts but is not charged yet (2017 III.C)."""
    absent = (Side.LEFT, Side.RIGHT) if event.side is None else (event.side,)
    return game.replace(phase=Phase.LATE, absent=absent, running=event.side, since=at, window=None)


def arrive(game: Game, event: Arrive, at: int, by: By) -> Game:
    """Note that an absent player has arrived; used time stays used (2017 III.C).

    With both absent, the other is charged from the start, and the first to arrive owes the time at the end; or starts with what is left (NZ 4.2).
    """
    if game.phase is not Phase.LATE or event.side not in game.absent:
        raise EventNotAllowed(Phrase("{side} is not absent", side=as_phrase(event.side.value)))
    if game.running is not None:
        return stop(game, at, phase=Phase.READY, absent=(), window=None)
    other = event.side.other
    return game.replace(**_lost(game, event.side, at - game.since), absent=(other,), running=other, window=None)


def _lost(game: Game, side: Side, elapsed: int) -> dict[str, BySide[int]]:
    """Return what the first of two absent players loses by ``elapsed`` ns: not used time, because that time is charged to the other side."""
    if game.rulebook.first_arrival_owes:
        return {"credit": game.credit.replace(side, game.credit.of(side) - elapsed)}
    return {"allowed": game.allowed.replace(side, game.allowed.of(side) - elapsed)}


def press(game: Game, event: Press, at: int, by: By) -> Game:
    """A player's own button starts the other player's clock: always (docs/spec/rules.md, "Restarting")."""
    if game.out_player is not None and game.phase is not Phase.ADJUDICATION:
        return _press_out_play(game, event.side, at)
    if game.phase in (Phase.RUNNING, Phase.HOLD) and event.side is game.running:
        # The turn is over, and a hold with it; not where the other player's clock ran for a decision (2017 IV.B.5.b).
        ended = game.replace(holder=None) if game.holder is event.side else game
        if game.rulebook.increment_ns and game.turn is event.side:
            allowed = ended.allowed.replace(event.side, ended.allowed.of(event.side) + game.rulebook.increment_ns)
            ended = ended.replace(allowed=allowed)
        return _run(ended, event.side.other, at)
    if game.phase in (Phase.READY, Phase.NEUTRAL, Phase.ADJUDICATION):
        return _run(game, event.side.other, at)
    side, phase = as_phrase(event.side.value), as_phrase(game.phase.value)
    raise EventNotAllowed(Phrase("{side} cannot start the other clock in {phase}", side=side, phase=phase))


def neutralise(game: Game, event: Neutralise, at: int, by: By) -> Game:
    """Stop the clock; a hold and an out play remain (2017 IV.I.2)."""
    return stop(game, at, phase=Phase.NEUTRAL, reason=event.reason, neutralised=True, judged=None, window=None)


def hold(game: Game, event: Hold, at: int, by: By) -> Game:
    """Hold while the clock runs on; on an out play, act as the out player's press, which starts the opponent's clock (2017 IV.I.2, V.E)."""
    if game.phase is Phase.OUT_PLAY and game.out_player is not None:
        if game.hold_noted:
            raise EventNotAllowed("there is a hold already")
        if not game.rulebook.out_play_ends_game:
            return game.replace(hold_noted=True, hold_since=at)
        return _press_out_play(game, game.out_player, at)
    if game.out_player is not None or game.turn is None:
        raise EventNotAllowed("a hold needs a player on turn and no out play pending")
    if game.holder is not None:
        raise EventNotAllowed("there is a hold already")
    if game.phase is Phase.NEUTRAL:
        # It may be called until the opponent has drawn, so also while the clock stands (2017 IV.I.1).
        return game.replace(holder=game.turn, hold_since=at)
    return game.replace(phase=Phase.HOLD, holder=game.turn, hold_since=at, window=None)


def release(game: Game, event: Release, at: int, by: By) -> Game:
    """End the hold and let the play stand; this accepts an out play and ends the game (2017 V.E)."""
    stands = game.holder is not None or game.out_player is not None
    if not (game.phase in (Phase.HOLD, Phase.OUT_PLAY) or (game.phase is Phase.NEUTRAL and stands)):
        raise EventNotAllowed("there is no hold to release")
    if game.out_player is not None:
        return finish(game, at, OUT_PLAY_REASON)
    return without_hold(game)


def out_play(game: Game, event: OutPlay, at: int, by: By) -> Game:
    """Stop the clock for the out play. Where the clock stands already, the window counts from that stop only if it was for the out play (2017 V.E).

    A stop for a challenge or for another reason told the opponent of no out play: it counts from the declaration.
    """
    if game.turn is None:
        raise EventNotAllowed("no player is on turn")
    if game.out_player is not None:
        raise EventNotAllowed("an out play is pending already")
    stopped = stop(game, at)
    for_this = game.running is not None or (game.neutralised and game.reason in (None, OUT_PLAY_REASON))
    begins = (stopped.stopped if for_this else at) + (event.declared_after or 0)
    window = Window("out_play", begins, game.rulebook.windows["out_play"])
    return stopped.replace(
        phase=Phase.OUT_PLAY, out_player=game.turn, window=window, holder=None, hold_since=None, reason=None, lost_turn=None
    )


def not_out(game: Game, event: NotOut, at: int, by: By) -> Game:
    """Clear an alleged out play: the turn was used, so the opponent is on turn, and a hold or challenge of the play stands on (2017 V.C.3, V.C.4; NZ 6.10.6, 6.11.5)."""
    if game.out_player is None:
        raise EventNotAllowed("no out play is pending")
    turn = game.out_player.other
    cleared = game.replace(
        out_player=None, hold_noted=False, turn=turn, turn_used=0 if turn is not game.turn else game.turn_used, window=None
    )
    if game.hold_noted and game.phase is Phase.OUT_PLAY:
        # Said, but no clock ran for it (NZ 8.2).
        cleared = cleared.replace(holder=turn)
    if game.phase is Phase.OUT_PLAY:
        return cleared.replace(phase=Phase.NEUTRAL, neutralised=False, judged=None)
    return cleared if game.phase is not Phase.HOLD or game.holder is not None else cleared.replace(phase=Phase.RUNNING)


def resume(game: Game, event: Resume, at: int, by: By) -> Game:
    """Start that side's clock and turn; nothing is pending."""
    return _run(game, event.side, at)


def decide(game: Game, event: Decide, at: int, by: By) -> Game:
    """Start that side's clock for a decision; the turn does not change, and a hold stands on (2017 IV.B.5.b)."""
    if game.turn is None or game.out_player is not None:
        raise EventNotAllowed("a clock runs for a decision only with a player on turn and no out play pending")
    return game.replace(phase=Phase.RUNNING, running=event.side, since=at, deciding=True, window=None, reason=None, lost_turn=None)


def _press_out_play(game: Game, side: Side, at: int) -> Game:
    out_player = game.out_player
    if side is not out_player:
        if game.phase not in (Phase.OUT_PLAY, Phase.HOLD, Phase.NEUTRAL):
            raise EventNotAllowed(Phrase("the out play cannot be accepted in {phase}", phase=as_phrase(game.phase.value)))
        return finish(game, at, OUT_PLAY_REASON)
    if game.phase is Phase.OUT_PLAY and not game.rulebook.out_play_ends_game and at < game.out_play_ends:
        raise EventNotAllowed("the opponent's clock may be started only once the out play window is over")  # NZ 8.2.1
    if game.phase not in (Phase.OUT_PLAY, Phase.NEUTRAL):
        raise EventNotAllowed("the opponent's clock is running already")
    # In New Zealand the opponent's clock running is no hold by itself (NZ 8.2.1).
    holds = game.rulebook.out_play_ends_game or game.hold_noted or game.holder is not None
    since = at if game.hold_since is None else game.hold_since
    started = _run(game.replace(holder=None, hold_since=None), side.other, at)
    return started.replace(
        phase=Phase.HOLD, out_player=out_player, holder=side.other if holds else None, hold_since=since if holds else None
    )


def _run(game: Game, side: Side, at: int) -> Game:
    """Start that side's clock and turn; a hold continues on the holder's clock and ends with any other."""
    holds = game.holder is side
    changes = {
        "phase": Phase.HOLD if holds else Phase.RUNNING,
        "running": side,
        "since": at,
        "turn": side,
        "hold_noted": False,
        "out_player": None,
        "challenger": None,
        "window": None,
        "reason": None,
        "lost_turn": None,
    }
    # Written only where they change: most events are presses, and replay must stay fast.
    if game.hold_since is not None and not holds:
        changes["hold_since"] = None
    if game.holder is not None and not holds:
        changes["holder"] = None
    if game.rulebook.draw_from_press and game.turn is not side:
        # Also where the director or the station gives the turn: the instant of an earlier press would let a hold end at once.
        changes["pressed"] = at
    if game.rulebook.delay_ns or game.rulebook.turn is not None:
        changes |= _turn_clock(game, side, at)
    return charge(game, at, changes)


def _turn_clock(game: Game, side: Side, at: int) -> dict[str, int]:
    """Return the changes for a turn's clock that starts: the delay is the first part of a turn, which a stop only pauses."""
    used = game.turn_used if game.turn is side else 0
    return {"since": at + max(0, game.rulebook.delay_ns - used), "turn_used": used, "turn_since": at}


def challenge(game: Game, event: Challenge, at: int, by: By) -> Game:
    """Stop the clock for a challenge, which makes it binding (2017 IV.I.3); during an adjudication, correct who challenges."""
    if game.phase is Phase.ADJUDICATION:
        return _with_challenger(game, event)
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
    if by is By.PLAYERS and not game.rulebook.challenge.may_withdraw:
        raise EventNotAllowed("only the director may withdraw a challenge under this rulebook")
    return game.replace(phase=Phase.NEUTRAL, challenger=None, window=None, neutralised=False, judged=None)


def verdict(game: Game, event: Verdict, at: int, by: By) -> Game:
    """Apply the verdict on the play; the rulebook decides turn and points (2017 IV.J, VI.B.3; NZ 6.16, 6.17)."""
    challenger = game.challenger
    if game.phase is not Phase.ADJUDICATION or challenger is None:
        raise EventNotAllowed("no challenge is being adjudicated")
    follows = turn_and_points(
        game.rulebook.challenge, acceptable=event.acceptable, words=event.words, challenger=challenger, challenged=challenger.other
    )
    judged = game.replace(
        phase=Phase.NEUTRAL,
        turn=follows.turn,
        lost_turn=follows.lost_turn,
        turn_used=game.turn_used if follows.turn is game.turn else 0,
        points=game.points.replace(follows.points_of, game.points.of(follows.points_of) + follows.points),
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
