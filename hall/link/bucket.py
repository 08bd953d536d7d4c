"""A limit of events in a time."""

from __future__ import annotations

from collections import deque
from typing import Final

_S: Final = 1_000_000_000


class Bucket:
    """Lets at most ``most`` events through in any time of ``within`` ns, and these at once."""

    def __init__(self, most: int, within: int = _S) -> None:
        self._passed: deque[int] = deque(maxlen=most)
        self._within = within

    def take(self, now: int) -> bool:
        """Let one event through at ``now`` (ns), or return False."""
        if self.free_at(now) > now:
            return False
        self._passed.append(now)
        return True

    def free_at(self, now: int) -> int:
        """Return the first instant from ``now`` on at which one more event may pass."""
        full = len(self._passed) == self._passed.maxlen
        return max(now, self._passed[0] + self._within) if full else now
