"""Check the sources of time: the monotonic clock that counts everything, and the boot's id, to which its instants belong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Protocol

from appliance.checks.finding import Finding, fail, note, ok
from rules.contact import MS
from rules.duration import NS

NEEDED: Final = "CLOCK_MONOTONIC"
"""The kernel's clock for edges (linux/gpio.h, v2 lines)."""
FINE_NS: Final = 1_000
COARSE_NS: Final = MS


class ClockInfo(Protocol):
    """Python's information about a clock."""

    @property
    def implementation(self) -> str:
        """The underlying system call."""
        ...

    @property
    def resolution(self) -> float:
        """In s."""
        ...


def check_monotonic(info: ClockInfo) -> Iterator[Finding]:
    """Yield a finding about ``time.get_clock_info("monotonic")``."""
    resolution_ns = round(info.resolution * NS)
    found = f"{info.implementation}, resolution {resolution_ns} ns"
    if NEEDED not in info.implementation:
        yield fail("time source", found, f"Run the clock on Linux, where Python and the kernel's edges share {NEEDED}.")
    elif resolution_ns > COARSE_NS:
        yield fail("time source", found, "Take a kernel with high-resolution timers: milliseconds matter in presses.")
    else:
        yield (ok if resolution_ns <= FINE_NS else note)("time source", found)


def check_boot(boot: Callable[[], str]) -> Iterator[Finding]:
    """Yield whether the boot's id is readable: it tells time before a power cut from time after it."""
    try:
        found = boot()
    except OSError as error:
        yield fail("boot id", str(error), "Mount /proc for the clock; in a service, leave out ProcSubset=pid.")
        return
    yield ok("boot id", f"{found[:8]}...")
