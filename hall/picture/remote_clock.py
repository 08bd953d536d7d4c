"""A table's clock as seen from another machine: its last state, and how its machine's time stands to ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hall.picture.offsets import Exchange
from rules.duration import reading
from rules.side import BySide, Side
from wire.messages.states import ClockReport

EXACT_NS: Final = 250_000_000
"""A reading that may be further off than this is shown with ``~``."""
UNKNOWN: Final = "?"
"""The reading of a clock that runs on a machine whose time is not known yet."""


@dataclass(frozen=True, slots=True)
class RemoteReading:
    """Both readings at an instant."""

    shown: BySide[str]
    running: Side | None
    bound_ns: int | None
    """How far off the running side may be; 0: none runs; None: unknown."""


@dataclass(frozen=True, slots=True)
class RemoteClock:
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
        """Whose clock runs."""
        return None if self.report.running is None else Side(self.report.running)

    def _remaining(self, side: Side, now: int) -> int | None:
        stood = (self.report.left if side is Side.LEFT else self.report.right).remaining_ns
        if side is not self.running:
            return stood
        if self.exchange is None:
            return None
        # The instant may lie ahead: of time that is charged after a delay, or by the error of the offset.
        return stood - max(0, now - self.exchange.offset - self.report.at)
