"""The text of a player's half: the player's status, and the one instruction to that player (docs/spec/events.md, "The face")."""

from __future__ import annotations

from typing import Final

from firmware.gestures.meaning import decider
from firmware.texts.message import KeyedMessage, message
from game.game import Ending, Game, Phase
from game.rulings import FORFEIT, RESIGNATION
from rules.duration import reading
from rules.side import Side

_LOSES: Final = {Ending.LIMIT.value: "lost_limit", FORFEIT: "forfeited", RESIGNATION: "resigned"}
_HOLDS: Final = ("hold_counting", "hold_draw", "hold_no_draw")
_ON_HOLD: Final = ("on_hold_counting", "on_hold_draw", "on_hold_no_draw")
"""While the courtesy draw counts, once it may be made, and where the rulebook has none."""
_QUIET: Final = frozenset({"prompt.your_turn", "prompt.wait"})


def status(game: Game, side: Side) -> str:
    """Return that player's status as a key under ``status``."""
    if game.out_player is not None and game.phase is Phase.HOLD:
        # In New Zealand the opponent's clock may start without a hold (NZ 8.2.1).
        return "out_open" if game.holder is None else "out_held"
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
    return _LOSES.get(game.reason or "", "none") if game.loser is side else "none"


def prompt(game: Game, side: Side, now: int) -> KeyedMessage:
    """Return the one instruction to that player at ``now`` (ns)."""
    key, values = _prompt(game, side, now)
    return message(f"prompt.{key}", **values)


def is_quiet(told: KeyedMessage) -> bool:
    """Return whether an instruction is a reminder only: a turn runs, which needs none."""
    return told.key in _QUIET


def _prompt(game: Game, side: Side, now: int) -> tuple[str, dict[str, str]]:
    if game.phase is Phase.ADJUDICATION:
        return _adjudication(game, side), {}
    if game.phase is Phase.OVER:
        return _over(game, side), {}
    if game.out_player is not None:
        return _out_play(game, side, now)
    if game.phase is Phase.HOLD:
        return _hold(game, side, now)
    return _own_button(game, side, now), {}


def _own_button(game: Game, side: Side, now: int) -> str:
    match game.phase:
        case Phase.LATE:
            return "arrive" if side in game.absent else "opponent_late"
        case Phase.RUNNING if game.turn is game.running:
            return "your_turn" if game.running is side else "wait"
        case Phase.RUNNING:
            return "decide" if game.running is side else "opponent_decides"
        case Phase.NEUTRAL:
            return _restart(game, side, now)
    return "start"


def _restart(game: Game, side: Side, now: int) -> str:
    decides = decider(game, now)
    if decides is not None:
        return "decision_wait" if decides is side else "decision_start"
    if game.turn is None:
        return "nothing"
    return "wait_start" if game.turn is side else "start"


def _hold(game: Game, side: Side, now: int) -> tuple[str, dict[str, str]]:
    counting, draw, none = _HOLDS if game.running is side else _ON_HOLD
    if game.draw is None:
        return none, {}
    left = game.draw.ends - now
    return (counting, {"reading": reading(left)}) if left > 0 else (draw, {})


def _adjudication(game: Game, side: Side) -> str:
    if game.challenger is side:
        return "challenger"
    # Only the opponent of an out play can challenge it.
    return "challenged" if game.out_player is None else "challenged_out"


def _over(game: Game, side: Side) -> str:
    if game.ending is not Ending.LIMIT:
        return "signed"
    return "limit_lost" if game.loser is side else "limit_won"


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


def _out_play(game: Game, side: Side, now: int) -> tuple[str, dict[str, str]]:
    if side is game.out_player:
        return _out_player(game, now)
    return ("out_play_answer" if game.phase is Phase.OUT_PLAY else "out_play_held"), {}


def _out_player(game: Game, now: int) -> tuple[str, dict[str, str]]:
    left = game.out_play_ends - now
    if game.phase is Phase.HOLD:
        return ("out_open" if game.holder is None else "out_held"), {}
    if game.phase is Phase.NEUTRAL or left <= 0:
        return "start", {}
    return ("out_play_counting" if game.rulebook.out_play_ends_game else "out_play_wait"), {"reading": reading(left)}
