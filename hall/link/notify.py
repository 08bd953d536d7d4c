"""Notifications to systemd (sd_notify(3)). Standard library only; the library that the programs use would cost memory here."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send one assignment; nothing happens if systemd did not ask for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as towards:
        # An abstract name begins with a zero.
        towards.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)


def watchdog_every_ns() -> int | None:
    """Return how often systemd wants a sign of life: half the unit's time, in ns; None: never."""
    asked = os.environ.get("WATCHDOG_USEC", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(asked) * 500 if ours and asked.isascii() and asked.isdigit() and int(asked) else None
