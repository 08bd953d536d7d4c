"""The last events with their ids, so that a browser that comes back gets what it missed. Pure but for its own list."""

from __future__ import annotations

from collections import deque
from typing import Final

KEPT: Final = 400
"""Events: at four a second, the last 100 s."""


class Ring:
    """The last events of one run of the desk.

    Args:
        run: names the run: ids of another one mean nothing.
        kept: how many events.
    """

    def __init__(self, run: str, kept: int = KEPT) -> None:
        self.run = run
        self.last = 0
        """The number of the last event."""
        self._events: deque[bytes] = deque(maxlen=kept)

    def add(self, event: bytes) -> None:
        """Add an event."""
        self.last += 1
        self._events.append(event)

    def id_of(self, number: int) -> str:
        """Return the id of an event."""
        return f"{self.run}-{number}"

    def number_of(self, given: str) -> int | None:
        """Return the number of an id; None: it is none of this run."""
        run, _, number = given.rpartition("-")
        if run != self.run or not number.isascii() or not number.isdigit() or len(number) > 12:
            return None
        return int(number)

    def after(self, number: int) -> list[bytes] | None:
        """Return the events after ``number``; None: some of them are gone, or it lies ahead."""
        missed = self.last - number
        if missed < 0 or missed > len(self._events):
            return None
        return [] if missed == 0 else list(self._events)[-missed:]
