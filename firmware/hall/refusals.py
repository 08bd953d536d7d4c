"""How many refusals the journal gets: ten a minute one by one, then their number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.duration import NS

A_MINUTE: Final = 10
_MINUTE_NS: Final = 60 * NS


@dataclass(slots=True)
class RefusalCounter:
    """Counts refusals, for one thread."""

    since: int = -_MINUTE_NS
    told: int = 0
    untold: int = 0

    def refused(self, now: int) -> int:
        """Count a refusal at ``now`` (ns); return for how many a row is to be written, itself included; 0: none yet."""
        if now - self.since >= _MINUTE_NS:
            self.since, self.told = now, 0
        self.untold += 1
        if self.told >= A_MINUTE:
            return 0
        self.told += 1
        return self._take()

    @property
    def due(self) -> int | None:
        """When ``rest`` is to be asked (ns): at the end of a minute with more refusals than rows; None: no row waits."""
        return self.since + _MINUTE_NS if self.told >= A_MINUTE else None

    def rest(self, now: int, *, stops: bool = False) -> int:
        """Return for how many a row is due at ``now``, or at a stop; 0: none."""
        if not stops and (self.due is None or now < self.due):
            return 0
        self.told = 0
        return self._take()

    def _take(self) -> int:
        count, self.untold = self.untold, 0
        return count
