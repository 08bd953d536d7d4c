"""Ticks as all our pin factories count them: whole ns of CLOCK_MONOTONIC."""

from __future__ import annotations

import time


class MonotonicTicks:
    """What gpiozero asks a factory for time, answered in ns."""

    def ticks(self) -> int:
        """Return now, in ns."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Return the seconds between two ticks, which is what gpiozero's own devices ask for."""
        return (later - earlier) / 1e9
