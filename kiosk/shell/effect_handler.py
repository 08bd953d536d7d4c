"""Carry out the effects of the pure station: judge plays, log rows, print slips, check the PIN. Every failure returns as an event, not as an error.

The order of a verdict is fixed here: look up all words, commit the row to the disk, and only then return the event that shows the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import Diagnosis
from appliance.texts import Texts
from hardware.printer.spooler import SlipPrinter
from hardware.settings import SerialLine
from kiosk.context import AdviceTopic, Trouble
from kiosk.effects import CallAtClock, CheckPin, Effect, Judge, Print, Propose, WriteEntry, WriteVerdict
from kiosk.events import CannotJudge, Event, Judged, PinChecked, SetContext, VerdictNotLogged, VerdictNotWritten, VerdictWritten
from kiosk.log.log import LogRecorder
from kiosk.settings.model import PrinterSettings
from kiosk.shell.conditions import of_pins, pins_missing
from kiosk.shell.judge_desk_work import JudgeDeskWork
from kiosk.shell.judging import OpenLexicons
from kiosk.slip import Imprint, compose
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from records.log import NotLogged

if TYPE_CHECKING:
    from kiosk.shell.hall import ClockLine


_CLOSES_S = 4.0


class Slips:
    """Composes slips, ``width`` characters wide under ``imprint``, and passes them to the printer's own thread; ``printer`` None: nothing is printed."""

    def __init__(self, printer: SlipPrinter | None, width: int, imprint: Callable[[Texts], Imprint]) -> None:
        self._printer = printer
        self._width = width
        self._imprint = imprint

    @property
    def trouble(self) -> Diagnosis | None:
        """Why the printer prints nothing; None: no fault is known, or there is no printer."""
        return None if self._printer is None else self._printer.trouble

    def hand_over(self, wanted: Print) -> None:
        """Print the slip; returns at once."""
        if self._printer is not None:
            texts = load_texts(wanted.language)
            self._printer.print_slip(compose(wanted, self._imprint(texts), texts, self._width))


@contextmanager
def printer_of(settings: PrinterSettings) -> Iterator[SlipPrinter | None]:
    """Yield the printer of the settings, if any, and end its thread afterwards."""
    if not settings.port:
        yield None
        return
    printer = SlipPrinter(SerialLine(settings.port, settings.baud, settings.flow, settings.profile, settings.cut))
    try:
        yield printer
    finally:
        printer.close(_CLOSES_S)


class EffectHandler(Struct, frozen=True):
    """Carries out the station's effects."""

    record: LogRecorder
    open_lexicons: OpenLexicons
    judge_desk: JudgeDeskWork
    printed: Callable[[Print], None]
    """Sends a slip to the printer without waiting."""
    right: Callable[[str], bool]
    """Returns whether a PIN is right."""
    line: ClockLine | None = None
    """Sends to the clocks of the hall; None: there is no hall."""

    def do(self, effect: Effect) -> tuple[Event, ...]:
        """Carry out ``effect``, and return the resulting events, in order."""
        match effect:
            case Judge(entry):
                return self._judge(entry)
            case WriteEntry(entry):
                return self._write_entry(entry)
            case WriteVerdict(entry):
                return (self._write_verdict(entry),)
            case Print():
                self.printed(effect)
            case Propose() if self.line is not None:
                return (self.line.propose(effect),)
            case CallAtClock() if self.line is not None:
                self.line.call(effect)
            case CheckPin(pin):
                return (PinChecked(self.right(pin)),)
            case _:
                return self.judge_desk.do(effect)
        return ()

    def pins(self, why: Diagnosis | None) -> SetContext | None:
        """Set why the board's pins are unavailable (None: they are available); return the resulting event if that is new."""
        conditions = self.judge_desk.conditions
        update = conditions.withdraw(AdviceTopic.PINS) if why is None else conditions.advise(pins_missing(why), AdviceTopic.PINS)
        if update is not None:
            self.record.write(of_pins(why))
        return update

    def _judge(self, entry: Entry) -> tuple[Event, ...]:
        found = self.open_lexicons.judge(entry.lexicon, entry.words)
        if isinstance(found, Trouble):
            # The flow logs it. Only the station's own list closes the station.
            conditions = self.judge_desk.conditions
            own = entry.lexicon == conditions.newest().lexicon
            return (CannotJudge(found), conditions.lexicon(found)) if own else (CannotJudge(found),)
        try:
            row = self.record.commit(replace(entry, acceptable=found))
        except NotLogged as error:
            return (VerdictNotLogged(found, str(error)),)
        return (Judged(found, row),)

    def _write_entry(self, entry: Entry) -> tuple[Event, ...]:
        self.record.write(entry)
        update = self.judge_desk.conditions.advice_seen() if entry.kind is Kind.DOOR_OPENED else None
        return () if update is None else (update,)

    def _write_verdict(self, entry: Entry) -> VerdictWritten | VerdictNotWritten:
        try:
            return VerdictWritten(self.record.commit(entry))
        except NotLogged as error:
            return VerdictNotWritten(error.sentences)
