"""What may come in from the network, and what it does (docs/spec/wire.md, "What may come in"). Everything else is refused.

Never from the network: starting, resuming, setting or adjusting a time, ending a game, choosing a winner.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pydantic import ValidationError

from firmware.gestures.clock_state import ClockState
from firmware.hall.decision import Decision, refused
from firmware.hall.state import HallState, ShownNotice, StopRequest
from firmware.hall.verdicts import decide_verdict
from game.events import By, Call, Neutralise, NewGame
from game.game import Phase
from game.next_game import OfferedGame
from game.place import Assignment, between_games
from game.record import Record
from game.rulings import DIRECTOR_CALLED
from rules.duration import NS
from rules.rulebooks.model import Rulebook
from rules.side import BySide
from wire.messages.proposals import (
    Assign,
    ChangeSettings,
    Clear,
    NoticeOrder,
    Order,
    OrderUpdate,
    RoundBegins,
    SetUpKeys,
    SetUpNext,
    StopAsked,
    VerdictBody,
)
from wire.reasons import RefusalReason

_STOPPABLE: Final = (Phase.RUNNING, Phase.HOLD)
"""The phases that ``neutralise`` stops."""


def decide(table: ClockState, hall: HallState, proposal: Order | VerdictBody, now: int) -> Decision:
    """Return what becomes of a genuine and fresh proposal at ``now`` (ns, the hands' time). Nothing is changed here."""
    match proposal:
        case NoticeOrder():
            return Decision(replace(hall, notice=ShownNotice(proposal.text, now + proposal.seconds * NS)))
        case Clear():
            return Decision(replace(hall, notice=None, stop=None))
        case RoundBegins():
            # It is kept as an instant of the game, which a restored game has only once its times are confirmed.
            return Decision(hall) if table.frozen is None else refused(hall, RefusalReason.FROZEN)
        case StopAsked():
            return _stop(table, hall, proposal, now)
        case Assign() | SetUpNext() | ChangeSettings() | OrderUpdate():
            return _between_games(table, hall, proposal, now)
        case VerdictBody(do="call"):
            return _call(table, hall, now)
        case VerdictBody():
            return decide_verdict(table, hall, proposal, now)


def _stop(table: ClockState, hall: HallState, order: StopAsked, now: int) -> Decision:
    asked = replace(hall, stop=StopRequest(order.text, now))
    # A restored game stands anyway, until the director confirms its times.
    if not hall.hard_freeze or table.frozen is not None or table.game_at(now).phase not in _STOPPABLE:
        return Decision(asked)
    return Decision(asked, events=((Neutralise(DIRECTOR_CALLED), By.DIRECTOR),), number=table.record.highest + 1)


def _call(table: ClockState, hall: HallState, now: int) -> Decision:
    if table.game_at(now).called:
        return Decision(hall)
    return Decision(hall, events=((Call(on=True), By.PLAYERS),), number=table.record.highest + 1)


def offered_again(table: ClockState, keys: object) -> OfferedGame | None:
    """Return the next game that an order has set up before a restart, by its ``keys`` in the journal; None: nothing that this clock can offer."""
    try:
        return _offered(table, SetUpKeys.model_validate(keys))
    except ValidationError:
        return None


def _between_games(table: ClockState, hall: HallState, order: Assign | SetUpNext | ChangeSettings | OrderUpdate, now: int) -> Decision:
    if table.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if not between_games(table.game_at(now)):
        return refused(hall, RefusalReason.NOT_BETWEEN_GAMES)
    if order.number != table.record.highest:
        return refused(hall, RefusalReason.OUT_OF_DATE)
    if isinstance(order, Assign):
        over = table.game_at(now).phase is Phase.OVER
        played = hall.place.names if over and hall.played is None else hall.played
        return Decision(replace(hall, place=Assignment(order.table, BySide(order.left, order.right), order.lexicon), played=played))
    if isinstance(order, ChangeSettings):
        return _settings(hall, order)
    if isinstance(order, OrderUpdate):
        return Decision(replace(hall, updating=True)) if hall.updates else refused(hall, RefusalReason.NO_UPDATES)
    offered = _offered(table, order)
    return refused(hall, RefusalReason.UNKNOWN_RULEBOOK) if offered is None else Decision(hall, offered=offered)


def _settings(hall: HallState, order: ChangeSettings) -> Decision:
    """Take all of the order or nothing: half of it would be no answer that a director can read."""
    if order.settings.keys() & hall.open.on_card:
        return refused(hall, RefusalReason.SET_ON_CARD)
    if order.language is not None and order.language not in hall.open.languages:
        return refused(hall, RefusalReason.UNKNOWN_LANGUAGE)
    return Decision(hall, settings=order.settings)


def _offered(table: ClockState, keys: SetUpKeys) -> OfferedGame | None:
    found = _rulebook(table, keys.rulebook)
    if found is None:
        return None
    named, rulebook = found
    allowed = BySide(keys.left_seconds, keys.right_seconds).map(lambda seconds: None if seconds is None else seconds * NS)
    return OfferedGame(NewGame(rulebook, named, allowed), _beginning(table.record))


def _rulebook(table: ClockState, wanted: str) -> tuple[str, Rulebook] | None:
    """Return a rulebook of this clock by its id, and what names it here."""
    return next(((named, rulebook) for named, rulebook in table.setup.rulebooks if rulebook.id == wanted), None)


def _beginning(record: Record) -> NewGame:
    began = next(link.event for link in record if link.before is None)
    if not isinstance(began, NewGame):
        raise TypeError("expected a record that begins with a new game")
    return began
