"""How late the durable mark may come, as a promise: after a power cut it says how much of a running clock's time may be missing.

While a clock runs, a mark is due each second (``MARK_EVERY_NS``). A cut takes the time since the last mark on the disk, and all that is known afterwards is on
the disk. So each mark carries, **before** the time passes, by how much the next one may be late. As long as every mark comes within what the one before it
promised, no cut can take more than ``MARK_EVERY_NS`` and the promise.

No promise can be kept for certain: a disk may stall for any time. What is done about it:

- The promise has a margin: twice the worst delay seen lately, and never less than ``LEAST_NS``. A delay counts from the instant the mark was due to the end of
  its commit, so a late loop, a busy writer and a slow disk all count.
- The worst delay is forgotten slowly (half of it in about 90 marks), and it survives a restart: the next program goes on from the promise on the disk.
- A promise that is broken is on the screen at once, for as long as it is so: from then on a cut would take more than the disk can say. The first mark that
  comes through again carries the higher promise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.duration import NS

MARK_EVERY_NS: Final = NS
"""While a clock runs, the shell asks for the durable mark this often (ns)."""
LEAST_NS: Final = NS
"""The smallest promise (ns)."""
MARGIN: Final = 2
FORGETS: Final = 7
"""Each mark takes a part of two to this power off the worst delay."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """The worst delay of a mark lately, in ns."""

    worst_ns: int = 0

    def after(self, late_ns: int) -> Lateness:
        """Return it after a mark that was durable ``late_ns`` after it was due."""
        return Lateness(max(late_ns, self.worst_ns - (self.worst_ns >> FORGETS)))

    @property
    def promise_ns(self) -> int:
        """By how much the next mark may be late (ns)."""
        return max(LEAST_NS, MARGIN * self.worst_ns)


def promised(promise_ns: int) -> Lateness:
    """Return what an earlier program's promise (ns) says of the delays it saw."""
    return Lateness(promise_ns // MARGIN if promise_ns > LEAST_NS else 0)
