"""Changes without an event: the end of an out play window, the overtime limit, a forfeit, the end of the longest hold.

Each has its own instant, independent of when the program looks. ``advance`` brings a game to an instant; ``next_due`` returns when to wake.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from game.game import OUT_PLAY_REASON, RECOUNT, Ending, Game, GameEnd, Phase, Window, excludes_recount
from rules.duration import NS
from rules.side import BySide, Side


def advance(game: Game, now: int) -> Game:
    """Return the game at ``now`` (ns), including all timed transitions up to and at that instant."""
    due = next_due(game)
    while due is not None and due <= now:
        game = _happen(game, due)
        due = next_due(game)
    return game


def settle(game: Game, now: int) -> Game:
    """Return the game with any transition that an event at ``now`` made due; it takes effect at ``now``."""
    due = next_due(game)
    while due is not None and due <= now:
        game = _happen(game, now)
        due = next_due(game)
    return game


def next_due(game: Game) -> int | None:
    """Return the instant (ns) of the next transition if no event comes first, or None."""
    if game.phase is Phase.LATE:
        limit = _limit_instant(game)
        forfeit = _forfeit_instant(game)
        return forfeit if limit is None else min(forfeit, limit)
    if game.rulebook.hold_maximum is not None and game.hold_since is not None and game.out_player is None:
        return _earliest(_hold_instant(game), _limit_instant(game))
    if game.running is not None:
        return _limit_instant(game)
    if game.phase is Phase.OUT_PLAY and game.rulebook.out_play_ends_game:
        return game.out_play_ends
    return None


def finish(game: Game, at: int, reason: str, *, ending: Ending | None = None, loser: Side | None = None) -> Game:
    """Return the game over at ``at``: clocks stopped, nothing pending; a recount window if the rulebook starts one (2014 V.I)."""
    recounts = game.rulebook.recount_starts_itself and not excludes_recount(game.rulebook, reason)
    return stop(
        game,
        at,
        phase=Phase.OVER,
        reason=reason,
        loser=loser,
        lost_turn=None,
        end=GameEnd(at, ending, recount_at=at if recounts else None, out_player=game.out_player),
        holder=None,
        hold_since=None,
        hold_noted=False,
        out_player=None,
        challenger=None,
        absent=(),
        window=Window(RECOUNT, at, game.rulebook.windows[RECOUNT]) if recounts else None,
    )


def stop(game: Game, at: int, **changes: Any) -> Game:
    """Return the game with the running clock stopped and charged at ``at``, and with ``changes``."""
    changes.setdefault("running", None)
    return charge(game, at, changes)


def charge(game: Game, at: int, changes: dict[str, Any]) -> Game:
    """Return the game with the running clock charged up to ``at``, and with ``changes``, to which this adds. Time is charged nowhere else.

    ``changes`` are applied here so that an event makes one new game, not two: replay must stay fast.
    """
    side = game.running
    if side is not None:
        changes["stopped"] = at
        spent, used = at - game.since, game.used
        if spent > 0:
            # Unpacked by hand: nearly every event charges a clock.
            changes["used"] = BySide(used.left + spent, used.right) if side is Side.LEFT else BySide(used.left, used.right + spent)
    if game.deciding:
        changes["deciding"] = False
    if game.turn_since is not None and "turn_since" not in changes:
        changes["turn_used"] = game.turn_used + at - game.turn_since
        changes["turn_since"] = None
    return replace(game, **changes)


def without_hold(game: Game) -> Game:
    """Return the game without the hold that stands."""
    return game.replace(phase=Phase.RUNNING if game.phase is Phase.HOLD else game.phase, holder=None, hold_since=None, window=None)


def stopped_again(game: Game, at: int) -> Game:
    """Return the game as it comes back at ``at`` (ns) when the event that ended it there is struck: stopped, so that no time since is charged."""
    if game.phase in (Phase.READY, Phase.LATE):
        return stop(game, at, phase=Phase.READY, absent=(), window=None)
    if game.phase is Phase.ADJUDICATION:
        return game.replace(window=None, stopped=at)
    return stop(game, at, phase=Phase.NEUTRAL, window=None, stopped=at, neutralised=game.neutralised and game.phase is Phase.NEUTRAL)


def _limit_instant(game: Game) -> int | None:
    """Return when the running side's remaining time and credit reach the limit (2012 V.F.3, 2014 V.G, 2017 V.G.3)."""
    side, limit = game.running, game.rulebook.limit
    if side is None or limit is None:
        return None
    allowed, credit, used = game.allowed, game.credit, game.used
    # Unpacked by hand: every event calls this twice.
    left = allowed.left + credit.left - used.left if side is Side.LEFT else allowed.right + credit.right - used.right
    left -= limit.reading_s * NS
    # A side that was past the limit before its clock started loses at that start.
    return game.since + left if left > 0 else game.since


def _hold_instant(game: Game) -> int | None:
    """Return when the hold that stands is released by itself, or None; nothing accepts an out play by itself while it is held."""
    maximum = game.rulebook.hold_maximum
    if game.hold_since is None or maximum is None or not maximum.releases or game.out_player is not None:
        return None
    return game.hold_since + maximum.ns


def _earliest(*instants: int | None) -> int | None:
    return min((instant for instant in instants if instant is not None), default=None)


def _forfeit_instant(game: Game) -> int:
    """Return when the absent player forfeits (2017 III.C, NZ 4.2); with both absent, from the larger allowance."""
    rulebook, side = game.rulebook, game.running
    if rulebook.forfeit_late_ns is not None:
        return game.since + rulebook.forfeit_late_ns
    left = max(game.allowed.left, game.allowed.right) if side is None else game.allowed.of(side) - game.used.of(side)
    return game.since + left - rulebook.forfeit_remaining_s * NS


def _happen(game: Game, at: int) -> Game:
    side = game.running
    if game.phase is Phase.OUT_PLAY:
        return finish(game, at, OUT_PLAY_REASON)
    hold_ends, limit = _hold_instant(game), _limit_instant(game)
    if hold_ends is not None and hold_ends <= at and (limit is None or hold_ends < limit):
        return without_hold(game)
    if game.phase is Phase.LATE and _forfeit_instant(game) <= at:
        ending = Ending.DOUBLE_FORFEIT if side is None else Ending.FORFEIT
        return finish(game, at, ending.value, ending=ending, loser=side)
    return finish(game, at, Ending.LIMIT.value, ending=Ending.LIMIT, loser=side)
