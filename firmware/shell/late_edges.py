"""Late edges: insert them where they belong.

The thread that delivers edges may be delayed while the game's time advances. Every edge carries its kernel instant, so the table before it is
restored and everything since is folded again: the outcome is exactly as if the edge had arrived in time. Tables are frozen values, so storing
them is cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from firmware.gestures.clock_state import ClockState
from firmware.gestures.press_detection import due, edge, tick
from rules.duration import NS

HISTORY_NS: Final = 10 * NS
"""The length of the history: an edge that is later than this is inserted at the oldest stored table."""


StateChange: TypeAlias = Callable[[ClockState], ClockState]
"""A change of the table at its own instant."""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The table right after an edge or other change at an instant (ns), before any further tick."""

    at: int
    after: ClockState
    change: StateChange | None = None
    """What made it of the table before; None: the first one."""


class LateEdgeReplay:
    """The present table, with the history that a late edge needs."""

    def __init__(self, table: ClockState, now: int) -> None:
        self.table = table
        self._ticked = now
        self._history = [_Snapshot(now, table)]

    def edge(self, button: str, at: int, *, down: bool) -> None:
        """Apply an edge of ``button`` at ``at`` (ns), in time or late."""
        change = partial(edge, button=button, at=at, down=down)
        if at > self._ticked:
            self._apply(change, at)
            return
        # Also at the very instant that was ticked to: a fill that was full then may have to wait for this edge.
        later: list[_Snapshot] = []
        while len(self._history) > 1 and self._history[-1].at > at:
            later.append(self._history.pop())
        ticked, self.table = self._ticked, self._history[-1].after
        oldest = self._history[-1].at
        self._apply(change if at >= oldest else partial(edge, button=button, at=oldest, down=down), max(at, oldest))
        for snapshot in reversed(later):
            if snapshot.change is not None:
                self._apply(snapshot.change, snapshot.at)
        self.tick(ticked)

    def put(self, change: StateChange, now: int) -> None:
        """Make a change at ``now`` (ns) that no edge makes; a late edge before it makes it again."""
        self._apply(lambda table: change(tick(table, now)), now)

    def tick(self, now: int) -> None:
        """Advance to ``now`` (ns)."""
        self._ticked = max(self._ticked, now)
        # Step by step: a new game's history begins at its own instant, and edges since then may still be late.
        while (ripe := due(self.table)) is not None and ripe <= self._ticked:
            self._advance(ripe)
        self._advance(self._ticked)
        fresh = next((index for index, snapshot in enumerate(self._history) if snapshot.at > now - HISTORY_NS), len(self._history))
        if fresh > 1:
            del self._history[: fresh - 1]

    def _advance(self, at: int) -> None:
        before, self.table = self.table, tick(self.table, at)
        if _is_new_game(before, self.table):
            self._history = [_Snapshot(at, self.table)]

    def _apply(self, change: StateChange, at: int) -> None:
        before, self.table = self.table, change(self.table)
        self._ticked = max(self._ticked, at)
        if _is_new_game(before, self.table):
            self._history.clear()
        self._history.append(_Snapshot(at, self.table, change))


def _is_new_game(before: ClockState, after: ClockState) -> bool:
    """Return whether a new game has begun: late edges do not reach back into the old one."""
    record = after.record
    return record.before is None and all(link is not record for link in before.record)
