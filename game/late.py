"""Late players: the absent player's clock runs, or time counts against both (2017 III.C, NZ 4.2)."""

from __future__ import annotations

from appliance.phrase import Phrase, as_phrase
from game.events import Arrive, LateStart
from game.game import Game, Phase
from game.not_allowed import EventNotAllowed, require_phase
from game.timed_transitions import stop
from rules.side import BySide, Side


def late_start(game: Game, event: LateStart, at: int) -> Game:
    """Start the absent player's clock; with both absent, time counts but is not charged yet (2017 III.C)."""
    require_phase(game, Phase.READY)
    absent = (Side.LEFT, Side.RIGHT) if event.side is None else (event.side,)
    return game.replace(phase=Phase.LATE, absent=absent, running=event.side, since=at, window=None)


def arrive(game: Game, event: Arrive, at: int) -> Game:
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
