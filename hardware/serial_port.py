"""Serial ports, for all serial devices: writing and closing within a time limit, what their faults mean, and the base of our fakes.

A fake is the far end of a pseudo-terminal, read in a thread until unplugged. Everything above the port is the real driver; a fake interprets the bytes like its
device.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
import threading
import time
import tty
from abc import ABC, abstractmethod
from typing import Final, Self

import serial

from faults.errors import Phrase, as_phrase, reason

FAULTS: Final = (OSError, termios.error, ValueError, OverflowError)
"""pyserial's errors: its own are OSErrors, those of termios are not, and an invalid baud rate is a ValueError."""


def describe_fault(fault: Exception, user: str) -> str:
    """Return why a port failed, as it follows "found"; ``user`` is whose permission may be missing: ``the station's user``."""
    number = getattr(fault, "errno", None)
    if isinstance(fault, PermissionError) or number == errno.EACCES:  # which pyserial raises as an error of its own
        return Phrase("permission denied ({user} must be in the group dialout)", user=as_phrase(user))
    if number == errno.EAGAIN:
        return "another program uses it"
    return reason(fault)


_POLL_S: Final = 0.005
"""Poll interval while bytes are unsent, in s: five bytes at 9600 baud."""


def write_within(port: serial.Serial, data: bytes, seconds: float) -> None:
    """Write all bytes to an open port. Raises TimeoutError: the port did not accept them within ``seconds``; FAULTS: pyserial's errors, if the port fails."""
    until = time.monotonic() + seconds
    while data:
        # Check before each write: pyserial's own timeout is a busy loop if the port accepts nothing.
        _, ready, _ = select.select([], [port.fileno()], [], max(0.0, until - time.monotonic()))
        if not ready:
            raise _late(seconds)
        data = data[port.write(data) :]


def _late(seconds: float) -> TimeoutError:
    """Return the error of a port that accepts, or sends, nothing more."""
    return TimeoutError(f"it accepted nothing for {seconds:g} s")


def drain(port: serial.Serial, seconds: float) -> None:
    """Wait until an open port has sent all bytes. Raises as ``write_within`` does."""
    until = time.monotonic() + seconds
    while port.out_waiting:
        if time.monotonic() >= until:
            raise _late(seconds)
        time.sleep(_POLL_S)


def close_within(port: serial.Serial | None, seconds: float) -> None:
    """Close a port once all bytes are sent, or after ``seconds`` without those left. Accepts None and vanished ports."""
    if port is not None:
        with contextlib.suppress(*FAULTS):
            drain(port, seconds)
            port.close()
    drop(port)


def drop(port: serial.Serial | None) -> None:
    """Close a port at once and discard unsent bytes. Accepts None and vanished ports."""
    if port is not None:
        with contextlib.suppress(*FAULTS):
            port.reset_output_buffer()  # otherwise closing waits for unsent bytes, up to half a minute
        with contextlib.suppress(*FAULTS):
            port.close()


class FakeSerialDevice(ABC):
    """A device on a pseudo-terminal, whose near end is ``port``; if it does not read, the line blocks until ``resume``."""

    def __init__(self, name: str, *, reads: bool) -> None:
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)
        self._more = threading.Condition()
        self._ends, self._end = os.pipe()
        self._reads = threading.Event()
        if reads:
            self._reads.set()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def resume(self) -> None:
        """Start reading, if blocked."""
        self._reads.set()

    def unplug(self) -> None:
        """Pull the cable. Idempotent."""
        if self._end >= 0:
            os.write(self._end, b"x")
            self._reads.set()
            self._thread.join()
            for handle in (self._near, self._far, self._ends, self._end):
                os.close(handle)
            self._end = -1

    def _run(self) -> None:
        self._reads.wait()
        while self._ends not in select.select([self._ends, self._far], [], [])[0]:
            self._receive(os.read(self._far, 4096))

    @abstractmethod
    def _receive(self, data: bytes) -> None:
        """Interpret the bytes like the device, in the thread."""
