"""What systemd is told while a program begins and as long as its loop turns. Silent where nobody asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Notifier(Protocol):
    """Tells systemd something, as ``sdnotify.SystemdNotifier`` does."""

    def notify(self, state: str) -> None:
        """Send one assignment."""
        ...


class Heartbeat:
    """The loop's beat, as often as the unit's watchdog asks (sd_watchdog_enabled(3): half of its time).

    Args:
        notifier: sends it.
        environment: of the process, which has the watchdog's time.
        pid: of the process: the watchdog may be another's.
    """

    def __init__(self, notifier: Notifier, environment: Mapping[str, str], pid: int) -> None:
        self._notifier = notifier
        asked = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        self._every_ns = int(asked) * 1000 // 2 if ours and asked.isascii() and asked.isdigit() and int(asked) else None
        self._due = 0

    def begins(self, within_s: int) -> None:
        """Ask for so many seconds, from now on, to begin in: a unit's own limit may be shorter."""
        self._notifier.notify(f"EXTEND_TIMEOUT_USEC={within_s * 1_000_000}")

    def beat(self, now: int) -> int | None:
        """Beat if it is time at ``now`` (ns); return when to come again, or None where nobody asked."""
        if self._every_ns is None:
            return None
        if now >= self._due:
            self._notifier.notify("WATCHDOG=1")
            self._due = now + self._every_ns
        return self._due
