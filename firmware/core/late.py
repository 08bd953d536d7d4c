"""Late players: the absent player's clock runs, or time counts against both (2017 III.C, NZ 4.2)."""

from __future__ import annotations

from appliance.phrase import Phrase, as_phrase
from firmware.core.events import Arrive, LateStart
from firmware.core.game import Game, Phase
from firmware.core.not_allowed import EventNotAllowed, require_phase
from firmware.core.timed_transitions import stop
from rules.side import Side


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
        raise EventNotAllowed(Phrase("{side} is not absent", side=as_phrase(event.side.value)))
    if game.running is not None:
        return stop(game, at, phase=Phase.READY, absent=(), window=None)
    owed = game.credit.of(event.side) - (at - game.since)
    other = event.side.other
    return game.replace(credit=game.credit.replace(event.side, owed), absent=(other,), running=other, window=None)
