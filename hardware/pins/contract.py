"""What every pin factory here is: gpiozero's, so changed that every edge comes with an integer instant.

gpiozero hands an edge on as ``when_changed(ticks, state)`` and leaves open what ticks are. On these factories they are always an ``int``: ns of
CLOCK_MONOTONIC. ``stamps`` says who took them.
"""

from __future__ import annotations

import time
from typing import Any, Literal, Protocol

Stamps = Literal["kernel", "python"]
"""Who took an edge's instant: the kernel in its interrupt, or Python when its thread came to run (later by what the machine was busy with)."""


class PinFactory(Protocol):
    """What a gpiozero factory is to us."""

    stamps: Stamps
    library: str
    """The library that drives the pins, by its own name."""
    failures: tuple[type[Exception], ...]
    """What the library itself raises when a pin is not available, beside gpiozero's own errors."""

    @property
    def lost(self) -> int:
        """How many edges the library knows to have lost so far."""

    @property
    def behind(self) -> bool:
        """Whether edges are known to lie unread, or untold; False where the library does not say."""

    def pin(self, name: str) -> Any:
        """Return the gpiozero pin of that name, such as ``GPIO17``."""

    def ticks(self) -> int:
        """Return the instant, in ns of CLOCK_MONOTONIC."""

    def close(self) -> None:
        """Give every pin back."""


class MonotonicTicks:
    """A base of the factories: what gpiozero asks a factory for time, answered in ns of CLOCK_MONOTONIC."""

    def ticks(self) -> int:
        """Return now, in ns."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Return the seconds between two ticks, which is what gpiozero's own devices ask for."""
        return (later - earlier) / 1e9
