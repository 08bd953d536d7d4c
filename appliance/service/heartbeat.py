"""Notifications to systemd while a program starts and while its loop runs. Silent if systemd did not ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Notifier(Protocol):
    """Sends notifications to systemd, like ``sdnotify.SystemdNotifier``."""

    def notify(self, state: str) -> None:
        """Send one assignment."""
        ...


class Heartbeat:
    """The loop's keep-alive messages, at half the unit's watchdog time (sd_watchdog_enabled(3)).

    Args:
        notifier: sends them.
        environment: of the process; contains the watchdog time.
        pid: of the process; the watchdog may be meant for another.
    """

    def __init__(self, notifier: Notifier, environment: Mapping[str, str], pid: int) -> None:
        self._notifier = notifier
        asked = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        self._every_ns = int(asked) * 1000 // 2 if ours and asked.isascii() and asked.isdigit() and int(asked) else None
        self._due = 0

    def extend_startup(self, within_s: int) -> None:
        """Ask for ``within_s`` more seconds to start, since the unit's limit may be shorter."""
        self._notifier.notify(f"EXTEND_TIMEOUT_USEC={within_s * 1_000_000}")

    def beat(self, now: int) -> int | None:
        """Send a keep-alive if due at ``now`` (ns); return when the next is due, or None without a watchdog."""
        if self._every_ns is None:
            return None
        if now >= self._due:
            self._notifier.notify("WATCHDOG=1")
            self._due = now + self._every_ns
        return self._due
