"""How a device's clock stands to the listener's: exchanges of four stamps, and the best of the last eight (docs/spec/wire.md, "Time")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from wire.messages.reports import FourStamps

MOST_EXCHANGES: Final = 8
_DRIFT: Final = 10_000
"""The error grows by one ns in so many: 100 ppm, as two crystals may drift apart."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange; all in ns."""

    offset: int
    """Add it to an instant of the device for the listener's."""
    round_trip: int
    at: int
    """When the listener answered."""

    @classmethod
    def of(cls, stamps: FourStamps) -> Exchange | None:
        """Return the exchange of four stamps; None: they contradict each other."""
        round_trip = (stamps.t4 - stamps.t1) - (stamps.t3 - stamps.t2)
        if stamps.t4 < stamps.t1 or stamps.t3 < stamps.t2 or round_trip < 0:
            return None
        return cls(((stamps.t2 - stamps.t1) + (stamps.t3 - stamps.t4)) // 2, round_trip, stamps.t3)

    def bound(self, now: int) -> int:
        """Return how far off the offset may be at ``now`` (ns of the listener)."""
        return self.round_trip // 2 + (now - self.at) // _DRIFT


@dataclass(frozen=True, slots=True)
class Offsets:
    """The last exchanges of one boot of a device."""

    boot: str = ""
    exchanges: tuple[Exchange, ...] = ()

    def of_boot(self, boot: str) -> Offsets:
        """Return the exchanges if they are of ``boot``, else none."""
        return self if boot == self.boot else Offsets(boot)

    def after(self, exchange: Exchange) -> Offsets:
        """Return them with one more."""
        return replace(self, exchanges=(*self.exchanges, exchange)[-MOST_EXCHANGES:])

    @property
    def best(self) -> Exchange | None:
        """The exchange to go by; None: there has been none."""
        return min(self.exchanges, key=lambda each: each.round_trip, default=None)
