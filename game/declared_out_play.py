"""An out play that a player declares after the stop: from the stop, or in the place of the press that was made out of habit after it (2017 V.E)."""

from __future__ import annotations

from typing import Final

from game import events
from game.events import By
from game.game import Game, Phase
from game.not_allowed import EventNotAllowed
from game.record import Fate, Record, accept, take_back
from rules.side import Side

_LEAVE_THE_PRESS: Final = (
    events.Neutralise,
    events.Reason,
    events.Resume,
    events.StartWindow,
    events.Call,
    events.Infraction,
    events.Adjust,
    events.Hold,
    events.Release,
    events.Challenge,
    events.Withdraw,
    events.Verdict,
    events.Undo,
)
"""The events after a press that leave it the last play: while its opponent is on turn, an out play can still take its place."""


class OutPlayTooLate(EventNotAllowed):
    """The declared out play would end the game at once, or lose a hold that came later."""


def can_declare(record: Record, side: Side, at: int) -> bool:
    """Return whether ``side`` can declare an out play at ``at`` (ns), be it in time or too late."""
    game = record.game_at(at)
    on_turn = game.turn is side and game.phase is Phase.NEUTRAL
    return _stopped(game) and (on_turn or habit_press(record, side, at) is not None)


def declare(record: Record, side: Side, at: int, number: int | None = None, *, even_if_over: bool = False) -> Record:
    """Return the record with the out play that ``side`` declares at ``at`` (ns), after a stop.

    Args:
        record: the events so far.
        side: who played out.
        at: the instant of the declaration.
        number: the number of the same stroke's short press, which is taken back.
        even_if_over: whether the game may end by it at once.

    Raises:
        OutPlayTooLate: it would end the game at once, or lose a later hold.
        EventNotAllowed: that side cannot have played out.
    """
    before = record if number is None else take_back(record, number, None)
    game = before.game_at(at)
    if not _stopped(game):
        raise EventNotAllowed("an out play is declared after a stop, with a player on turn and none pending")
    if game.turn is side and game.phase is Phase.NEUTRAL:
        declared = accept(before, events.OutPlay(), at, number)
    else:
        press = habit_press(before, side, at)
        if press is None:
            raise EventNotAllowed("that player's last press ended no turn")
        declared = take_back(_without_restarts(before, press), press.number, (events.OutPlay(), press.at))
    if not even_if_over and (declared.game_at(at).phase is Phase.OVER or _loses_hold(before, declared)):
        raise OutPlayTooLate("the time for the out play is over")
    return declared


def habit_press(record: Record, side: Side, at: int) -> Record | None:
    """Return the press by which ``side`` ended its turn, if nothing has come since that settles it; else None.

    A press that starts a clock after a stop or a challenge ends no turn: no out play takes its place (2017 V.E, IV.G.1).
    """
    for link in record:
        if link.at > at or link.fate is not Fate.VALID:
            continue
        if isinstance(link.event, events.Press):
            return link if link.event.side is side and _ends_turn(link) else None
        if not isinstance(link.event, _LEAVE_THE_PRESS) or _settles(link):
            return None
    return None


def _settles(link: Record) -> bool:
    """Return whether an event of those kinds says that the play before was none, or not the last: the director's time, a play that came off, another turn."""
    match link.event:
        case events.Adjust():
            return link.by is By.DIRECTOR
        case events.Verdict(acceptable):
            return not acceptable
        case events.Resume(side):
            return link.before is None or link.before.game.turn is not side
        case _:
            return False


def _without_restarts(record: Record, press: Record) -> Record:
    """Return the record without the starts of the opponent's clock since ``press``: after an out play it stands."""
    for link in record.oldest_first():
        if link.at >= press.at and link.fate is Fate.VALID and isinstance(link.event, events.Resume) and link.number != press.number:
            record = take_back(record, link.number, None)
    return record


def _ends_turn(press: Record) -> bool:
    if press.before is None:
        return False
    before = press.before.game_at(press.at)
    return before.running is not None and before.running is before.turn


def _stopped(game: Game) -> bool:
    """Return whether a player can declare an out play: in a stop, or while the play is challenged."""
    return game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION) and game.turn is not None and game.out_player is None


def _loses_hold(before: Record, declared: Record) -> bool:
    kept = {link.number for link in declared}
    return any(isinstance(link.event, events.Hold) and link.fate is Fate.VALID and link.number not in kept for link in before)
