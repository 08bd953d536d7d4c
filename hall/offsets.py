"""What the exchanges with a device say of its clock: how far it is from the listener's, and how fast it goes.

No wall clock is trusted (docs/spec/wire.md, "Time"). The true offset of each exchange lies within half its round trip. So two exchanges bound the rate between
them, and the bounds of all pairs hold at once while the rate is constant.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rules.duration import NS
from wire.reports import FourStamps

MAX_EXCHANGES: Final = 8
DRIFT: Final = 10_000
"""The error grows by one ns in so many: 100 ppm, as two crystals may drift apart."""
STRETCH_NS: Final = 30 * NS
STRETCHES: Final = 40
"""The rate is that of the last 20 minutes: a crystal's depends on its temperature."""


class Exchange(Struct, frozen=True):
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
        return self.round_trip // 2 + (now - self.at) // DRIFT


class Rate(Struct, frozen=True):
    """How much faster than the listener's clock a device's goes, in ns a second (1000 are 1 ppm); negative: it is slow."""

    ns: int
    bound: int
    """How far off ``ns`` may be."""


class Offsets(Struct, frozen=True):
    """The last exchanges of one boot of a device."""

    boot: str = ""
    exchanges: tuple[Exchange, ...] = ()
    course: tuple[Exchange, ...] = ()
    """The best exchange of each stretch of time."""

    def of_boot(self, boot: str) -> Offsets:
        return self if boot == self.boot else Offsets(boot)

    def after(self, exchange: Exchange) -> Offsets:
        course = (*self.course, exchange)
        if self.course and self.course[-1].at // STRETCH_NS == exchange.at // STRETCH_NS:
            course = (*self.course[:-1], min(self.course[-1], exchange, key=lambda each: each.round_trip))
        return replace(self, exchanges=(*self.exchanges, exchange)[-MAX_EXCHANGES:], course=course[-STRETCHES:])

    @property
    def best(self) -> Exchange | None:
        return min(self.exchanges, key=lambda each: each.round_trip, default=None)

    @property
    def rate(self) -> Rate | None:
        """The device's rate in the last 20 minutes; None: there is one stretch so far."""
        least, most = [], []
        for early, late in combinations(self.course, 2):
            gained, span = early.offset - late.offset, late.at - early.at
            unsure = (early.round_trip + late.round_trip) // 2
            least.append((gained - unsure) * NS // span)
            most.append((gained + unsure) * NS // span)
        if not least:
            return None
        # If the rate was not constant, the bounds may cross: they are as far apart then as it has changed.
        return Rate((max(least) + min(most)) // 2, abs(min(most) - max(least)) // 2 + 1)
