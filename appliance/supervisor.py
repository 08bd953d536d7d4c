"""A service's supervisor: systemd's watchdog and status, and the requests to switch off and to update.

Notifications go to systemd while a program starts and while its loop runs; they are silent if systemd did not ask for them. A request is a file that the program
creates and a privileged unit watches for: the program itself needs no right to do what it asks. If the environment names no file, the director's menu does not
offer it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from appliance.errors import PowerOffError
from appliance.records.sqlite import describe_io_error
from faults.errors import Phrase, as_phrase


class Notifier(Protocol):
    def notify(self, state: str) -> None: ...


class Heartbeat:
    """The loop's keep-alive messages, at half the unit's watchdog time (sd_watchdog_enabled(3)), which may be meant for another process than ``pid``."""

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


class PowerOff(Struct, frozen=True):
    path: Path

    def ask(self) -> None:
        """Create the request: systemd then stops the program cleanly and switches the machine off. Raises ``PowerOffError``."""
        try:
            self.path.touch()
        except OSError as error:
            found = describe_io_error(error).problem
            raise PowerOffError(
                where=self.path,
                expected="to ask that the machine is switched off",
                found=Phrase("that it cannot be written: {why}", why=as_phrase(found)),
                remedy="Use the power button",
            ) from error


def request_path(environment: Mapping[str, str], key: str) -> Path | None:
    """Return where a request can be created; None if the environment has no absolute path at ``key`` or its folder is not writable."""
    path = Path(environment.get(key, ""))
    return path if path.is_absolute() and os.access(path.parent, os.W_OK | os.X_OK) else None


class UpdateRequest(Struct, frozen=True):
    path: Path
    outcome: Path

    def ask(self) -> None:
        """Create the request: the unit then stops the program cleanly, installs, and starts it again. Raises ``OSError``."""
        self.path.touch()

    def withdraw(self) -> None:
        """Remove the request, if it is still there: whoever removes it first, the program or the unit, acts. Raises ``OSError``."""
        self.path.unlink(missing_ok=True)

    def last(self) -> str:
        try:
            return self.outcome.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""


def update_request(environment: Mapping[str, str], key: str, outcome_key: str) -> UpdateRequest | None:
    """Return how to ask for an update; None if the environment does not name a file at ``key`` that can be created, and one at ``outcome_key``."""
    path, outcome = request_path(environment, key), Path(environment.get(outcome_key, ""))
    return UpdateRequest(path, outcome) if path is not None and outcome.is_absolute() else None


class Supervisor(Struct, frozen=True):
    """The supervisor's parts, each None if absent."""

    heartbeat: Heartbeat | None = None
    power_off: PowerOff | None = None
    update: UpdateRequest | None = None
    notifier: Notifier | None = None
    """systemd, which restarts the program and shows its status; None: a person started it and reads its output."""


NO_SUPERVISOR: Final = Supervisor()


def supervisor(notifier: Notifier, environment: Mapping[str, str], power_off_key: str, update: UpdateRequest | None = None) -> Supervisor:
    listens, wish = bool(environment.get("NOTIFY_SOCKET")), request_path(environment, power_off_key)
    return Supervisor(
        Heartbeat(notifier, environment, os.getpid()), None if wish is None else PowerOff(wish), update, notifier if listens else None
    )
