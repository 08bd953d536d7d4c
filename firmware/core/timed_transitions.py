"""What happens by itself: the end of an out play window, the overtime limit, a forfeit.

Each has its own instant, whether anybody looks or not. ``advance`` brings a game to an instant; ``next_transition`` says what to wake up for.
"""

from __future__ import annotations

from typing import Any

from firmware.core.game import OUT_PLAY_REASON, Ending, Game, Phase, Window
from rules.duration import NS
from rules.side import Side


def advance(game: Game, now: int) -> Game:
    """Return the game at ``now`` (ns), with all that has happened by itself until then, that instant included."""
    due = next_transition(game)
    return game if due is None or due > now else _happen(game, due)


def settle(game: Game, now: int) -> Game:
    """Return the game with what an event at ``now`` made due at once or before: it happens at ``now``."""
    due = next_transition(game)
    return game if due is None or due > now else _happen(game, now)


def next_transition(game: Game) -> int | None:
    """Return the instant (ns) at which something next happens by itself if nobody does anything, or None."""
    if game.phase is Phase.LATE:
        limit = _limit_instant(game)
        forfeit = _forfeit_instant(game)
        return forfeit if limit is None else min(forfeit, limit)
    if game.running is not None:
        return _limit_instant(game)
    if game.phase is Phase.OUT_PLAY and game.rulebook.out_play_ends_game:
        return game.out_play_ends
    return None


def finish(game: Game, at: int, reason: str, *, ending: Ending | None = None, loser: Side | None = None) -> Game:
    """Return the game over at ``at``: clocks stopped, nothing pending; the recount window where the rulebook starts it (2014 V.I)."""
    recounts = game.rulebook.recount_starts_itself and ending is None
    return stop(
        game,
        at,
        phase=Phase.OVER,
        reason=reason,
        ending=ending,
        loser=loser,
        lost_turn=None,
        holder=None,
        hold_noted=False,
        out_player=None,
        challenger=None,
        absent=(),
        window=Window("recount", at, game.rulebook.windows["recount"]) if recounts else None,
    )


def stop(game: Game, at: int, **changes: Any) -> Game:
    """Return the game with the running clock stopped at ``at`` and charged, and with ``changes``: the one place where time is charged.

    The changes come along because an event makes one new game, not two: replay has to stay quick.
    """
    side = game.running
    if side is not None:
        changes.setdefault("running", None)
        changes["stopped"] = at
        changes["used"] = game.used.replace(side, game.used.of(side) + at - game.since)
    return game.with_changes(changes)


def _limit_instant(game: Game) -> int | None:
    """When the running side's remaining time and credit read the limit (2012 V.F.3, 2014 V.G, 2017 V.G.3)."""
    side, limit = game.running, game.rulebook.limit
    if side is None or limit is None:
        return None
    allowed, credit, used = game.allowed, game.credit, game.used
    # The pairs taken apart once: this is asked twice for every event.
    left = allowed.left + credit.left - used.left if side is Side.LEFT else allowed.right + credit.right - used.right
    return game.since + left - limit.reading_s * NS


def _forfeit_instant(game: Game) -> int:
    """When the absent player forfeits (2017 III.C, NZ 4.2); with both absent, counted from the larger allowance."""
    side = game.running
    left = max(game.allowed.left, game.allowed.right) if side is None else game.allowed.of(side) - game.used.of(side)
    return game.since + left - game.rulebook.forfeit_remaining_s * NS


def _happen(game: Game, at: int) -> Game:
    side = game.running
    if game.phase is Phase.OUT_PLAY:
        return finish(game, at, OUT_PLAY_REASON)
    if game.phase is Phase.LATE and _forfeit_instant(game) <= at:
        ending = Ending.DOUBLE_FORFEIT if side is None else Ending.FORFEIT
        return finish(game, at, ending.value, ending=ending, loser=side)
    return finish(game, at, Ending.LIMIT.value, ending=Ending.LIMIT, loser=side)
