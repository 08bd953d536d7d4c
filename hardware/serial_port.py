"""The serial port of a device: found among its possible ports, written to and closed within time limits, and what its faults mean.

A port may vanish and come back under another name, so each opening searches again.
"""

import errno
import select
import termios
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import serial

from faults.errors import Phrase, TileclockError, as_phrase, reason
from hardware.settings import places

FAULTS: Final = (OSError, termios.error, ValueError, OverflowError)
"""pyserial's errors: its own are OSErrors, those of termios are not, and an invalid baud rate is a ValueError."""


def describe_fault(fault: Exception, user: str) -> str:
    """Return why a port failed, as it follows "found"; ``user`` is whose permission may be missing: ``the station's user``."""
    number = getattr(fault, "errno", None)
    if isinstance(fault, PermissionError) or number == errno.EACCES:  # which pyserial raises as an error of its own
        return Phrase("permission denied ({user} must be in the group dialout)", user=as_phrase(user))
    return "another program uses it" if number == errno.EAGAIN else reason(fault)


_POLL_S: Final = 0.005
"""Poll interval while bytes are unsent, in s: five bytes at 9600 baud."""
_ACCEPTED_NOTHING: Final = "it accepted nothing for {:g} s"


class SerialPort(ABC):
    """The port of a device, initially closed, opened on demand. ``how``: more arguments of pyserial.

    ``write_s``: the time limit for accepting bytes, in s; ``close_s``: that for sending what is left at ``close``.

    Every fault is an error of the device, raised within a time limit.
    """

    def __init__(self, ports: Sequence[str], baud: int, *, write_s: float, close_s: float, **how: Any) -> None:
        self._ports, self._baud, self._how = ports, baud, how
        self._write_s, self._close_s = write_s, close_s
        self._serial: serial.Serial | None = None

    def send(self, data: bytes) -> None:
        """Raises the device's error: the port is unavailable, or does not accept all bytes in time."""
        with self._reported():
            self._write(self._opened(), data)

    def close(self) -> None:
        """Close the port once all bytes are sent, or after ``close_s`` without those left. Idempotent."""
        if self._serial is not None:
            with suppress(*FAULTS):
                self._drain(self._serial, self._close_s)
                self._serial.close()
        self.drop()

    def drop(self) -> None:
        """Close the port at once and discard unsent bytes. Idempotent."""
        port, self._serial = self._serial, None
        if port is not None:
            with suppress(*FAULTS):
                port.reset_output_buffer()  # otherwise closing waits for unsent bytes, up to half a minute
            with suppress(*FAULTS):
                port.close()

    @abstractmethod
    def _lost(self, why: Exception) -> TileclockError:
        """Return the device's error for one of ``FAULTS``."""

    def _write(self, port: serial.Serial, data: bytes) -> None:
        """Raises TimeoutError: the port did not accept all bytes in time; FAULTS: the port fails."""
        until = time.monotonic() + self._write_s
        while data:
            # Check before each write: pyserial's own timeout is a busy loop if the port accepts nothing.
            _, ready, _ = select.select([], [port.fileno()], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError(_ACCEPTED_NOTHING.format(self._write_s))
            data = data[port.write(data) :]

    def _drain(self, port: serial.Serial, seconds: float) -> None:
        """Wait until all bytes are sent. Raises as ``_write`` does."""
        until = time.monotonic() + seconds
        while port.out_waiting:
            if time.monotonic() >= until:
                raise TimeoutError(_ACCEPTED_NOTHING.format(seconds))
            time.sleep(_POLL_S)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except FAULTS as why:
            raise self._lost(why) from why

    def _opened(self) -> serial.Serial:
        if self._serial is None:
            self._serial = self._first()
        return self._serial

    def _first(self) -> serial.Serial:
        fault: Exception | None = None
        for place in places(self._ports):
            try:
                return serial.Serial(place, self._baud, write_timeout=0, exclusive=True, **self._how)
            except FAULTS as why:
                # The error of a port that exists says more than that of a missing one.
                fault = fault if fault is not None and is_missing(why) else why
        raise fault or FileNotFoundError(errno.ENOENT, "nothing there")


def is_missing(fault: Exception) -> bool:
    return getattr(fault, "errno", None) == errno.ENOENT
