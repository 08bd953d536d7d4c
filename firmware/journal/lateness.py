"""The promised lateness of the durable mark: after a power cut it bounds how much of a running clock's time may be missing.

While a clock runs, a mark is due each second (``MARK_EVERY_NS``). A power cut loses the time since the last mark on the disk, and the disk
is then the only source. So each mark states **in advance** how late the next one may be. As long as every mark meets the promise of the
previous one, a cut loses at most ``MARK_EVERY_NS`` plus the promise.

No promise is certain, because a disk may stall for any time. Precautions:

- The promise has a margin: twice the worst recent delay, and at least ``LEAST_NS``. A delay lasts from the instant the mark was due to the
  end of its commit, so a late loop, a busy writer and a slow disk all count.
- The worst delay decays slowly (by half in about 90 marks) and survives a restart: the next program starts from the promise on the disk.
- The screen shows a broken promise at once and as long as it lasts: a cut would then lose more than the disk states. The next successful
  mark contains the higher promise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.duration import NS

MARK_EVERY_NS: Final = NS
"""The interval (ns) of durable marks while a clock runs."""
LEAST_NS: Final = NS
"""The smallest promise (ns)."""
MARGIN: Final = 2
FORGETS: Final = 7
"""Each mark reduces the worst delay by one part in two to this power."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """The worst recent delay of a mark, in ns."""

    worst_ns: int = 0

    def after(self, late_ns: int) -> Lateness:
        """Return the new value after a mark that became durable ``late_ns`` after it was due."""
        return Lateness(max(late_ns, self.worst_ns - (self.worst_ns >> FORGETS)))

    @property
    def promise_ns(self) -> int:
        """How late the next mark may be (ns)."""
        return max(LEAST_NS, MARGIN * self.worst_ns)


def from_promise(promise_ns: int) -> Lateness:
    """Return the delays that an earlier program's promise (ns) implies."""
    return Lateness(promise_ns // MARGIN if promise_ns > LEAST_NS else 0)
