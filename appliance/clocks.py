"""The clocks of the machine: the instant, the boot and the wall time. The only place that reads them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
NOT_BEFORE: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""No Tileclock is older: a Pi without a battery and without a network comes up with 1970, or with the day it was last switched off."""


@cache
def boot_id() -> str:
    """Return the kernel's id of this boot."""
    return _BOOT_ID.read_text(encoding="ascii").strip()


def wall_time() -> str:
    """Return UTC as ISO 8601; it may jump, and nothing is counted by it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def is_dated(wall: str) -> bool:
    """Tell whether a wall time (ISO 8601, with its offset) can be right: it can be read, and the machine's date was set when it was taken."""
    try:
        return datetime.fromisoformat(wall) >= NOT_BEFORE
    except (ValueError, TypeError):  # no such text, or one without an offset
        return False


@dataclass(frozen=True, slots=True)
class Stamp:
    """One instant on all clocks of the machine: CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    mono: int
    boot: str
    wall: str


@dataclass(frozen=True, slots=True)
class Clocks:
    """Where instants and stamps come from; a test, or a scripted game, brings its own."""

    now: Callable[[], int] = time.monotonic_ns
    """CLOCK_MONOTONIC in ns, the clock the kernel stamps edges with."""
    wall: Callable[[], str] = wall_time
    boot: Callable[[], str] = boot_id

    def stamp(self, mono: int) -> Stamp:
        """Return the stamp of ``mono`` (ns of CLOCK_MONOTONIC), with the wall time of now."""
        return Stamp(mono, self.boot(), self.wall())
