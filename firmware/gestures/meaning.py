"""The meaning of each gesture in the present state of the game: the table of docs/spec/events.md, "Gestures", as pure functions.

Each returns the event of a gesture, or None if the gesture does nothing (which is not a refusal).
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from firmware.core import events
from firmware.core.apply import apply
from firmware.core.game import RECOUNT, Game, Phase
from firmware.core.not_allowed import EventNotAllowed
from firmware.core.windows import recount_possible
from rules.contact import MS
from rules.side import Side

HOLD_AFTER_NS: Final = 1500 * MS
"""A waiting player's press means hold only this long after the same button's last press."""


class Offer(Enum):
    """The bar's offers during an adjudication, in turn."""

    NONE = "none"
    ACCEPTABLE = "acceptable"
    UNACCEPTABLE = "unacceptable"
    BACK = "back"

    @property
    def following(self) -> Offer:
        """The next offer."""
        order = (Offer.ACCEPTABLE, Offer.UNACCEPTABLE, Offer.BACK)
        return order[0] if self is Offer.NONE else order[(order.index(self) + 1) % len(order)]

    @property
    def event(self) -> events.GameEvent | None:
        """The event made by accepting the offer."""
        if self is Offer.NONE:
            return None
        return events.Withdraw() if self is Offer.BACK else events.Verdict(self is Offer.ACCEPTABLE)


def own_button(game: Game, side: Side, at: int, since_last: int | None) -> events.GameEvent | None:
    """Return the meaning of a player's own button at ``at`` (ns), ``since_last`` ns after that button's last press (None: the first)."""
    if _allows(game, events.Press(side), at):
        return events.Press(side)
    # "Waiting" refers to the turn, because a clock may run for a decision (docs/spec/rules.md, "Vocabulary"; 2017 IV.B.5.b).
    waiting = game.turn is not None and game.turn is not side
    if game.phase is Phase.RUNNING and waiting and (since_last is None or since_last >= HOLD_AFTER_NS):
        return events.Hold()
    if game.phase is Phase.HOLD and waiting and game.out_player is None:
        return events.Release()
    return events.Arrive(side) if game.phase is Phase.LATE and side in game.absent else None


def own_button_held(game: Game, side: Side) -> events.GameEvent | None:
    """Return the meaning of a player's own button held for 1 s: after a stop, the player on turn declares the out play."""
    return events.OutPlay() if game.phase is Phase.NEUTRAL and game.turn is side else None


def bar(game: Game) -> events.GameEvent | None:
    """Return the meaning of a short press of the centre bar (or both player buttons); for an adjudication see ``Offer``."""
    if game.phase in (Phase.RUNNING, Phase.HOLD):
        return events.Neutralise()
    if game.phase is Phase.NEUTRAL and game.out_player is not None:
        return events.Press(game.out_player)
    if game.phase is Phase.NEUTRAL and game.turn is not None:
        return events.Resume(game.turn)
    if game.phase is Phase.LATE and len(game.absent) == 1:
        return events.Arrive(game.absent[0])
    return events.StartWindow(RECOUNT) if recount_possible(game) else None


def bar_held(game: Game, offer: Offer) -> events.GameEvent | None:
    """Return the meaning of the bar held for 1 s: a challenge, or the offered verdict."""
    if game.phase is Phase.ADJUDICATION:
        return offer.event
    challengeable = game.phase in (Phase.RUNNING, Phase.HOLD, Phase.NEUTRAL, Phase.OUT_PLAY)
    return events.Challenge() if challengeable else None


def _allows(game: Game, event: events.GameEvent, at: int) -> bool:
    try:
        apply(game, event, at)
    except EventNotAllowed:
        return False
    return True
