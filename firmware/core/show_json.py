"""The output of ``show``: the face as one JSON object (docs/spec/events.md, "Output").

Live clock and replay use the same function, so their output can be compared with an exported journal.
"""

from __future__ import annotations

import json
from typing import Any

from firmware.core.game import Game, Phase, Window
from rules.duration import NS, format_seconds, reading
from rules.side import Side


def show_line(game: Game, now: int, t: str) -> str:
    """Return one line of JSON for ``game`` (already advanced) at ``now`` (ns); ``t`` is that instant as text."""
    head = {
        "t": t,
        "phase": game.phase.value,
        "running": _word(game.running),
        "turn": _word(game.turn),
        "loser": _word(game.loser),
        "lost_turn": _word(game.lost_turn),
        "reason": game.reason if game.phase in (Phase.NEUTRAL, Phase.OVER) else None,
    }
    left, right = (_side(game, side, now) for side in Side)
    elapsed = game.elapsed(now)
    tail = {
        "window": _window(game.window_at(now), now),
        "holder": _word(game.holder),
        "draw": _counted(game.draw, now),
        "elapsed": None if elapsed is None else reading(elapsed // NS * NS),
        "called": game.called,
    }
    turn_left = game.turn_left(now)
    if turn_left is not None:
        tail["turn_left"] = reading(turn_left)
    return f'{json.dumps(head)[:-1]}, "left": {left}, "right": {right}, {json.dumps(tail)[1:]}'


def _side(game: Game, side: Side, now: int) -> str:
    used = game.used_at(side, now)
    return (
        f'{{"reading": "{reading(game.remaining(side, now))}", "used_ns": {used}, "penalty": {game.penalty(side, now)}, '
        f'"credit": {format_seconds(game.credit.of(side))}, "points": {game.points.of(side)}, '
        f'"infractions": {game.infractions.of(side)}}}'
    )


def _window(window: Window | None, now: int) -> dict[str, Any] | None:
    counted = _counted(window, now)
    if window is None or counted is None:
        return None
    return {"name": window.name, **counted} if window.side is None else {"name": window.name, **counted, "side": window.side.value}


def _counted(window: Window | None, now: int) -> dict[str, Any] | None:
    if window is None:
        return None
    left = max(0, window.ends - now)
    return {"reading": reading(left), "expired": left == 0}


def _word(side: Side | None) -> str | None:
    return None if side is None else side.value
