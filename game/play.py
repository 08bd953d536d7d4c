"""What players do in a game: arriving late, press, stop, hold, out play, challenge and its verdict."""

from faults.errors import Phrase, as_phrase
from game.events import (
    Arrive,
    By,
    Challenge,
    Decide,
    GameEvent,
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
from game.game import (
    OUT_PLAY_REASON,
    OUT_PLAY_WINDOW,
    Adjudication,
    EventNotAllowed,
    Game,
    Held,
    Late,
    OutPlaying,
    Over,
    Phase,
    Ready,
    Running,
    Stopped,
    Turn,
    Window,
    charge,
    finish,
    needed,
    without_hold,
)
from game.game import Hold as StandingHold
from rules.side import Side
from rules.verdict import turn_and_points


def late_start(game: Game, event: LateStart, at: int, by: By) -> Game:
    """Start the absent player's clock, no earlier than the rules allow; with both absent, time counts but is not charged yet (2017 III.C)."""
    absent = (Side.LEFT, Side.RIGHT) if event.side is None else (event.side,)
    began, window = at - (event.ago or 0), game.window
    if window is not None and window.name == "late_start" and began < window.ends:
        raise EventNotAllowed("the late player still has time", until=window.ends)
    return game.replace(state=Late(absent, began, event.side, began), window=None)


def arrive(game: Game, event: Arrive, at: int, by: By) -> Game:
    """Note that an absent player has arrived; used time stays used (2017 III.C)."""
    late = game.state
    if not isinstance(late, Late) or event.side not in late.absent:
        phases = () if isinstance(late, Late) else (Phase.LATE,)
        raise EventNotAllowed(Phrase("{side} is not absent", side=as_phrase(event.side.value)), phases=phases)
    if late.side is not None:
        return charge(game, at, state=Ready(), window=None)
    other = event.side.other
    return _first_of_both(game, event.side, at - late.began).replace(state=Late((other,), late.began, other, late.since), window=None)


def _first_of_both(game: Game, side: Side, elapsed: int) -> Game:
    """Return the game after the first of two absent players has come, ``elapsed`` ns late: that player has used no time, for it is charged to the other one.

    The player owes it at the end (2017 III.C), starts with what is left (NZ 4.2), or both lose half of it.
    """
    match game.rulebook.both_absent:
        case "owed":
            return game.add(side, credit=-elapsed)
        case "left":
            return game.add(side, allowed=-elapsed)
        case "halved":
            half = elapsed // 2
            return game.add(side, allowed=-half).add(side.other, allowed=half)


def press(game: Game, event: Press, at: int, by: By) -> Game:
    """A player's own button starts the other player's clock: always (docs/spec/rules.md, "Restarting").

    Where the other player makes no more moves, it starts the own one, for a new turn.
    """
    state, side = game.state, event.side
    if game.out_player is not None and not isinstance(state, Adjudication):
        return _press_out_play(game, side, at)
    if isinstance(state, Running) and side is state.side:
        # The turn is over, and a hold with it; not where the other player's clock ran for a decision (2017 IV.B.5.b).
        if game.hold is not None and game.hold.side is side:
            game = game.replace(hold=None)
        increment, counts = game.rulebook.increment_ns, game.rulebook.turns is not None
        if (increment or counts) and game.turn is side:
            game = game.add(side, allowed=increment, turns=int(counts))
        if counts and game.turns_over:
            return _answered_as_out_play(game, side, at)
    elif not isinstance(state, (Ready, Stopped, Adjudication)):
        raise EventNotAllowed(Phrase("{side} cannot start the other clock", side=as_phrase(side.value)))
    if game.makes_no_more_moves(side.other):
        return _run(game.replace(on_turn=None), side, at)
    return _run(game, side.other, at)


def _answered_as_out_play(game: Game, side: Side | None, at: int, since: int | None = None) -> Game:
    """Return the game after the last play of all, by ``side``: the clock stands, and its window counts from ``since`` (ns; None: ``at``)."""
    length = game.rulebook.windows[OUT_PLAY_WINDOW]
    window = Window(OUT_PLAY_WINDOW, at if since is None else since, length)
    return charge(game, at, state=OutPlaying(), out_player=side, window=window, hold=None)


def neutralise(game: Game, event: Neutralise, at: int, by: By) -> Game:
    """Stop the clock; a hold and an out play remain (2017 IV.I.2)."""
    return charge(game, at, state=Stopped(at, explicit=True, reason=event.reason), window=None)


def whose(game: Game, event: GameEvent) -> Side | None:
    """Return the player whose act ``event`` is in this game, where the event does not name one: who holds, releases, plays out or challenges; else None."""
    match event:
        case OutPlay():
            return game.turn
        case Challenge(None) | Hold():
            return _answerer(game)
        case Release():
            return game.holder if game.out_player is None else game.out_player.other
        case _:
            return None


def _answerer(game: Game) -> Side | None:
    """Return who may hold or challenge: the player on turn, or the out player's opponent."""
    return game.turn if game.out_player is None else game.out_player.other


def hold(game: Game, event: Hold, at: int, by: By) -> Game:
    """Hold while the clock runs on; on an out play, act as the out player's press, which starts the opponent's clock (2017 IV.I.2, V.E)."""
    state, side = game.state, _answerer(game)
    if side is None or (game.out_player is not None and not isinstance(state, OutPlaying)):
        raise EventNotAllowed("a hold needs a player on turn and no out play pending")
    held = StandingHold(side, at, 0 if game.on_turn is None else game.on_turn.used_at(at))
    if game.out_player is not None:
        return _press_out_play(game, game.out_player, at) if game.rulebook.out_play_ends_game else game.replace(hold=held)
    if isinstance(state, Running):
        return game.replace(state=Held(state.side, state.since), hold=held, window=None)
    # It may be called until the opponent has drawn, so also while the clock stands (2017 IV.I.1).
    return game.replace(hold=held)


def release(game: Game, event: Release, at: int, by: By) -> Game:
    """End the hold and let the play stand; this accepts an out play and ends the game (2017 V.E)."""
    return without_hold(game) if game.out_player is None else finish(game, at, game.accepted_reason)


def out_play(game: Game, event: OutPlay, at: int, by: By) -> Game:
    """Stop the clock for the out play.

    Where the clock stands already, without a reason or for the out play, the window counts from that stop (2017 V.E: a stop for the final play alone needs no
    word, II.A), unless less than half of it is left: then that stop told the opponent of no out play, and the window counts from the declaration. So it does
    after a stop for something else.
    """
    length, state = game.rulebook.windows[OUT_PLAY_WINDOW], game.state
    for_this = isinstance(state, Stopped) and state.explicit and state.reason in (None, OUT_PLAY_REASON)
    begins = state.at if isinstance(state, Stopped) and for_this and 2 * (at - state.at) <= length else at
    return _answered_as_out_play(game, game.turn, at, begins)


def not_out(game: Game, event: NotOut, at: int, by: By) -> Game:
    """Clear an alleged out play: the turn was used, so the opponent is on turn, and a hold or challenge of the play stands on (2017 V.C.3, V.C.4; NZ 6.10.6, 6.11.5).

    Also after the end that it brought about, until both have signed (2017 V.C.3).
    """
    out_player = needed(game.alleged_out_player, "no out play is pending")
    if game.turns_over:
        raise EventNotAllowed("both players have played all their turns")
    state = game.state
    if isinstance(state, (OutPlaying, Over)):
        state = Stopped(at, ruling="not_out")
    elif isinstance(state, Held) and game.hold is None:
        state = Running(state.side, state.since)
    return game.replace(state=state, out_player=None, on_turn=_turn_of(game, out_player.other), window=None)


def _turn_of(game: Game, side: Side) -> Turn:
    return game.on_turn if game.on_turn is not None and game.on_turn.side is side else Turn(side)


def resume(game: Game, event: Resume, at: int, by: By) -> Game:
    return _run(game, event.side, at)


def decide(game: Game, event: Decide, at: int, by: By) -> Game:
    """Start that side's clock for a decision; the turn does not change, and a hold stands on (2017 IV.B.5.b)."""
    return game.replace(state=Running(event.side, at, deciding=True), window=None)


def _press_out_play(game: Game, side: Side, at: int) -> Game:
    state, out_player = game.state, game.out_player
    if side is not out_player:
        if not isinstance(state, (OutPlaying, Held, Stopped)):
            raise EventNotAllowed(Phrase("the out play cannot be accepted in {phase}", phase=as_phrase(game.phase.value)))
        return finish(game, at, game.accepted_reason)
    if isinstance(state, OutPlaying) and not game.rulebook.out_play_ends_game and at < game.out_play_ends:
        # NZ 8.2.1
        raise EventNotAllowed("the out play's time frame is not over", until=game.out_play_ends)
    if not isinstance(state, (OutPlaying, Stopped)):
        raise EventNotAllowed("the opponent's clock is running already")
    held = game.hold
    if held is None and game.rulebook.out_play_ends_game:
        # In New Zealand the opponent's clock running is no hold by itself (NZ 8.2.1).
        held = StandingHold(side.other, at)
    started = _run(game, side.other, at)
    return started.replace(state=Held(side.other, at), out_player=out_player, hold=held)


def _run(game: Game, side: Side, at: int) -> Game:
    """Start that side's clock and turn; a hold continues on the holder's clock and ends with any other. A delay is the first part of a turn, which a stop only pauses."""
    turn, delay = game.on_turn, game.rulebook.delay_ns
    used = turn.used_at(at) if turn is not None and turn.side is side else 0
    since = at + max(0, delay - used) if delay else at
    holds = game.hold is not None and game.hold.side is side
    changes = {"state": (Held if holds else Running)(side, since), "on_turn": Turn(side, used, at), "window": None, "out_player": None}
    # Written only where it changes: most events are presses, and replay must stay fast.
    if game.hold is not None and not holds:
        changes["hold"] = None
    return charge(game, at, **changes)


def challenge(game: Game, event: Challenge, at: int, by: By) -> Game:
    """Stop the clock for a challenge, which makes it binding; during an adjudication, correct who challenges."""
    challenger = needed(None if game.turn is None else event.side or _answerer(game), "no player is on turn")
    if isinstance(game.state, Adjudication):
        return game.replace(state=Adjudication(challenger))
    return charge(game, at, state=Adjudication(challenger), hold=None, window=None)


def withdraw(game: Game, event: Withdraw, at: int, by: By) -> Game:
    """Cancel the challenge: turn and out play are as before, a hold ends (2017 IV.I.3); where the rules forbid it, only the director does (NZ 6.12.2.1)."""
    return game.replace(state=Stopped(at, ruling="withdrawn"), window=None)


def verdict(game: Game, event: Verdict, at: int, by: By) -> Game:
    """Apply the verdict on the play; the rulebook decides turn and points (2017 IV.J, VI.B.3; NZ 6.16, 6.17)."""
    challenger = needed(game.challenger, "no challenge is being adjudicated")
    rule = game.rulebook.challenge
    follows = turn_and_points(rule, acceptable=event.acceptable, words=event.words, challenger=challenger, challenged=challenger.other)
    ends = event.acceptable and game.out_player is not None
    if event.acceptable and follows.lost_turn is not None and game.rulebook.turns is not None:
        game = game.add(follows.lost_turn, turns=1)
    turn = follows.turn.other if game.makes_no_more_moves(follows.turn) else follows.turn
    if follows.points:
        game = game.add(follows.points_of, points=follows.points)
    judged = game.replace(
        state=Stopped(at, ruling="acceptable" if event.acceptable else "unacceptable", lost_turn=follows.lost_turn),
        on_turn=_turn_of(game, turn),
        out_player=None,
        window=None,
    )
    return finish(judged, at, judged.accepted_reason) if ends or judged.turns_over else judged
