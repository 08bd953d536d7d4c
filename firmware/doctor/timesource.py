"""Where time comes from: the monotonic clock that everything counts by, the boot's id that says which one it was, and the wall's time, which is only written down."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final, Protocol

from firmware.core.contact import MS
from firmware.core.duration import NS
from hardware.finding import Finding, fail, note, ok

NEEDED: Final = "CLOCK_MONOTONIC"
"""The clock by which the kernel stamps edges (linux/gpio.h, v2 lines)."""
FINE_NS: Final = 1_000
COARSE_NS: Final = MS
NOT_BEFORE: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""No Tileclock is older: a Pi without a battery comes up with 1970, or with the day it was last switched off."""


class ClockInfo(Protocol):
    """What Python knows of a clock."""

    @property
    def implementation(self) -> str:
        """The system call behind it."""
        ...

    @property
    def resolution(self) -> float:
        """In s."""
        ...


def check_monotonic(info: ClockInfo) -> Iterator[Finding]:
    """Yield what ``time.get_clock_info("monotonic")`` is worth."""
    resolution_ns = round(info.resolution * NS)
    found = f"{info.implementation}, resolution {resolution_ns} ns"
    if NEEDED not in info.implementation:
        yield fail("time source", found, f"Run the clock on Linux, where Python and the kernel's edges share {NEEDED}.")
    elif resolution_ns > COARSE_NS:
        yield fail("time source", found, "Take a kernel with high-resolution timers: presses are told apart by milliseconds.")
    else:
        yield (ok if resolution_ns <= FINE_NS else note)("time source", found)


def check_boot(boot: Callable[[], str]) -> Iterator[Finding]:
    """Yield whether the boot's id can be read: without it, time before and after a power cut cannot be told apart."""
    try:
        found = boot()
    except OSError as error:
        yield fail("boot id", str(error), "Mount /proc for the clock; in a service, leave out ProcSubset=pid.")
        return
    yield ok("boot id", f"{found[:8]}...")


def check_wall(wall: datetime, synchronised: bool | None) -> Iterator[Finding]:
    """Yield what the wall's time is worth: never a failure, since no game counts by it.

    Args:
        wall: UTC.
        synchronised: what the system says; None where it cannot be asked.
    """
    shown = f"{wall:%Y-%m-%d %H:%M} UTC"
    if wall < NOT_BEFORE:
        yield note(
            "wall time",
            f"{shown} cannot be right; games are timed all the same, only the journal's dates are wrong (set it with: sudo date -s)",
        )
    elif synchronised:
        yield ok("wall time", f"{shown}, synchronised")
    else:
        how = "not synchronised" if synchronised is False else "synchronised or not: cannot be asked here"
        yield note("wall time", f"{shown}, {how}; only the journal's dates go by it")


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
