"""A table's clock as seen from another machine: its last state, and how its machine's time stands to ours (docs/spec/wire.md, "Time").

The times are compared by exchanges of four stamps, the best of the last eight.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rules.duration import reading
from rules.side import BySide, Side
from wire.reports import ClockReport, FourStamps

MAX_EXCHANGES: Final = 8
DRIFT: Final = 10_000
"""The error grows by one ns in so many: 100 ppm, as two crystals may drift apart."""


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


class Offsets(Struct, frozen=True):
    """The last exchanges of one boot of a device."""

    boot: str = ""
    exchanges: tuple[Exchange, ...] = ()

    def of_boot(self, boot: str) -> Offsets:
        """Return the exchanges if they are of ``boot``, else none."""
        return self if boot == self.boot else Offsets(boot)

    def after(self, exchange: Exchange) -> Offsets:
        return replace(self, exchanges=(*self.exchanges, exchange)[-MAX_EXCHANGES:])

    @property
    def best(self) -> Exchange | None:
        """The exchange to go by; None: there has been none."""
        return min(self.exchanges, key=lambda each: each.round_trip, default=None)


EXACT_NS: Final = 250_000_000
"""A reading that may be further off than this is shown with ``~``."""
UNKNOWN: Final = "?"
"""The reading of a clock that runs on a machine whose time is not known yet."""


class RemoteReading(Struct, frozen=True):
    """Both readings at an instant."""

    shown: BySide[str]
    running: Side | None
    bound_ns: int | None
    """How far off the running side may be; 0: none runs; None: unknown."""


class RemoteClock(Struct, frozen=True):
    """A clock's last state, and the exchange to go by; None: there has been none since that machine started."""

    report: ClockReport
    exchange: Exchange | None

    def remaining(self, now: int) -> BySide[int | None]:
        """Return the remaining ns of each side at ``now`` (ns of the listener); None: it runs, and its machine's time is not known."""
        return BySide(self._remaining(Side.LEFT, now), self._remaining(Side.RIGHT, now))

    def bound(self, now: int) -> int | None:
        """Return how far off the running side may be at ``now``, in ns; 0: none runs; None: unknown."""
        if self.running is None:
            return 0
        return None if self.exchange is None else self.exchange.bound(now)

    def reading(self, now: int) -> RemoteReading:
        """Return both readings at ``now`` (ns of the listener)."""
        bound = self.bound(now)
        about = "~" if bound is not None and bound > EXACT_NS else ""
        shown = {side: UNKNOWN if left is None else reading(left) for side, left in self.remaining(now).items()}
        if self.running is not None and bound is not None:
            shown[self.running] = about + shown[self.running]
        return RemoteReading(BySide(shown[Side.LEFT], shown[Side.RIGHT]), self.running, bound)

    @property
    def running(self) -> Side | None:
        return None if self.report.running is None else Side(self.report.running)

    def _remaining(self, side: Side, now: int) -> int | None:
        stood = (self.report.left if side is Side.LEFT else self.report.right).remaining_ns
        if side is not self.running:
            return stood
        if self.exchange is None:
            return None
        # The instant may lie ahead: of time that is charged after a delay, or by the error of the offset.
        return stood - max(0, now - self.exchange.offset - self.report.at)
