"""``apply``: an event takes the station to the next. The players' go to their flow while the door is closed, else to the PIN or the desk.

While the door is not closed no key adjudicates, and what players typed stands still: it is there again when the door closes. What they have read goes in its time.
"""

from __future__ import annotations

from kiosk.challenge import apply as challenge
from kiosk.challenge import events as players
from kiosk.challenge.context import StationContext
from kiosk.challenge.effects import Effect as ChallengeEffect
from kiosk.challenge.effects import Keep, Print
from kiosk.challenge.entry import Entry, Kind
from kiosk.challenge.flow import Flow, Step
from kiosk.challenge.timeouts import aborted, idle
from kiosk.director import desk as desks
from kiosk.director import door as doors
from kiosk.director import events as directors
from kiosk.director.desk import Around
from kiosk.director.door import Door, Doorway, Lock
from kiosk.director.effects import CheckPin
from kiosk.director.opinion import REMEMBERED_NS, Opinion, remembered, without
from kiosk.events import Event
from kiosk.station.context import stand, taken
from kiosk.station.door_changes import Transition, passed, with_desk
from kiosk.station.timeouts import tick
from kiosk.station.value import NOTHING, Before, Station

_ANSWERS = (directors.Told, directors.Kept, directors.NotKept)
"""What the shell says to the desk: nobody's touch."""


def begin(standing: StationContext, lock: Lock, at: int = 0, tries: int = 0, before: Before = NOTHING) -> Station:
    """Return a station that starts at ``at`` (ns).

    Args:
        standing: what stands at it.
        lock: what opens its director's door.
        at: ns.
        tries: wrong PINs since the door was last opened, as the log knows them: DOOR_REFUSED rows after the last DOOR_OPENED.
        before: what the log knows of challenges that are not over.
    """
    return Station(challenge.begin(standing, at, before.open), Door.after(lock, tries, at), opinions=before.opinions)


def end(station: Station, at: int, why: str) -> Transition:
    """Return the station as the program leaves it at ``at`` (ns), and what the shell has to do for that, whoever or whatever ended it. Done twice it is done once.

    The desk is left as if it had locked itself, so that a ruling that stands is settled. Players will not come back to words that nobody adjudicated.

    Args:
        station: as it stands.
        at: ns.
        why: what ended it, for the rows of what was left.
    """
    now, settled = passed(station, doors.closed(station.door), at, why)
    return now.replace(flow=idle(now.flow, at)), (*settled, *aborted(now.flow))


def apply(station: Station, event: Event, at: int) -> Transition:
    """Return the station after ``event`` at ``at`` (ns), with all that is due by then, and what the shell is asked to do, in this order.

    What makes no sense where the station stands changes nothing.
    """
    ticked, due = tick(station, at)
    applied, done = _apply(ticked, event, at)
    now, more = taken(applied, at)
    return now, (*due, *done, *more)


def _apply(station: Station, event: Event, at: int) -> Transition:
    match event:
        case directors.KnockAtDoor() | directors.LeaveDesk() | directors.KeyTurned() | directors.PinChecked():
            return _at_door(station, event, at)
        case players.Stand():
            return stand(station, event, at)
        case players.Judged() | players.NotLogged() | players.CannotJudge():
            # The shell's answer to a key pressed before the key switch was turned: taken, and shown when the door is closed again.
            return _play(station, event, at)
    match station.door.way:
        case Doorway.CLOSED:
            return _play(station, event, at)
        case Doorway.ASKING:
            return _ask(station, event, at)
        case Doorway.OPEN:
            return _direct(station, event, at)
        case Doorway.CHECKING:
            return station, ()


def _at_door(station: Station, event: Event, at: int) -> Transition:
    door = station.door
    match event:
        # The verdict is on its way: it is answered before anything else happens.
        case directors.KnockAtDoor() if station.flow.step is not Step.JUDGING:
            return passed(station, doors.knock(door, at), at, "key switch")
        case directors.LeaveDesk() if door.way is not Doorway.CHECKING:
            return passed(station, doors.closed(door), at, "the desk was closed")
        case directors.KeyTurned(on):
            return passed(station, doors.turn_key(door, at, on=on), at, "key switch" if on else "the key was turned off")
        case directors.PinChecked(right) if door.way is Doorway.CHECKING:
            now, effects = passed(station, doors.checked(door, at, right=right), at, "PIN" if right else "key switch")
            refused = (Keep(Entry(Kind.DOOR_REFUSED, why=f"wrong PIN, {now.door.tries} in a row")),) if not now.door.is_open else ()
            return now, (*effects, *refused)
        case _:
            return station, ()


def _ask(station: Station, event: Event, at: int) -> Transition:
    """Give what is typed to the PIN."""
    door, pin = station.door, None
    match event:
        case players.Type(text) | players.TypeTile(text):
            door = doors.type_digits(door, text, at)
        case players.Erase():
            door = doors.erase_digit(door)
        case players.Next() | players.Finish():
            door, pin = doors.hand_in(door, at)
        case players.Back():
            return passed(station, doors.closed(door), at, "the desk was closed")
        case _:
            return station, ()
    return station.replace(door=door.replace(touched=at)), () if pin is None else (CheckPin(pin),)


def _direct(station: Station, event: Event, at: int) -> Transition:
    """Give the desk an event; whoever does something keeps it from locking itself."""
    desk, asked = desks.apply(station.desk, event, Around(station.flow.standing, station.opinions, coming=station.coming is not None), at)
    touched = station if isinstance(event, _ANSWERS) else station.replace(door=station.door.replace(touched=at))
    return with_desk(touched, desk), asked


def _play(station: Station, event: Event, at: int) -> Transition:
    if not isinstance(event, players.ChallengeEvent):
        return station, ()
    flow, effects = challenge.apply(station.flow, event, at)
    return station.replace(flow=flow, opinions=_asked(station.opinions, station.flow, effects, at)), effects


def _asked(opinions: tuple[Opinion, ...], flow: Flow, effects: tuple[ChallengeEffect, ...], at: int) -> tuple[Opinion, ...]:
    """Return the opinions with the one that players just asked of a word judge, if they did; ``flow`` is as it was before.

    A play that waits for a judge waits no longer once its table has a verdict: it was repeated, or play has gone on (2017 IV.J.1.n).
    """
    for effect in effects:
        if isinstance(effect, Print) and flow.table is not None:
            opinions = without(opinions, flow.table)
        elif isinstance(effect, Keep) and effect.entry.kind is Kind.OPINION_ASKED and flow.table is not None:
            new = Opinion(flow.table, flow.challenger, flow.words, effect.entry.first, at + REMEMBERED_NS)
            opinions = remembered(opinions, new)
    return opinions
