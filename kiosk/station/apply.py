"""``apply``: the station after an event. Players' events go to the flow while the director's door is closed, otherwise to the PIN or the desk.

While the door is not closed, no key adjudicates, and the players' input is suspended until it closes. A verdict that they have read still times out.
"""

from __future__ import annotations

from game.challenge_log.entry import Entry, Kind
from kiosk import events
from kiosk.challenge import apply as challenge
from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import Flow, Step
from kiosk.challenge.timeouts import aborted, idle
from kiosk.director import desk as desks
from kiosk.director import door as doors
from kiosk.director.adjudication import REMEMBERED_NS, Opinion, remembered, without
from kiosk.director.desk import Around
from kiosk.director.door import Door, Doorway, Lock
from kiosk.effects import ChallengeEffect, CheckPin, Print, WriteEntry
from kiosk.events import CloseAsked, Event
from kiosk.station.timeouts import CLOSE_AGAIN_NS, tick
from kiosk.station.value import NOTHING, Before, Station, StationTransition, apply_pending, door_changed, set_context, with_desk

_ANSWERS = (events.DeskAnswer, events.VerdictWritten, events.VerdictNotWritten)
"""The shell's answers to the desk, which are not touches."""
_UNTOUCHED = (
    events.Judged,
    events.VerdictNotLogged,
    events.CannotJudge,
    events.LinkChanged,
    events.JoinAsked,
    events.TableHeard,
    events.VerdictSent,
    events.ClockAnswered,
)
"""Answers to a key pressed before the key switch turned, and news of the hall."""


def begin(context: StationContext, lock: Lock, at: int = 0, tries: int = 0, before: Before = NOTHING) -> Station:
    """Return a station that starts at ``at`` (ns).

    Args:
        lock: the lock of its director's door.
        at: ns.
        tries: wrong PINs since the door was last opened, from the log: DOOR_REFUSED rows after the last DOOR_OPENED.
        before: unfinished challenges, from the log.
    """
    return Station(challenge.begin(context, at, before.open, before.verdicts), Door.after(lock, tries, at), opinions=before.opinions)


def end(station: Station, at: int, why: str) -> StationTransition:
    """Return the station at the end of the program at ``at`` (ns), and the final effects, whatever the cause. A second call has no effect.

    The desk closes as if it had locked itself, which settles a ruling. Words that were not adjudicated are logged as aborted.

    Args:
        at: ns.
        why: the cause, for the rows of what was left.
    """
    now, settled = door_changed(station, doors.closed(station.door), at, why)
    return now.replace(flow=idle(now.flow, at)), (*settled, *aborted(now.flow))


def apply(station: Station, event: Event, at: int) -> StationTransition:
    """Return the station after ``event`` at ``at`` (ns), with everything due by then, and the effects for the shell, in order.

    An event that does not apply in the present state changes nothing.
    """
    ticked, due = tick(station, at)
    applied, done = _apply(ticked, event, at)
    now, more = apply_pending(applied, at)
    return now, (*due, *done, *more)


def _apply(station: Station, event: Event, at: int) -> StationTransition:
    match event:
        case events.KnockAtDoor() | events.LeaveDesk() | events.KeyTurned() | events.PinChecked():
            return _at_door(station, event, at)
        case CloseAsked():
            return station.replace(close_asked_until=at + CLOSE_AGAIN_NS), ()
        case events.SetContext():
            return set_context(station, event, at)
    if isinstance(event, _UNTOUCHED):
        # Whether or not a director stands at the desk: applied now, shown when the door closes.
        return _play(station, event, at)
    match station.door.way:
        case Doorway.CLOSED:
            return _play(station, event, at)
        case Doorway.CHECKING:
            return station, ()
        case _ if isinstance(event, events.ShowHelp) or (station.door.helping and not isinstance(event, _ANSWERS)):
            return _help(station, event, at), ()
        case Doorway.ASKING:
            return _ask(station, event, at)
        case Doorway.OPEN:
            return _direct(station, event, at)


def _at_door(station: Station, event: Event, at: int) -> StationTransition:
    door = station.door
    match event:
        # Not while judging: the shell's answer precedes any other event.
        case events.KnockAtDoor() if station.flow.step is not Step.JUDGING:
            return door_changed(station, doors.knock(door, at), at, "key switch")
        case events.LeaveDesk() if door.way is not Doorway.CHECKING:
            return door_changed(station, doors.closed(door), at, "the desk was closed")
        case events.KeyTurned(on):
            return door_changed(station, doors.turn_key(door, at, on=on), at, "key switch" if on else "the key was turned off")
        case events.PinChecked(right) if door.way is Doorway.CHECKING:
            now, effects = door_changed(station, doors.checked(door, at, right=right), at, "PIN" if right else "key switch")
            refused = (WriteEntry(Entry(Kind.DOOR_REFUSED, why=f"wrong PIN, {now.door.tries} in a row")),) if not now.door.is_open else ()
            return now, (*effects, *refused)
        case _:
            return station, ()


def _help(station: Station, event: Event, at: int) -> Station:
    """Show or hide the help of a page of the door or the desk; nothing else is done while it hides that page."""
    back = isinstance(event, events.Back | events.Done)
    if not (back or isinstance(event, events.ShowHelp)):
        return station
    door = station.door
    return station.replace(door=door.replace(helping=not back and not door.helping, touched=at))


def _ask(station: Station, event: Event, at: int) -> StationTransition:
    """Pass typed input to the PIN."""
    door, pin = station.door, None
    match event:
        case events.Type(text) | events.TypeTile(text):
            door = doors.type_digits(door, text, at)
        case events.Erase():
            door = doors.erase_digit(door)
        case events.Next() | events.Finish():
            door, pin = doors.hand_in(door, at)
        case events.Back():
            return door_changed(station, doors.closed(door), at, "the desk was closed")
        case _:
            return station, ()
    return station.replace(door=door.replace(touched=at)), () if pin is None else (CheckPin(pin),)


def _direct(station: Station, event: Event, at: int) -> StationTransition:
    """Pass an event to the desk; any input postpones the desk's locking itself."""
    desk, asked = desks.apply(
        station.desk, event, Around(station.flow.station, station.opinions, has_pending=station.pending_context is not None), at
    )
    touched = station if isinstance(event, _ANSWERS) else station.replace(door=station.door.replace(touched=at))
    return with_desk(touched, desk), asked


def _play(station: Station, event: Event, at: int) -> StationTransition:
    if not isinstance(event, events.ChallengeEvent):
        return station, ()
    flow, effects = challenge.apply(station.flow, event, at)
    return station.replace(flow=flow, opinions=_with_new_opinion(station.opinions, station.flow, effects, at)), effects


def _with_new_opinion(opinions: tuple[Opinion, ...], flow: Flow, effects: tuple[ChallengeEffect, ...], at: int) -> tuple[Opinion, ...]:
    """Return the opinions, with the one that the players have just requested from a word judge; ``flow`` is the flow before that.

    Once its table has a verdict, a play no longer waits for a judge: it was repeated, or play has continued (2017 IV.J.1.n).
    """
    for effect in effects:
        if isinstance(effect, Print) and flow.table is not None:
            opinions = without(opinions, flow.table)
        elif isinstance(effect, WriteEntry) and effect.entry.kind is Kind.OPINION_ASKED and flow.table is not None:
            new = Opinion(flow.table, flow.challenger, flow.words, effect.entry.first, at + REMEMBERED_NS, last_play=flow.last_play)
            opinions = remembered(opinions, new)
    return opinions
