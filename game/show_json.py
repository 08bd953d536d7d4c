"""The output of ``show``: the face as one JSON object (docs/spec/events.md, "Output").

Live clock and replay use the same function, so their output can be compared with an exported journal.
"""

from __future__ import annotations

import json

from game.game import Game, Phase, Window
from rules.duration import NS, format_seconds, reading
from rules.side import Side


def show_line(game: Game, now: int, t: str) -> str:
    """Return one line of JSON for ``game`` (already advanced) at ``now`` (ns); ``t`` is that instant as text."""
    # Written by hand: an encoder takes three times as long, and a script can show after every event.
    reason = game.reason if game.phase in (Phase.NEUTRAL, Phase.OVER) else None
    elapsed, turn_left = game.elapsed(now), game.turn_left(now)
    last = "" if turn_left is None else f', "turn_left": "{reading(turn_left)}"'
    return (
        f'{{"t": {json.dumps(t)}, "phase": "{game.phase.value}", "running": {_word(game.running)}, "turn": {_word(game.turn)}, '
        f'"loser": {_word(game.loser)}, "lost_turn": {_word(game.lost_turn)}, "reason": {_text(reason)}, '
        f'"left": {_side(game, Side.LEFT, now)}, "right": {_side(game, Side.RIGHT, now)}, '
        f'"window": {_window(game.window_at(now), now)}, "holder": {_word(game.holder)}, "draw": {_counted(game.draw, now)}, '
        f'"elapsed": {_text(None if elapsed is None else reading(elapsed // NS * NS))}, "called": {_flag(game.called)}'
        f"{last}}}"
    )


def _side(game: Game, side: Side, now: int) -> str:
    used = game.used_at(side, now)
    return (
        f'{{"reading": "{reading(game.remaining(side, now))}", "used_ns": {used}, "penalty": {game.penalty(side, now)}, '
        f'"credit": {format_seconds(game.credit.of(side))}, "points": {game.points.of(side)}, '
        f'"infractions": {game.infractions.of(side)}}}'
    )


def _window(window: Window | None, now: int) -> str:
    if window is None:
        return "null"
    decider = "" if window.side is None else f', "side": {_word(window.side)}'
    return f'{{"name": "{window.name}", {_counted(window, now)[1:-1]}{decider}}}'


def _counted(window: Window | None, now: int) -> str:
    if window is None:
        return "null"
    left = max(0, window.ends - now)
    return f'{{"reading": "{reading(left)}", "expired": {_flag(left == 0)}}}'


def _word(side: Side | None) -> str:
    return "null" if side is None else f'"{side.value}"'


def _text(text: str | None) -> str:
    return "null" if text is None else json.dumps(text)


def _flag(value: bool) -> str:
    return "true" if value else "false"
