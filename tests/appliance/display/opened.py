"""What tests of a window in a process of its own share: how it tells what it hears, and whether it sleeps."""

import time
from collections.abc import Sequence
from typing import Protocol


class Waiting(Protocol):
    def wait(self, timeout_ms: int | None) -> None: ...

    def poll(self) -> Sequence[object]: ...


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201 - the test reads it


def switches(screen: Waiting) -> int:
    """Let ``screen`` wait for a second; return how often this process gave the processor back meanwhile."""
    before = _switches()
    screen.wait(1000)
    return _switches() - before


def settle(screen: Waiting) -> None:
    """Take what the server sends a new window, until it is silent for a tenth of a second."""
    while True:
        began = time.monotonic()
        screen.wait(100)
        screen.poll()
        if time.monotonic() - began >= 0.09:
            return


def _switches() -> int:
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - procfs
        return next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
