"""The text of a player's half: the player's status, and what the player's button does now."""

from __future__ import annotations

from firmware.core.game import Ending, Game, Phase
from firmware.texts import Texts
from rules.duration import reading
from rules.side import Side


def status(game: Game, side: Side) -> str:
    """Return that player's status as a key under ``status``."""
    if game.out_player is not None and game.phase is Phase.HOLD:
        # In New Zealand the opponent's clock may start without a hold (NZ 8.2.1).
        return "out_held" if game.rulebook.out_play_ends_game else "out_open"
    if game.out_player is not None and game.phase in (Phase.OUT_PLAY, Phase.NEUTRAL):
        return "out" if game.out_player is side else "opponent_out"
    if game.phase is Phase.LATE:
        return _late(game, side)
    if game.phase is Phase.RUNNING:
        if game.running is side:
            return "your_turn" if game.turn is side else "deciding"
        return "waiting"
    if game.phase is Phase.HOLD:
        return "you_hold" if game.running is side else "on_hold"
    if game.phase is Phase.NEUTRAL:
        return _stopped(game, side)
    if game.phase is Phase.ADJUDICATION:
        return "challenger" if game.challenger is side else "challenged"
    if game.loser is side:
        return "lost_limit" if game.ending is Ending.LIMIT else "forfeited"
    return "none"


def prompt(game: Game, side: Side, now: int, texts: Texts) -> str:
    """Return what that player's button does at ``now`` (ns), as text."""
    if game.out_player is not None and game.phase is not Phase.ADJUDICATION:
        return _out_play(game, side, now, texts)
    if game.phase is Phase.NEUTRAL and game.turn is side:
        return f"{texts.say('prompt.start')} · {texts.say('prompt.restart_turn')}"
    if game.phase in (Phase.RUNNING, Phase.HOLD):
        if game.running is side:
            return texts.say("prompt.end_turn")
        waiting = "hold" if game.phase is Phase.RUNNING else "release"
        return texts.say("prompt.nothing" if game.turn is side else f"prompt.{waiting}")
    if game.phase is Phase.LATE:
        return texts.say("prompt.arrive" if side in game.absent else "prompt.nothing")
    return texts.say(f"prompt.{_ELSEWHERE[game.phase]}")


_ELSEWHERE = {Phase.READY: "start", Phase.NEUTRAL: "start", Phase.ADJUDICATION: "adjudication", Phase.OVER: "signed"}


def _late(game: Game, side: Side) -> str:
    if side not in game.absent:
        return "present"
    return "absent" if game.running is side else "absent_both"


def _stopped(game: Game, side: Side) -> str:
    if game.lost_turn is side:
        return "lost_turn"
    if game.turn is None:
        return "none"
    return "on_turn" if game.turn is side else "off_turn"


def _out_play(game: Game, side: Side, now: int, texts: Texts) -> str:
    if side is not game.out_player:
        return texts.say("prompt.out_play_accept")
    if game.phase is Phase.HOLD:
        return texts.say("prompt.out_held" if game.rulebook.out_play_ends_game else "prompt.out_open")
    if game.phase is Phase.OUT_PLAY and not game.rulebook.out_play_ends_game and now < game.out_play_ends:
        return texts.say("prompt.out_play_wait", reading=reading(game.out_play_ends - now))
    return texts.say("prompt.out_play_hold")
