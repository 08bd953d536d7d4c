"""Writes to and closes serial ports within a time limit."""

from __future__ import annotations

import contextlib
import select
import time

import serial

from hardware.serial.faults import FAULTS


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
            raise late(seconds)
        data = data[port.write(data) :]


def late(seconds: float) -> TimeoutError:
    """Return the error of a port that accepts, or sends, nothing more."""
    return TimeoutError(f"it accepted nothing for {seconds:g} s")


def drop(port: serial.Serial | None) -> None:
    """Close a port at once and discard unsent bytes. Accepts None and vanished ports."""
    if port is not None:
        with contextlib.suppress(*FAULTS):
            port.reset_output_buffer()  # otherwise closing waits for unsent bytes, up to half a minute
        with contextlib.suppress(*FAULTS):
            port.close()
