"""Keeping the record: what changed on the table becomes rows for the journal's writer, in the order it happened.

Nothing here waits for the disk. A press is shown and counted whether or not it could be written; that it could not is said on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from appliance.clocks import Clocks
from firmware.core.events import NewGame
from firmware.core.record import Record
from firmware.gestures.clock_state import ClockState
from firmware.journal.lateness import MARK_EVERY_NS
from firmware.journal.memory import Beat, Memory
from firmware.journal.row import Kind, Stamp, row_of, rows_of
from firmware.journal.writer import JournalWriter
from rules.duration import NS

EARLY_NS = NS // 50


def stamped(clocks: Clocks, at: int, mono: int) -> Stamp:
    """Return the stamp of a game's instant ``at`` and the machine's ``mono`` (both ns)."""
    return Stamp(at, mono, clocks.boot(), clocks.wall())


class JournalRecorder:
    """Tells the journal's writer what became of the table."""

    def __init__(self, writer: JournalWriter, clocks: Clocks, game: int, kept: Record | None, memory: Memory | None = None) -> None:
        self.writer = writer
        self.late = False
        """A mark has not come within what the one before it promised: should the power go now, more time would be missing than the clock can say."""
        self._memory = memory
        self._clocks = clocks
        self._game = game
        """The running number of the game of ``_kept``."""
        self._kept = kept
        self._marked = 0
        self._counts_since: int | None = None
        """Since when a clock has run without a break."""

    def keep(self, table: ClockState, now: int) -> None:
        """Hand on what has changed in the record since the last time; ``now`` in ns as the hands count."""
        record, old = table.record, self._kept
        if record is old:
            return
        if old is None or (record.before is None and isinstance(record.event, NewGame) and record.event is not _first(old)):
            self._game += 1
        stamp = stamped(self._clocks, table.instant(now), now)
        self._kept = record
        self.writer.put(rows_of(old, record, self._game, stamp))

    def note(self, kind: Kind, table: ClockState, now: int, body: Mapping[str, Any]) -> None:
        """Keep a row that is no event."""
        stamp = stamped(self._clocks, table.instant(now), now)
        self.writer.put((row_of(kind, self._game, stamp, body),))

    def mark(self, table: ClockState, now: int, *, counting: bool) -> int | None:
        """Ask for a durable mark where one is due, see whether the last one came in time, and return when to come again, or None while no time counts."""
        if not counting or table.frozen is not None:
            self._counts_since, self.late = None, False
            return None
        if self._counts_since is None:
            self._counts_since = now
        # A moment early where the loop is awake anyhow: readings change once a second too, and to wake twice for both is to wake once too often.
        if now - self._marked >= MARK_EVERY_NS - EARLY_NS:
            due = min(now, max(self._marked + MARK_EVERY_NS, self._counts_since))
            self._marked = now
            self.writer.mark(stamped(self._clocks, table.instant(now), now), due)
        promised = self._promised(self._counts_since)
        self.late = now > promised
        return self._marked + MARK_EVERY_NS if self.late else min(self._marked + MARK_EVERY_NS, promised + 1)

    def _promised(self, counts_since: int) -> int:
        """Return the instant up to which the disk's last word covers what a cut would take (``journal.lateness``)."""
        durable = self.writer.durable
        if durable.mono >= counts_since:
            return durable.mono + MARK_EVERY_NS + durable.promise_ns
        # On the disk all clocks stand still.
        return counts_since + durable.promise_ns

    def asleep(self, table: ClockState, now: int, wake: int | None) -> None:
        """Remember that everything is shown and kept at ``now``, and that the loop sleeps until ``wake`` (ns; None: until something is pressed)."""
        self._beat(table, now, wake, asleep=True)

    def awake(self, table: ClockState, now: int) -> None:
        """Remember that the loop has woken."""
        self._beat(table, now, None, asleep=False)

    def _beat(self, table: ClockState, now: int, wake: int | None, *, asleep: bool) -> None:
        if self._memory is not None and table.frozen is None:
            self._memory.beat(Beat(stamped(self._clocks, table.instant(now), now), self._game, wake, asleep))

    def stop(self, table: ClockState, now: int) -> None:
        """Keep that the clock is being switched off at ``now`` (ns): all of its time is known, and nothing is missing at the next start."""
        stamp = stamped(self._clocks, table.instant(now), now)
        self.writer.put((row_of(Kind.STOPPED, self._game, stamp, {}),))
        if table.frozen is None:
            self.writer.mark(stamp, now)


def _first(record: Record) -> object:
    return next(link.event for link in record if link.before is None)
