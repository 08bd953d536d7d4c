"""The machine's clocks: monotonic instant, boot id and wall time. Only this module reads them."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from faults.errors import Phrase

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
NOT_BEFORE: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""An earlier date is wrong: without battery or network a Pi starts at 1970, or at the day of its last shutdown."""


@cache
def boot_id() -> str:
    return _BOOT_ID.read_text(encoding="ascii").strip()


def wall_time() -> str:
    """Return UTC as ISO 8601. It may jump; never use it to measure durations."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def is_dated(wall: str) -> bool:
    """Return whether a wall time (ISO 8601 with offset) is plausible: it parses and is not before ``NOT_BEFORE``."""
    try:
        return datetime.fromisoformat(wall) >= NOT_BEFORE
    except (ValueError, TypeError):  # not ISO 8601, or without an offset
        return False


def wall_in_words(wall: str) -> str:
    """Return a row's wall time, marked if the machine's date was not set; the order of the rows is right even then."""
    return wall if is_dated(wall) else f"{wall} (date not set)"


def zone_is_set() -> bool:
    """Return whether the machine has the time zone of a place; UTC is what a machine has whose zone was never set."""
    return time.tzname != ("UTC", "UTC")


def local_time(wall: datetime, clock: str = "%H:%M") -> Phrase:
    """Return date and time (``clock``, of strftime) as the clock on the wall shows them, or named UTC where no zone is set; each language orders the date."""
    local, zone = (wall.astimezone(), "") if zone_is_set() else (wall.astimezone(UTC), " UTC")
    return Phrase("{year}-{month}-{day} {time}", year=f"{local:%Y}", month=f"{local:%m}", day=f"{local:%d}", time=f"{local:{clock}}{zone}")


class Stamp(Struct, frozen=True):
    """One instant on all clocks of the machine: CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    mono: int
    boot: str
    wall: str


class Clocks(Struct, frozen=True):
    now: Callable[[], int] = time.monotonic_ns
    """CLOCK_MONOTONIC in ns, the clock of the kernel's edge timestamps."""
    wall: Callable[[], str] = wall_time
    boot: Callable[[], str] = boot_id

    def stamp(self, mono: int) -> Stamp:
        return Stamp(mono, self.boot(), self.wall())
