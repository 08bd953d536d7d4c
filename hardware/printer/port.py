"""The serial port of a slip printer: opens it, writes with a time limit, queries the printer's status.

Every fault is a ``PrinterError`` within a time limit. Many printers never answer queries: these count as ready.
"""

import time
from typing import Any, Final

import serial
from escpos.constants import RT_STATUS_ONLINE, RT_STATUS_PAPER

from appliance.errors import PrinterError
from faults.errors import Phrase
from hardware.serial_port import SerialPort, describe_fault, is_missing
from hardware.settings import Flow, PrinterSettings, plugged_in

_FLOWS: Final[dict[Flow, dict[str, Any]]] = {"none": {}, "rts": {"rtscts": True}, "xon": {"xonxoff": True}}
_FIXED: Final = (0b1001_0011, 0b0001_0010)
"""The fixed bits of a status byte (mask, value), which distinguish it from a stray byte (Epson, ESC/POS reference, DLE EOT)."""
_NO_PAPER: Final = 0b0110_0000
_OFFLINE: Final = 0b0000_1000


class PrinterPort(SerialPort):
    """A printer's port; ``answer_s``: the time limit for answering a query, in s."""

    def __init__(self, line: PrinterSettings, *, write_s: float = 2.0, answer_s: float = 1.0) -> None:
        super().__init__((line.port,), line.baud, write_s=write_s, close_s=write_s, timeout=answer_s, **_FLOWS[line.flow])
        self._line = line
        self._answer_s = answer_s
        self._answers = False
        """It has answered before: from then on silence is a fault."""
        self._mute = False
        """It has not answered since the port was opened; do not query it again."""

    def check(self) -> bool:
        """Return whether the printer reports ready; False: it never answers, like many. Raises PrinterError: no port, not ready, or it stopped answering."""
        with self._reported():
            port = self._opened()
            if self._mute:
                _ = port.in_waiting  # raises if the port is gone
                return False
            port.reset_input_buffer()
            paper = self._ask(port, RT_STATUS_PAPER)
            state = None if paper is None else self._ask(port, RT_STATUS_ONLINE)
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

    def _first(self) -> serial.Serial:
        self._mute = False
        return super()._first()

    def _ask(self, port: serial.Serial, question: bytes) -> int | None:
        until = time.monotonic() + self._answer_s + port.out_waiting * 10 / self._line.baud
        self._write(port, question)
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
        if is_missing(why):
            remedy = Phrase("{remedy} (plugged in now: {devices})", remedy=remedy, devices=plugged_in())
        return PrinterError(
            expected=Phrase("the slip printer on {port}", port=self._line.port),
            found=describe_fault(why, "the station's user"),
            remedy=remedy,
        )
