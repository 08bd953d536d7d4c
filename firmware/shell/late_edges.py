"""Late edges: insert them where they belong.

The thread that delivers edges may be delayed while the game's time advances. Every edge carries its kernel instant, so the table before it is
restored and everything since is folded again: the outcome is exactly as if the edge had arrived in time. Tables are frozen values, so storing
them is cheap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.gestures.clock_state import ClockState
from firmware.gestures.press_detection import edge, tick
from rules.duration import NS

KEPT_NS: Final = 10 * NS
"""The length of the history: an edge that is later than this is inserted at the oldest stored table."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The table right after an edge or other change at an instant (ns), before any further tick."""

    at: int
    after: ClockState
    button: str | None = None
    down: bool = False


class LateEdgeReplay:
    """The present table, with the history that a late edge needs."""

    def __init__(self, table: ClockState, now: int) -> None:
        self.table = table
        self._ticked = now
        self._kept = [_Kept(now, table)]

    def edge(self, button: str, at: int, *, down: bool) -> None:
        """Apply an edge of ``button`` at ``at`` (ns), in time or late."""
        if at >= self._ticked:
            self._take(button, at, down=down)
            return
        later: list[_Kept] = []
        while len(self._kept) > 1 and self._kept[-1].at > at:
            later.append(self._kept.pop())
        ticked, self.table = self._ticked, self._kept[-1].after
        self._take(button, max(at, self._kept[-1].at), down=down)
        for kept in reversed(later):
            if kept.button is not None:
                self._take(kept.button, kept.at, down=kept.down)
        self.tick(ticked)

    def tick(self, now: int) -> None:
        """Advance to ``now`` (ns)."""
        self._ticked = max(self._ticked, now)
        before, self.table = self.table, tick(self.table, self._ticked)
        if _begun(before, self.table):
            self._kept = [_Kept(self._ticked, self.table)]
        fresh = next((index for index, kept in enumerate(self._kept) if kept.at > now - KEPT_NS), len(self._kept))
        if fresh > 1:
            del self._kept[: fresh - 1]

    def _take(self, button: str, at: int, *, down: bool) -> None:
        before, self.table = self.table, edge(self.table, button, at, down=down)
        self._ticked = max(self._ticked, at)
        if _begun(before, self.table):
            self._kept.clear()
        self._kept.append(_Kept(at, self.table, button, down))


def _begun(before: ClockState, after: ClockState) -> bool:
    """Return whether a new game has begun: late edges do not reach back into the old one."""
    record = after.record
    return record.before is None and all(link is not record for link in before.record)
