"""When beats go out, and the four stamps of the last exchange (docs/spec/wire.md, "Time"). Pure."""

from __future__ import annotations

import random
from collections import deque
from typing import Any, Final

_S: Final = 1_000_000_000
BURST: Final = 8
"""Beats of a new connection that follow each other quickly, so that the listener has a good exchange at once."""
BURST_EVERY_NS: Final = _S // 4
BEAT_LEAST_NS: Final = 8 * _S
BEAT_MOST_NS: Final = 10 * _S
_REMEMBERED: Final = 16


class Stamps:
    """The link's side of the time exchange. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(self) -> None:
        self.echo: dict[str, int] | None = None
        """The last complete exchange; None: none yet."""
        self._sent: deque[int] = deque(maxlen=_REMEMBERED)
        self._left = 0
        self._due = 0

    def connected(self, now: int) -> None:
        """Begin anew: the first beat of a burst is due."""
        self.echo = None
        self._sent.clear()
        self._left, self._due = BURST, now

    @property
    def due(self) -> int:
        """When the next beat has to be asked for."""
        return self._due

    def asked(self, now: int) -> None:
        """Note that a beat has been asked for: the next is due later, at random, so that the devices of a hall do not beat together."""
        self._left = max(0, self._left - 1)
        # For spreading only, not for secrets.
        self._due = now + (BURST_EVERY_NS if self._left else random.randint(BEAT_LEAST_NS, BEAT_MOST_NS))  # noqa: S311

    def sent(self, now: int) -> None:
        """Note that a beat goes out at ``now`` (t1)."""
        self._sent.append(now)

    def answered(self, message: Any, now: int) -> bool:
        """Take the listener's answer at ``now`` (t4); False: it answers none of the last beats."""
        try:
            t1, t2, t3 = message["t1"], message["t2"], message["t3"]
        except (KeyError, TypeError):
            return False
        if t1 not in self._sent or not all(type(each) is int for each in (t1, t2, t3)):
            return False
        self._sent.remove(t1)
        self.echo = {"t1": t1, "t2": t2, "t3": t3, "t4": now}
        return True
