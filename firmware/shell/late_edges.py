"""Edges that come late: put back where they belong.

A thread that hands edges on may be held up while time goes on for the game. Every edge carries its kernel instant, so the table before it is taken up again and what came
since is folded once more: the outcome is the same as if the edge had come in time, to the nanosecond. The tables are frozen values, so keeping them costs little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.gestures.clock_state import ClockState
from firmware.gestures.press_detection import edge, tick
from rules.duration import NS

KEPT_NS: Final = 10 * NS
"""An edge that comes later than this is folded in at the oldest table that is kept."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The table right after something at an instant (ns), not yet ticked any further."""

    at: int
    after: ClockState
    button: str | None = None
    down: bool = False


class LateEdgeReplay:
    """The table as it stands, and what is needed to hear a late edge."""

    def __init__(self, table: ClockState, now: int) -> None:
        self.table = table
        self._ticked = now
        self._kept = [_Kept(now, table)]

    def edge(self, button: str, at: int, *, down: bool) -> None:
        """Take in an edge of ``button`` at ``at`` (ns), in time or late."""
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
        """Let time pass up to ``now`` (ns)."""
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
    """Tell whether a new game was begun: nothing that comes late reaches back into the old one."""
    record = after.record
    return record.before is None and all(link is not record for link in before.record)
