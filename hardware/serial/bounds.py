"""Writes to and closes serial ports within a time limit."""

from __future__ import annotations

import contextlib
import select
import time
from typing import Final

import serial

from hardware.serial.faults import FAULTS

_POLL_S: Final = 0.005
"""Poll interval while bytes are unsent, in s: five bytes at 9600 baud."""


def write_within(port: serial.Serial, data: bytes, seconds: float) -> None:
    """Write all bytes to an open port.

    Raises:
        TimeoutError: the port did not accept them within ``seconds``.
        FAULTS: pyserial's errors, if the port fails.
    """
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
