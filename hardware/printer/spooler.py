"""The slip printer with a thread of its own: ``print_slip`` returns at once, the slip is printed when the printer can.

A printer's faults (off, out of paper, unplugged, blocking the line) never affect the caller. A slip is retried for some seconds, then dropped with a line in the
log: it is no use to players who have left. ``trouble`` gives the printer's state at any time.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from appliance.errors import Diagnosis, PrinterError
from appliance.log import get_logger
from faults.errors import Phrase, reason
from hardware.driver import Driver, OnTrouble
from hardware.printer.slip import Slip
from hardware.settings import PrinterSettings

if TYPE_CHECKING:
    from hardware.printer.port import PrinterPort


MAX_WAITING: Final = 8
_CROWDED: Final = Diagnosis(Phrase("{count} newer slips wait for the printer", count=MAX_WAITING))
Encode: TypeAlias = Callable[[Slip], bytes]


class PrinterTimeouts(Struct, frozen=True):
    """Time limits and intervals of the printer's thread, in s."""

    slip_s: float = 15.0
    retry_s: float = 1.0
    check_s: float = 10.0
    write_s: float = 2.0
    answer_s: float = 1.0


_TIMEOUTS: Final = PrinterTimeouts()


class _Order(Struct, frozen=True):
    slip: Slip
    until: float
    """When to drop it, in s of CLOCK_MONOTONIC."""


def _log_dropped(why: Diagnosis | None) -> None:
    get_logger().warning("a slip was dropped", why=str(why))


class SlipPrinter(Driver):
    def __init__(self, line: PrinterSettings, timeouts: PrinterTimeouts = _TIMEOUTS, changed: OnTrouble | None = None) -> None:
        self._line = line
        self._timeouts = timeouts
        self._unfit: PrinterError | None = None
        self._orders: deque[_Order] = deque()
        self._ended: Diagnosis | None = None
        super().__init__("slip printer", changed, PrinterError, Phrase("the slip printer's thread to run"))

    def print_slip(self, slip: Slip) -> None:
        """Queue a slip; never blocks. Does nothing once closed; drops the slip if the thread has ended."""
        with self._wake:
            if self._closing:
                return
            why = self._ended
            if why is None:
                why = _CROWDED if len(self._orders) == MAX_WAITING else None
                if why is not None:
                    self._orders.popleft()
                self._orders.append(_Order(slip, time.monotonic() + self._timeouts.slip_s))
                self._wake.notify()
        if why is not None:
            _log_dropped(why)

    def _run(self) -> None:
        try:
            super()._run()
        finally:
            self._end()

    def _drive(self) -> None:
        loaded = self._loaded()
        if loaded is not None:
            self._run_port(*loaded)

    def _loaded(self) -> tuple[PrinterPort, Encode] | None:
        """Return the printer's port and its encoder; None, with ``trouble`` set, if they cannot be loaded."""
        try:
            # Imported here, so that a station without a printer loads neither.
            from hardware.printer.escpos import encode  # noqa: PLC0415
            from hardware.printer.port import PrinterPort  # noqa: PLC0415

            encode((), self._line.profile)
        except (ImportError, OSError) as why:
            expected = "the libraries pyserial and python-escpos"
            self._set_trouble(PrinterError(expected=expected, found=reason(why), remedy="Reinstall Tileclock"))
            return None
        except KeyError:
            expected, found = "a printer that python-escpos knows", Phrase("the profile {name}", name=repr(self._line.profile))
            self._set_trouble(PrinterError(expected=expected, found=found, remedy="Set printer.profile to default"))
            return None
        port = PrinterPort(self._line, write_s=self._timeouts.write_s, answer_s=self._timeouts.answer_s)
        return port, lambda slip: encode(slip, self._line.profile, cut=self._line.cut)

    def _run_port(self, port: PrinterPort, encode: Encode) -> None:
        with closing(port):
            self._check(port)
            while self._step(port, encode):
                pass

    def _step(self, port: PrinterPort, encode: Encode) -> bool:
        """Print the next slip or check the printer; return whether to continue. Keeps no slip in memory between steps."""
        order = self._next()
        if order is None:
            if self._closing:
                return False
            self._check(port)
        elif (data := self._encoded(order.slip, encode)) is not None:
            self._serve(port, data, order.until)
        return True

    def _encoded(self, slip: Slip, encode: Encode) -> bytes | None:
        """Return the slip's bytes; None, with ``trouble`` set, if it cannot be encoded."""
        try:
            return encode(slip)
        except Exception as why:  # noqa: BLE001 - any library error: later slips must still be printed
            # Report only the error's type: its text may quote the slip, and words must not reach the log.
            expected, remedy = "a slip that python-escpos can encode", "Check the printer's profile in the settings"
            self._unfit = PrinterError(expected=expected, found=type(why).__name__, remedy=remedy)
        self._set_trouble(self._unfit)
        _log_dropped(self._trouble)
        return None

    def _end(self) -> None:
        with self._wake:
            self._ended = self._trouble or Diagnosis("the printer's thread has ended")
            left = len(self._orders)
            self._orders.clear()
        for _ in range(left):
            _log_dropped(self._ended)

    def _next(self) -> _Order | None:
        with self._wake:
            self._wake.wait_for(lambda: self._orders or self._closing, self._timeouts.check_s)
            return self._orders.popleft() if self._orders else None

    def _serve(self, port: PrinterPort, data: bytes, until: float) -> None:
        while True:
            try:
                port.check()
                port.send(data)
            except PrinterError as why:
                port.drop()
                self._set_trouble(why)
            else:
                self._unfit = None
                self._set_trouble(None)
                return
            # Retries end when the slip's time is over.
            if self._closing or time.monotonic() + self._timeouts.retry_s > until:
                _log_dropped(self._trouble)
                return
            self._pause(self._timeouts.retry_s)

    def _check(self, port: PrinterPort) -> None:
        try:
            port.check()
        except PrinterError as why:
            port.drop()
            self._set_trouble(why)
        else:
            # An encoding fault stays until a slip can be encoded.
            self._set_trouble(self._unfit)
