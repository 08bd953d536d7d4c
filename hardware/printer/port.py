"""The serial port of a slip printer: opens it, writes with a time limit, queries the printer's status.

Every fault is a ``PrinterError`` within a time limit. Many printers never answer queries: these count as ready.
"""

from __future__ import annotations

import errno
import time
from typing import Any, Final

import serial
from escpos.constants import RT_STATUS_ONLINE, RT_STATUS_PAPER

from appliance.errors import PrinterError
from faults.errors import Phrase
from hardware.serial_port import FAULTS, close_within, describe_fault, drop, write_within
from hardware.settings import Flow, SerialLine, places, plugged_in

_FLOWS: Final[dict[Flow, dict[str, Any]]] = {"none": {}, "rts": {"rtscts": True}, "xon": {"xonxoff": True}}
_USER: Final = "the station's user"
_FIXED: Final = (0b1001_0011, 0b0001_0010)
"""The fixed bits of a status byte (mask, value), which distinguish it from a stray byte (Epson, ESC/POS reference, DLE EOT)."""
_NO_PAPER: Final = 0b0110_0000
_OFFLINE: Final = 0b0000_1000


class PrinterPort:
    """A printer's port, initially closed, opened on demand; ``write_s`` to accept a slip and ``answer_s`` to answer a query are limits in s."""

    def __init__(self, line: SerialLine, *, write_s: float = 2.0, answer_s: float = 1.0) -> None:
        self._line = line
        self._write_s = write_s
        self._answer_s = answer_s
        self._serial: serial.Serial | None = None
        self._answers = False
        """It has answered before: from then on silence is a fault."""
        self._mute = False
        """It has not answered since the port was opened; do not query it again."""

    def check(self) -> bool:
        """Return whether the printer reports ready; False: it never answers, like many. Raises PrinterError: no port, not ready, or it stopped answering."""
        try:
            port = self._opened()
            if self._mute:
                _ = port.in_waiting  # raises if the port is gone
                return False
            port.reset_input_buffer()
            paper = self._ask(port, RT_STATUS_PAPER)
            state = None if paper is None else self._ask(port, RT_STATUS_ONLINE)
        except FAULTS as why:
            raise self._lost(why) from why
        if paper is not None and paper & _NO_PAPER:
            raise PrinterError(
                expected=Phrase("paper in the slip printer on {port}", port=self._line.port),
                found="none",
                remedy="Put in a roll and close the cover",
            )
        if state is not None and state & _OFFLINE:
            raise PrinterError(
                expected=Phrase("the slip printer on {port} to be ready", port=self._line.port),
                found="it offline",
                remedy="Close its cover and check its lamps",
            )
        return self._require_answer(answered=state is not None)

    def send(self, data: bytes) -> None:
        """Write bytes to the printer. Raises PrinterError: the port is unavailable, or does not accept them in time."""
        try:
            write_within(self._opened(), data, self._write_s)
        except FAULTS as why:
            raise self._lost(why) from why

    def drop(self) -> None:
        """Close the port at once and discard unsent bytes."""
        port, self._serial = self._serial, None
        drop(port)

    def close(self) -> None:
        """Close the port once everything is sent, within the write time limit."""
        port, self._serial = self._serial, None
        close_within(port, self._write_s)

    def _opened(self) -> serial.Serial:
        if self._serial is None:
            self._serial = self._open()
            self._mute = False
        return self._serial

    def _open(self) -> serial.Serial:
        """Open the first available port: a replugged cable may have another name."""
        line, fault = self._line, None
        for place in places((line.port,)):
            try:
                return serial.Serial(place, line.baud, timeout=self._answer_s, write_timeout=0, exclusive=True, **_FLOWS[line.flow])
            except FAULTS as why:
                fault = fault or why
        raise fault or FileNotFoundError(errno.ENOENT, "nothing there")

    def _ask(self, port: serial.Serial, question: bytes) -> int | None:
        """Return the printer's status byte, or None if none arrives in time."""
        until = time.monotonic() + self._answer_s + port.out_waiting * 10 / self._line.baud
        write_within(port, question, self._write_s)
        while time.monotonic() < until:
            for status in port.read(1):
                if status & _FIXED[0] == _FIXED[1]:
                    return int(status)
        return None

    def _require_answer(self, *, answered: bool) -> bool:
        if answered:
            self._answers = True
        elif self._answers:
            raise PrinterError(
                expected=Phrase("an answer from the slip printer on {port}, as before", port=self._line.port),
                found=Phrase("none in {seconds:g} s", seconds=self._answer_s),
                remedy="Switch it on and check its cable",
            )
        else:
            self._mute = True
        return answered

    def _lost(self, why: Exception) -> PrinterError:
        remedy = Phrase("Switch it on, plug it in, and check that this is its port")
        if getattr(why, "errno", None) == errno.ENOENT:
            remedy = Phrase("{remedy} (plugged in now: {devices})", remedy=remedy, devices=plugged_in())
        return PrinterError(
            expected=Phrase("the slip printer on {port}", port=self._line.port), found=describe_fault(why, _USER), remedy=remedy
        )
