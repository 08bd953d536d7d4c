"""What the pure station asks for, done: plays judged, rows written, slips printed, the PIN checked. Whatever goes wrong comes back as an event, never as an error.

The order of a verdict stands here: all words looked up, the row on the disk, and only then the event that has the verdict drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from appliance.errors import Diagnosis
from kiosk.challenge.context import Matter, Trouble
from kiosk.challenge.effects import Judge, Keep, Print
from kiosk.challenge.entry import Entry, Kind
from kiosk.challenge.events import CannotJudge, Judged, NotLogged, Stand
from kiosk.director.effects import CheckPin, KeepVerdict
from kiosk.director.events import Kept, NotKept, PinChecked
from kiosk.effects import Effect
from kiosk.events import Event
from kiosk.log import errors
from kiosk.shell.books import Books
from kiosk.shell.deskwork import DeskWork
from kiosk.shell.machine import of_pins, pins_missing
from kiosk.shell.record import Record


@dataclass(frozen=True, slots=True)
class EffectHandler:
    """Does what the station asks."""

    record: Record
    books: Books
    desk: DeskWork
    printed: Callable[[Print], None]
    """Hands a slip to the printer; returns at once."""
    right: Callable[[str], bool]
    """Whether that is the PIN."""

    def do(self, effect: Effect) -> tuple[Event, ...]:
        """Do what ``effect`` asks, and return what the station has to hear of it, in this order."""
        match effect:
            case Judge(entry):
                return self._judge(entry)
            case Keep(entry):
                return self._keep(entry)
            case KeepVerdict(entry):
                return (self._keep_verdict(entry),)
            case Print():
                self.printed(effect)
            case CheckPin(pin):
                return (PinChecked(self.right(pin)),)
            case _:
                return self.desk.do(effect)
        return ()

    def pins(self, why: Diagnosis | None) -> Stand | None:
        """Take in why the board's pins cannot be had, or that they are there (None); return what the station has to hear of it, where that is new."""
        ground = self.desk.ground
        stand = ground.over(Matter.PINS) if why is None else ground.advise(pins_missing(why), Matter.PINS)
        if stand is not None:
            self.record.keep(of_pins(why))
        return stand

    def _judge(self, entry: Entry) -> tuple[Event, ...]:
        found = self.books.judge(entry.lexicon, entry.words)
        if isinstance(found, Trouble):
            # The flow has it logged.
            return CannotJudge(found), self.desk.ground.lexicon(found)
        try:
            row = self.record.commit(replace(entry, acceptable=found))
        except errors.NotLogged as error:
            return (NotLogged(found, str(error)),)
        return (Judged(found, row),)

    def _keep(self, entry: Entry) -> tuple[Event, ...]:
        self.record.keep(entry)
        stand = self.desk.ground.advised() if entry.kind is Kind.DOOR_OPENED else None
        return () if stand is None else (stand,)

    def _keep_verdict(self, entry: Entry) -> Kept | NotKept:
        try:
            return Kept(self.record.commit(entry))
        except errors.NotLogged as error:
            return NotKept(error.sentences)
