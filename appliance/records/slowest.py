"""How long the slowest write to a file of record has taken. One that still lasts counts too: a card that hangs shows while it hangs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class SlowestWrite:
    """Measures the writes of one thread. ``now`` returns ns."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._longest = 0
        self._began: int | None = None

    @property
    def ns(self) -> int:
        """The duration of the slowest write so far. May be read from any thread."""
        began = self._began
        return self._longest if began is None else max(self._longest, self._now() - began)

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure one write, also if it fails."""
        self._began = self._now()
        try:
            yield
        finally:
            self._longest, self._began = self.ns, None
