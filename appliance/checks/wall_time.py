"""The wall's time, as the self-tests look at it, and who keeps it. Nothing is counted by it, it is only written down: so it is never a failure."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.checks.finding import Finding, note, ok
from appliance.clocks import NOT_BEFORE

KEEPERS: Final = {"systemd-timesyncd.service": "timesyncd", "chrony.service": "chrony", "ntpsec.service": "ntpsec"}
"""The services that keep time of day, by their units on Debian."""
CHIP: Final = Path("/dev/rtc0")


@dataclass(frozen=True, slots=True)
class Timekeeper:
    """Who keeps the wall's time."""

    by: str | None
    """The running service; empty where none of ``KEEPERS`` runs, None where that cannot be asked."""
    chip: bool
    """Whether there is a clock chip (RTC); whether it has a battery, nobody can tell."""

    def __str__(self) -> str:
        """Return it in words."""
        by = "no service that can be asked for" if self.by is None else self.by or "no service"
        chip = (
            "a clock chip, which needs a battery of its own"
            if self.chip
            else "no clock chip: a start begins at the last time that was noted"
        )
        return f"{by}; {chip}"


def now() -> datetime:
    """Return the wall's time, UTC."""
    return datetime.now(UTC)


def check_wall(wall: datetime, synchronised: bool | None, goes_by_it: str) -> Iterator[Finding]:
    """Yield what the wall's time is worth.

    Args:
        wall: UTC.
        synchronised: what the system says; None where it cannot be asked.
        goes_by_it: what alone would be wrong with it, such as ``the journal's dates``.
    """
    shown = f"{wall:%Y-%m-%d %H:%M} UTC"
    if wall < NOT_BEFORE:
        yield note("wall time", f"{shown} cannot be right; only {goes_by_it} are wrong with it (set it with: sudo date -s)")
    elif synchronised:
        yield ok("wall time", f"{shown}, synchronised")
    else:
        how = "not synchronised" if synchronised is False else "synchronised or not: cannot be asked here"
        yield note("wall time", f"{shown}, {how}; only {goes_by_it} go by it")


def check_keeper(kept: Timekeeper) -> Iterator[Finding]:
    """Yield who keeps the wall's time, and whether it goes on where the power is off: without service and chip it is a date that somebody set."""
    yield (ok if kept.by else note)("time keeper", str(kept))


def synchronised() -> bool | None:
    """Return whether the system has its time from elsewhere, or None where it does not say."""
    said = _asked("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get("".join(said))


def kept(chip: Path = CHIP) -> Timekeeper:
    """Return who keeps the wall's time on this machine."""
    states = _asked("systemctl", "is-active", *KEEPERS)
    if len(states) != len(KEEPERS):
        return Timekeeper(None, chip.exists())
    running = [name for name, state in zip(KEEPERS.values(), states, strict=True) if state == "active"]
    return Timekeeper(", ".join(running), chip.exists())


def _asked(command: str, *words: str) -> list[str]:
    """Return the lines of what a program of the system answers, none where it cannot."""
    program = shutil.which(command)
    if program is None:
        return []
    try:
        answer = subprocess.run([program, *words], capture_output=True, text=True, timeout=5, check=False)  # noqa: S603 - a fixed command of the system
    except (OSError, subprocess.TimeoutExpired):
        return []
    return answer.stdout.split()
