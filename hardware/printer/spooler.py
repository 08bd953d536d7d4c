"""The slip printer, in a thread of its own: a slip is handed over at once, and printed when the printer can.

Nothing that a printer does (off, out of paper, unplugged, holding the line) comes back to whoever hands a slip over. A slip is tried for some seconds, then
dropped with a line in the log: it would be no use to players who have left. How the printer does can be read at any time.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from appliance.errors import Diagnosis, PrinterError, reason
from appliance.log import get_logger
from appliance.phrase import Phrase
from hardware.printer.slip import Slip
from hardware.serial.line import SerialLine

if TYPE_CHECKING:
    from hardware.printer.port import PrinterPort

MOST_WAITING: Final = 8
"""Slips that wait; one more, and the oldest is dropped."""
_CROWDED: Final = Diagnosis(Phrase("{count} slips that came after it wait for the printer", count=MOST_WAITING))
Encode: TypeAlias = Callable[[Slip], bytes]
"""Makes bytes of a slip for one printer."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the printer's thread waits for what; in s."""

    slip_s: float = 15.0
    """A slip is tried for so long."""
    again_s: float = 1.0
    """After trouble it is tried again so much later."""
    look_s: float = 10.0
    """With nothing to print, the printer is looked after so often."""
    write_s: float = 2.0
    """It may take so long to accept a slip."""
    answer_s: float = 1.0
    """It may take so long to answer a question."""


@dataclass(frozen=True, slots=True)
class _Order:
    slip: Slip
    until: float
    """When it is too late, in s of CLOCK_MONOTONIC."""


def _nobody(_trouble: Diagnosis | None) -> None:
    """Nobody wants to know."""


def _dropped(why: Diagnosis | None) -> None:
    get_logger().warning("slip dropped", why=str(why))


class SlipPrinter:
    """A slip printer that is tended from now on, until ``close``.

    Args:
        line: how it is reached. Whether it is there is found out in the thread.
        patience: how long it waits for what.
        changed: told, in the printer's thread, whenever ``trouble`` has become another; it only enqueues, and does not raise.
    """

    def __init__(self, line: SerialLine, patience: Patience = Patience(), changed: Callable[[Diagnosis | None], None] = _nobody) -> None:
        self._line = line
        self._patience = patience
        self._changed = changed
        self._trouble: Diagnosis | None = None
        self._unfit: PrinterError | None = None
        """Why the last slip that was handed over could not be made into bytes."""
        self._orders: deque[_Order] = deque()
        self._ended: Diagnosis | None = None
        """Why there is no thread any more that would print."""
        self._closing = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="slip printer", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> Diagnosis | None:
        """Why the printer prints nothing; None while nothing is known to be wrong."""
        return self._trouble

    def print_slip(self, slip: Slip) -> None:
        """Hand a slip over, at once and whatever the printer does. Nothing happens once it is closed; where its thread has ended, the slip is dropped."""
        with self._wake:
            if self._closing:
                return
            why = self._ended
            if why is None:
                why = _CROWDED if len(self._orders) == MOST_WAITING else None
                if why is not None:
                    self._orders.popleft()
                self._orders.append(_Order(slip, time.monotonic() + self._patience.slip_s))
                self._wake.notify()
        if why is not None:
            _dropped(why)

    def close(self, within_s: float = 4.0) -> bool:
        """End the thread; slips that wait are printed if the printer takes them now. Return whether it ended within that time."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            loaded = self._loaded()
            if loaded is not None:
                self._tend(*loaded)
        except Exception as why:  # noqa: BLE001 - of whatever a library's code made it end: that nothing is printed any more has to be said
            expected = "to go on tending the slip printer"
            self._tell(PrinterError(expected=expected, found=type(why).__name__, remedy="Start the program anew"))
        finally:
            self._end()

    def _loaded(self) -> tuple[PrinterPort, Encode] | None:
        """Return the printer's port and what makes bytes of a slip for it; None, and it is told why, where there can be none."""
        try:
            # Here, so that a station without a printer has neither in its memory.
            from hardware.printer.escpos import encode  # noqa: PLC0415
            from hardware.printer.port import PrinterPort  # noqa: PLC0415

            encode((), self._line.profile)
        except (ImportError, OSError) as why:
            expected = "the libraries pyserial and python-escpos"
            self._tell(PrinterError(expected=expected, found=reason(why), remedy="Install Tileclock anew"))
            return None
        except KeyError:
            expected, found = "a printer that python-escpos knows", Phrase("the profile {name}", name=repr(self._line.profile))
            self._tell(PrinterError(expected=expected, found=found, remedy="Set printer.profile to default"))
            return None
        port = PrinterPort(self._line, write_s=self._patience.write_s, answer_s=self._patience.answer_s)
        return port, lambda slip: encode(slip, self._line.profile, cut=self._line.cut)

    def _tend(self, port: PrinterPort, encode: Encode) -> None:
        with closing(port):
            self._look(port)
            while self._turn(port, encode):
                pass

    def _turn(self, port: PrinterPort, encode: Encode) -> bool:
        """Print the next slip, or look after the printer; return whether there is more to do. No slip is kept from one turn to the next."""
        order = self._next()
        if order is None:
            if self._closing:
                return False
            self._look(port)
        elif (data := self._encoded(order.slip, encode)) is not None:
            self._serve(port, data, order.until)
        return True

    def _encoded(self, slip: Slip, encode: Encode) -> bytes | None:
        """Return the slip's bytes; None, and it is told, where there are none of it."""
        try:
            return encode(slip)
        except Exception as why:  # noqa: BLE001 - a library's, of any kind: the slips after this one are printed all the same
            # Only of which kind it is: its text may quote the slip, and words are not for the program's log.
            expected, remedy = "a slip that python-escpos can make bytes of", "See that the printer's profile is its own"
            self._unfit = PrinterError(expected=expected, found=type(why).__name__, remedy=remedy)
        self._tell(self._unfit)
        _dropped(self._trouble)
        return None

    def _end(self) -> None:
        """Keep nothing: there is nobody to print it any more."""
        with self._wake:
            self._ended = self._trouble or Diagnosis("the printer's thread has ended")
            left = len(self._orders)
            self._orders.clear()
        for _ in range(left):
            _dropped(self._ended)

    def _next(self) -> _Order | None:
        """Return the next slip, or None when it is time to look after the printer or to end."""
        with self._wake:
            self._wake.wait_for(lambda: self._orders or self._closing, self._patience.look_s)
            return self._orders.popleft() if self._orders else None

    def _serve(self, port: PrinterPort, data: bytes, until: float) -> None:
        while True:
            try:
                port.check()
                port.send(data)
            except PrinterError as why:
                port.drop()
                self._tell(why)
            else:
                self._unfit = None
                self._tell(None)
                return
            # The one bound on trying: a slip's own time.
            if self._closing or time.monotonic() + self._patience.again_s > until:
                _dropped(self._trouble)
                return
            with self._wake:
                self._wake.wait_for(lambda: self._closing, self._patience.again_s)

    def _look(self, port: PrinterPort) -> None:
        try:
            port.check()
        except PrinterError as why:
            port.drop()
            self._tell(why)
        else:
            # A slip that could not be made stays told until one could.
            self._tell(self._unfit)

    def _tell(self, error: PrinterError | None) -> None:
        trouble = None if error is None else Diagnosis.of(error)
        if trouble == self._trouble:
            return
        self._trouble = trouble
        if trouble is None:
            get_logger().info("slip printer ready", port=self._line.port)
        else:
            get_logger().warning("slip printer", why=str(trouble))
        self._changed(trouble)
