"""The wall's time, as the self-tests look at it. Nothing is counted by it, it is only written down: so it is never a failure."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime

from hardware.clocks import NOT_BEFORE
from hardware.finding import Finding, note, ok


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


def synchronised() -> bool | None:
    """Return whether the system has its time from elsewhere, or None where it does not say."""
    program = shutil.which("timedatectl")
    if program is None:
        return None
    asked = [program, "show", "--property=NTPSynchronized", "--value"]
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False)  # noqa: S603 - a fixed command of the system
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(answer.stdout.strip())
