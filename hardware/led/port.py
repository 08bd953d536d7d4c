"""The serial port of one LED module: found among the places where it may be, opened, written to with a time limit.

A port may go and come back under another name, so the places are looked through at each opening. Whatever goes wrong is a ``LedError`` with a sentence, within a bound.
"""

from __future__ import annotations

import contextlib
import errno
import time
from typing import Final

import serial

from appliance.errors import LedError
from hardware.serial.bounds import drop, late, write_within
from hardware.serial.faults import FAULTS, describe_fault
from hardware.serial.line import LedLine, places, plugged_in

_LOOK_S: Final = 0.005
"""So often it is looked whether all is sent: five bytes at 9600 baud."""
_USER: Final = "the clock's user"


class LedPort:
    """A module's port; closed at first.

    Args:
        name: whose it is, as it is told: ``left``.
        line: where it may be, and its speed.
        write_s: how long it may take to send what it was given, in s.
    """

    def __init__(self, name: str, line: LedLine, *, write_s: float = 1.0) -> None:
        self._name = name
        self._line = line
        self._write_s = write_s
        self._serial: serial.Serial | None = None

    @property
    def port(self) -> str | None:
        """The device that is open, or None."""
        return None if self._serial is None else str(self._serial.port)

    def open(self) -> None:
        """Open the first place that can be had.

        Raises:
            LedError: none can.
        """
        found, why = None, None
        for place in places(self._line.ports):
            try:
                self._serial = serial.Serial(place, self._line.baud, timeout=0, write_timeout=0, exclusive=True)
            except FAULTS as fault:
                # One that is there and cannot be had says more than one that is not.
                found = found if getattr(fault, "errno", None) == errno.ENOENT else describe_fault(fault, _USER)
                why = why or fault
            else:
                return
        raise self._lost(found or f"nothing there (plugged in now: {plugged_in()})") from why

    def send(self, data: bytes) -> None:
        """Hand bytes to the module; all of them, so that none is ever taken for another command's.

        Raises:
            LedError: the port is gone, or does not take them in time.
        """
        port = self._opened()
        try:
            write_within(port, data, self._write_s)
        except FAULTS as why:
            raise self._lost(describe_fault(why, _USER)) from why

    def settle(self) -> None:
        """Wait until all is sent that it was given, so that nothing old stands before what comes next.

        Raises:
            LedError: the port is gone, or does not send in time.
        """
        port, until = self._opened(), time.monotonic() + self._write_s
        try:
            while port.out_waiting:
                if time.monotonic() >= until:
                    raise late(self._write_s)
                time.sleep(_LOOK_S)
        except FAULTS as why:
            raise self._lost(describe_fault(why, _USER)) from why

    def drop(self) -> None:
        """Close the port at once; what it has not sent yet is lost. Harmless when it is closed."""
        port, self._serial = self._serial, None
        drop(port)

    def close(self) -> None:
        """Close the port; what it was given stays on its way where it is out already."""
        port = self._serial
        with contextlib.suppress(*FAULTS):
            if port is not None and not port.out_waiting:
                self._serial = None
                port.close()
        self.drop()

    def _opened(self) -> serial.Serial:
        if self._serial is None:
            raise self._lost("it is not open")
        return self._serial

    def _lost(self, found: str) -> LedError:
        places = " or ".join(self._line.ports)
        return LedError(
            expected=f"the {self._name} LED display on {places}",
            found=found,
            remedy=f"Plug it in, and see that led.{self._name} in the settings is its port",
        )
