"""The cost of overtime, from the reading and never from hidden fractions (2017 V.G.2)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.duration import seconds_shown


@dataclass(frozen=True, slots=True)
class OvertimeBand:
    """The cost of overtime from one second on, up to the next band."""

    from_s: int
    points: int
    """Points for each period in this band."""
    period_s: int


@dataclass(frozen=True, slots=True)
class OvertimeRule:
    """What overtime costs."""

    bands: tuple[OvertimeBand, ...]
    """In rising order, the first from 0."""
    counts_completed: bool
    """A period counts when it is over, not when it begins."""
    cap: int | None
    """The most points that overtime costs; None: no cap."""
    zero_reading_free: bool
    """-0:00 is not overtime (2017 V.G.2). Otherwise overtime begins one nanosecond below zero."""

    def penalty(self, remaining_ns: int) -> int:
        """Return the points that a side loses for ``remaining_ns``."""
        overtime_s = self._overtime_s(remaining_ns)
        if not overtime_s:
            return 0
        ends = (*(band.from_s for band in self.bands[1:]), overtime_s)
        points = sum(
            band.points * self._periods(min(end, overtime_s) - band.from_s, band.period_s)
            for band, end in zip(self.bands, ends, strict=True)
        )
        return points if self.cap is None else min(points, self.cap)

    def _overtime_s(self, remaining_ns: int) -> int:
        """Return the seconds of overtime that count: those past -0:00, or those begun below zero where -0:00 is not free."""
        passed = max(0, -seconds_shown(remaining_ns))
        begun_at_zero = remaining_ns < 0 and not (self.zero_reading_free or self.counts_completed)
        return passed + 1 if begun_at_zero else passed

    def _periods(self, seconds: int, period_s: int) -> int:
        inside = max(0, seconds)
        return inside // period_s if self.counts_completed else -(-inside // period_s)
