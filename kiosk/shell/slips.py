"""Slips for the printer, if there is one: composed here, printed in the printer's own thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from appliance.errors import Diagnosis
from appliance.texts import Texts
from hardware.printer.spooler import SlipPrinter
from hardware.serial.line import SerialLine
from kiosk.challenge.effects import Print
from kiosk.settings.model import PrinterSettings
from kiosk.slip.compose import Imprint, compose
from kiosk.texts import load_texts

_CLOSES_S = 4.0


class Slips:
    """Composes slips and passes them to the printer.

    Args:
        printer: runs in its own thread; None: nothing is printed.
        width: characters in a line of its paper.
        imprint: the heading of every slip, in the language of the texts.
    """

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
