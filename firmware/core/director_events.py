"""The director's events: windows, late arrivals, ends, and time added, deducted or erased."""

from __future__ import annotations

from firmware.core.events import (
    Adjust,
    Arrive,
    End,
    EraseOvertime,
    Infraction,
    LateStart,
    NewGame,
    Reopen,
    StartWindow,
    Swap,
    When,
)
from firmware.core.game import Ending, Game, Phase, Window
from firmware.core.refused import Refused, require_phase
from firmware.core.timed_transitions import finish, stop
from rules.side import Side

RECOUNT = "recount"
AFTER_THE_END = (RECOUNT, "recount_warning", "between_rounds")
"""The windows that may start after the end of a game (2017 III.C, V.I)."""


def fresh(event: NewGame) -> Game:
    """Return a game in ``ready``; a side's own allowance replaces regulation (2017 III.A.3)."""
    regulation = event.rulebook.regulation_ns
    return Game(event.rulebook, allowed=event.allowed.map(lambda own: regulation if own is None else own))


def start_window(game: Game, event: StartWindow, at: int) -> Game:
    """Start a window; no clock changes."""
    require_phase(game, Phase.READY, Phase.RUNNING, Phase.NEUTRAL, Phase.ADJUDICATION, Phase.OVER)
    if event.name == "out_play":
        raise Refused("the out play window starts with the out play only")
    if event.name not in game.rulebook.windows:
        raise Refused(f"{game.rulebook.id} has no window {event.name}")
    if game.phase is Phase.OVER and event.name not in AFTER_THE_END:
        raise Refused(f"after the end only {', '.join(AFTER_THE_END)} can start")
    return game.replace(window=Window(event.name, at, game.rulebook.windows[event.name]))


def end(game: Game, event: End, at: int) -> Game:
    """End the game for the given reason."""
    if game.phase is Phase.OVER:
        raise Refused("the game is over already")
    return finish(game, at, event.reason)


def recount_by_event(game: Game) -> bool:
    """Return whether the game is over and its recount window starts by an event (2017 V.I), not at the end itself (2014 V.I)."""
    return game.phase is Phase.OVER and not game.rulebook.recount_starts_itself and RECOUNT in game.rulebook.windows


def reopen(game: Game, event: Reopen, at: int) -> Game:
    """Continue a game after found tiles or a wrong end: the clocks are stopped, the turn is unchanged (2017 V.C.3, III.G.5)."""
    require_phase(game, Phase.OVER)
    return game.replace(phase=Phase.NEUTRAL, reason=None, loser=None, ending=None, window=None, stopped=at, unexplained=False, judged=None)


def late_start(game: Game, event: LateStart, at: int) -> Game:
    """Start the absent player's clock; with both absent, time counts but is not charged yet (2017 III.C)."""
    require_phase(game, Phase.READY)
    absent = (Side.LEFT, Side.RIGHT) if event.side is None else (event.side,)
    return game.replace(phase=Phase.LATE, absent=absent, running=event.side, since=at, window=None)


def arrive(game: Game, event: Arrive, at: int) -> Game:
    """Note that an absent player has arrived; used time stays used (2017 III.C).

    With both absent, the first to arrive owes the time at the end, and the other is charged from the start.
    """
    if game.phase is not Phase.LATE or event.side not in game.absent:
        raise Refused(f"{event.side} is not absent")
    if game.running is not None:
        return stop(game, at, phase=Phase.READY, absent=(), window=None)
    owed = game.credit.of(event.side) - (at - game.since)
    other = event.side.other
    return game.replace(credit=game.credit.replace(event.side, owed), absent=(other,), running=other, window=None)


def adjust(game: Game, event: Adjust, at: int) -> Game:
    """Add or deduct time now, or at the end of the game, without changing used time (2017 II.D, II.F)."""
    if event.when is When.END:
        return game.replace(credit=game.credit.replace(event.side, game.credit.of(event.side) + event.ns))
    return _allow(game, event.side, event.ns)


def erase_overtime(game: Game, event: EraseOvertime, at: int) -> Game:
    """Set a side below zero to exactly zero (2017 V.D, V.E)."""
    if game.ending is Ending.LIMIT:
        raise Refused("the game ended at the overtime limit: reopen it first")
    return _allow(game, event.side, max(0, -game.remaining(event.side, at)))


def swap(game: Game, event: Swap, at: int) -> Game:
    """Exchange all that belongs to the sides when the players change seats."""
    require_phase(game, Phase.READY, Phase.NEUTRAL)
    return game.replace(
        used=game.used.swapped(),
        allowed=game.allowed.swapped(),
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
        raise Refused("the game is over")
    return game.replace(infractions=game.infractions.replace(event.side, game.infractions.of(event.side) + 1))


def _allow(game: Game, side: Side, ns: int) -> Game:
    return game.replace(allowed=game.allowed.replace(side, game.allowed.of(side) + ns))


def _across(side: Side | None) -> Side | None:
    return None if side is None else side.other
