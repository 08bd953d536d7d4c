"""Serial ports, for all serial devices: writing and closing within a time limit, and what their faults mean."""

from __future__ import annotations

import contextlib
import errno
import select
import termios
import time
from typing import Final

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
