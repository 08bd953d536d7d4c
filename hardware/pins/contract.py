"""The contract of our pin factories: gpiozero's, changed so that every edge has an integer instant.

gpiozero reports an edge as ``when_changed(ticks, state)`` and leaves the unit of ticks open. Here ticks are always an ``int``: ns of CLOCK_MONOTONIC.
``stamps`` says who took them.
"""

import time
from typing import Any, Literal, Protocol

Stamps = Literal["kernel", "python"]
"""Who stamps an edge: the kernel in its interrupt, or Python when its thread runs, which is later on a busy machine."""


class PinFactory(Protocol):
    stamps: Stamps
    library: str
    failures: tuple[type[Exception], ...]
    """The library's errors for an unavailable pin, and gpiozero's."""

    @property
    def lost(self) -> int:
        """The number of edges the library knows to be lost so far."""

    @property
    def behind(self) -> bool:
        """Whether edges are known to be unread or undelivered; False if the library cannot say."""

    def pin(self, name: str) -> Any:
        """Return the gpiozero pin with a name such as ``GPIO17``."""

    def ticks(self) -> int:
        """Return now, in ns of CLOCK_MONOTONIC."""

    def close(self) -> None:
        """Release every pin."""


class MonotonicTicks:
    """A base of the factories: gpiozero's time functions in ns of CLOCK_MONOTONIC."""

    def ticks(self) -> int:
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        return (later - earlier) / 1e9
