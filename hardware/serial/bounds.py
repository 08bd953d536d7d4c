"""What every serial device's port is done to within a bound: written to, and closed without waiting for what nobody takes."""

from __future__ import annotations

import contextlib
import select
import time

import serial

from hardware.serial.faults import FAULTS


def write_within(port: serial.Serial, data: bytes, seconds: float) -> None:
    """Hand bytes to an open port, all of them.

    Raises:
        TimeoutError: it did not take them within ``seconds``.
        FAULTS: pyserial's own, where the port fails.
    """
    until = time.monotonic() + seconds
    while data:
        # Asked before each write: on a port that takes nothing, pyserial's own time limit is spent in a busy loop.
        _, ready, _ = select.select([], [port.fileno()], [], max(0.0, until - time.monotonic()))
        if not ready:
            raise late(seconds)
        data = data[port.write(data) :]


def late(seconds: float) -> TimeoutError:
    """Return the error of a port that takes, or sends, nothing more."""
    return TimeoutError(f"it took nothing more for {seconds:g} s")


def drop(port: serial.Serial | None) -> None:
    """Close a port at once; what it has not sent yet is lost. None, and one that is gone, are fine."""
    if port is not None:
        with contextlib.suppress(*FAULTS):
            port.reset_output_buffer()  # closing waits for what is not sent, up to half a minute
        with contextlib.suppress(*FAULTS):
            port.close()
