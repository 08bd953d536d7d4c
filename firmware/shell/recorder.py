"""Recording: changes of the table become rows for the journal's writer, in order.

Nothing here waits for the disk. A press is shown and counted even if it cannot be written; the screen then shows that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from appliance.clocks import Clocks
from firmware.gestures.clock_state import ClockState
from firmware.journal.lateness import MARK_EVERY_NS
from firmware.journal.memory import SERVED_NS, Beat, CrashMemory
from firmware.journal.writer import JournalWriter
from game.events import End, NewGame
from game.game import Phase
from game.journal.row import GameStamp, Kind, row_of, rows_of
from game.record import Record, accept
from rules.duration import NS

EARLY_NS = NS // 50
NOT_PLAYED: Final = "not played"
"""The reason of the end of a game that was set up and never began."""


@dataclass(frozen=True, slots=True)
class HeadSigned:
    """The clock's key has signed a head of the journal: this becomes a row of its own."""

    body: Mapping[str, Any]
    of_stop: bool
    """The head is that of the stop in order: nothing is to be signed after it."""


def stamped(clocks: Clocks, at: int, mono: int) -> GameStamp:
    """Return the stamp of a game's instant ``at`` and the machine's ``mono`` (both ns)."""
    return GameStamp(at, mono, clocks.boot(), clocks.wall())


class JournalRecorder:
    """Passes changes of the table to the journal's writer."""

    def __init__(
        self, writer: JournalWriter, clocks: Clocks, game: int, recorded: Record | None, memory: CrashMemory | None = None
    ) -> None:
        self.writer = writer
        self.late = False
        """No mark has come within the promise of the previous one: a power cut would lose more time than the clock would then report."""
        self._memory = memory
        self._clocks = clocks
        self._game = game
        """The number of the game of ``_recorded``."""
        self._recorded = recorded
        self._marked = 0
        self._due: int | None = None
        """When the loop planned to wake, ns; None: only an input wakes it."""
        self._counts_since: int | None = None
        """Since when a clock has been running without interruption."""

    @property
    def game(self) -> int:
        """The present game's number in the journal."""
        return self._game + self.writer.games_before

    def record(self, table: ClockState, now: int) -> None:
        """Write what has changed in the record since the last call; ``now`` is the hands' time in ns."""
        record, old = table.record, self._recorded
        if record is old:
            return
        stamp = stamped(self._clocks, table.instant(now), now)
        if old is None or (record.before is None and isinstance(record.event, NewGame) and record.event is not _first(old)):
            if old is not None and old.game_at(record.at).phase is Phase.READY:
                # It was set up anew before it began.
                self.writer.put(rows_of(old, accept(old, End(NOT_PLAYED), record.at), self._game, stamp))
            self._game += 1
        self._recorded = record
        self.writer.put(rows_of(old, record, self._game, stamp))

    def note(self, kind: Kind, table: ClockState, now: int, body: Mapping[str, Any]) -> None:
        """Write a row that is not an event."""
        stamp = stamped(self._clocks, table.instant(now), now)
        self.writer.put((row_of(kind, self._game, stamp, body),))

    def mark(self, table: ClockState, now: int, *, counting: bool) -> int | None:
        """Request a durable mark if due, check whether the last one was in time, and return the next call's instant (None: no time counts)."""
        if not counting or table.frozen is not None:
            self._counts_since, self.late = None, False
            return None
        if self._counts_since is None:
            self._counts_since = now
        # Slightly early if the loop is awake anyway: readings change once a second too, and one wake serves both.
        if now - self._marked >= MARK_EVERY_NS - EARLY_NS:
            due = min(now, max(self._marked + MARK_EVERY_NS, self._counts_since))
            self._marked = now
            self.writer.mark(stamped(self._clocks, table.instant(now), now), due)
        promised = self._promised(self._counts_since)
        self.late = now > promised
        return self._marked + MARK_EVERY_NS if self.late else min(self._marked + MARK_EVERY_NS, promised + 1)

    def _promised(self, counts_since: int) -> int:
        """Return the instant up to which the last mark on the disk covers what a power cut would take (``journal.lateness``)."""
        durable = self.writer.durable
        if durable.mono >= counts_since:
            return durable.mono + MARK_EVERY_NS + durable.promise_ns
        # According to the disk, all clocks are stopped.
        return counts_since + durable.promise_ns

    def asleep(self, table: ClockState, now: int, wake: int | None) -> None:
        """Store that everything is shown and recorded at ``now``, and that the loop sleeps until ``wake`` (ns; None: until an input)."""
        self._due = wake
        self._beat(table, now, wake, asleep=True)

    def awake(self, table: ClockState, now: int) -> None:
        """Store that the loop has woken at ``now`` (ns).

        A loop that hung is not back before it sleeps again: the watchdog may end it as soon as it goes on, with presses that it has not applied.
        """
        if self._due is None or now <= self._due + SERVED_NS:
            self._beat(table, now, None, asleep=False)

    def _beat(self, table: ClockState, now: int, wake: int | None, *, asleep: bool) -> None:
        if self._memory is not None and table.frozen is None:
            self._memory.beat(Beat(stamped(self._clocks, table.instant(now), now), self._game, wake, asleep))

    def stop(self, table: ClockState, now: int) -> None:
        """Record that the clock is switched off at ``now`` (ns): all its time is known, and nothing is missing at the next start."""
        stamp = stamped(self._clocks, table.instant(now), now)
        self.writer.put((row_of(Kind.STOPPED, self._game, stamp, {}),))
        if table.frozen is None:
            self.writer.mark(stamp, now)


def _first(record: Record) -> object:
    return next(link.event for link in record if link.before is None)
