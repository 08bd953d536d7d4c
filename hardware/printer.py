"""The slip printer, in a thread of its own: a slip is handed over at once, and printed when the printer can.

Nothing that a printer does (off, out of paper, unplugged, holding the line) comes back to whoever hands a slip over. A slip is tried for some seconds, then
dropped with a line in the log: it would be no use to players who have left. How the printer does can be read at any time.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hardware.errors import PrinterError
from hardware.line import SerialLine
from hardware.logbook import log
from hardware.slip import Slip

if TYPE_CHECKING:
    from hardware.printer_port import PrinterPort

MOST_WAITING: Final = 8
"""Slips that wait; one more, and the oldest is dropped."""


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


def _nobody(_trouble: str | None) -> None:
    """Nobody wants to know."""


class SlipPrinter:
    """A slip printer that is tended from now on, until ``close``.

    Args:
        line: how it is reached. Whether it is there is found out in the thread.
        patience: how long it waits for what.
        changed: told, in the printer's thread, whenever ``trouble`` has become another; it only enqueues, and does not raise.
    """

    def __init__(self, line: SerialLine, patience: Patience = Patience(), changed: Callable[[str | None], None] = _nobody) -> None:
        self._line = line
        self._patience = patience
        self._changed = changed
        self._trouble: str | None = None
        self._orders: deque[_Order] = deque()
        self._closing = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="slip printer", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str | None:
        """What keeps the printer from printing, in a sentence; None while nothing is known to."""
        return self._trouble

    def print_slip(self, slip: Slip) -> None:
        """Hand a slip over, at once and whatever the printer does. Nothing happens once it is closed."""
        with self._wake:
            if self._closing:
                return
            crowded_out = self._orders.popleft() if len(self._orders) == MOST_WAITING else None
            self._orders.append(_Order(slip, time.monotonic() + self._patience.slip_s))
            self._wake.notify()
        if crowded_out is not None:
            log().warning("slip dropped", why=f"{MOST_WAITING} slips that came after it wait for the printer")

    def close(self, within_s: float = 4.0) -> bool:
        """End the thread; slips that wait are printed if the printer takes them now. Return whether it ended within that time."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            # Here, so that a station without a printer has neither in its memory.
            from hardware.escpos_bytes import encode  # noqa: PLC0415
            from hardware.printer_port import PrinterPort  # noqa: PLC0415

            encode((), self._line.profile)
        except (ImportError, OSError) as why:
            self._tell(f"expected the libraries pyserial and python-escpos, found: {why}; install Tileclock anew")
            return
        except KeyError:
            self._tell(f"expected a printer that python-escpos knows, found the profile {self._line.profile!r}; set it to default")
            return
        port = PrinterPort(self._line, write_s=self._patience.write_s, answer_s=self._patience.answer_s)
        self._look(port)
        while True:
            order = self._next()
            if order is not None:
                self._serve(port, order, encode(order.slip, self._line.profile, cut=self._line.cut))
            elif self._closing:
                break
            else:
                self._look(port)
        port.close()

    def _next(self) -> _Order | None:
        """Return the next slip, or None when it is time to look after the printer or to end."""
        with self._wake:
            self._wake.wait_for(lambda: self._orders or self._closing, self._patience.look_s)
            return self._orders.popleft() if self._orders else None

    def _serve(self, port: PrinterPort, order: _Order, data: bytes) -> None:
        while True:
            try:
                port.check()
                port.send(data)
            except PrinterError as why:
                port.drop()
                self._tell(str(why))
            else:
                self._tell(None)
                return
            # The one bound on trying: a slip's own time.
            if self._closing or time.monotonic() + self._patience.again_s > order.until:
                log().warning("slip dropped", why=self._trouble)
                return
            with self._wake:
                self._wake.wait_for(lambda: self._closing, self._patience.again_s)

    def _look(self, port: PrinterPort) -> None:
        try:
            port.check()
        except PrinterError as why:
            port.drop()
            self._tell(str(why))
        else:
            self._tell(None)

    def _tell(self, trouble: str | None) -> None:
        if trouble == self._trouble:
            return
        self._trouble = trouble
        if trouble is None:
            log().info("slip printer ready", port=self._line.port)
        else:
            log().warning("slip printer", why=trouble)
        self._changed(trouble)
