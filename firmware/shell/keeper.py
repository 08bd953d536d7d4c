"""Keeping the record: what changed on the table becomes rows for the journal's writer, in the order it happened.

Nothing here waits for the disk. A press is shown and counted whether or not it could be written; that it could not is said on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware.core.duration import NS
from firmware.core.events import NewGame
from firmware.core.record import Record
from firmware.gestures.table import Table
from firmware.journal.recovery import MARK_EVERY_NS
from firmware.journal.row import Kind, row_of, rows_of
from firmware.journal.writer import JournalWriter
from firmware.shell.stamps import stamped
from hardware.clocks import Clocks

EARLY_NS = NS // 50


class Keeper:
    """Tells the journal's writer what became of the table."""

    def __init__(self, writer: JournalWriter, clocks: Clocks, game: int, kept: Record | None) -> None:
        self.writer = writer
        self._clocks = clocks
        self._game = game
        """The running number of the game of ``_kept``."""
        self._kept = kept
        self._marked = 0

    def keep(self, table: Table, now: int) -> None:
        """Hand on what has changed in the record since the last time; ``now`` in ns as the hands count."""
        record, old = table.record, self._kept
        if record is old:
            return
        if old is None or (record.before is None and isinstance(record.event, NewGame) and record.event is not _first(old)):
            self._game += 1
        stamp = stamped(self._clocks, table.instant(now), now)
        self._kept = record
        self.writer.put(rows_of(old, record, self._game, stamp))

    def note(self, kind: Kind, table: Table, now: int, body: Mapping[str, Any]) -> None:
        """Keep a row that is no event."""
        stamp = stamped(self._clocks, table.instant(now), now)
        self.writer.put((row_of(kind, self._game, stamp, body),))

    def mark(self, table: Table, now: int, *, counting: bool) -> int | None:
        """Ask for a durable mark where one is due, and return the instant of the next, or None while no time counts."""
        if not counting or table.frozen is not None:
            return None
        # A moment early where the loop is awake anyhow: readings change once a second too, and to wake twice for both is to wake once too often.
        if now - self._marked >= MARK_EVERY_NS - EARLY_NS:
            self._marked = now
            self.writer.mark(stamped(self._clocks, table.instant(now), now))
        return self._marked + MARK_EVERY_NS

    def stop(self, table: Table, now: int) -> None:
        """Keep that the clock is being switched off at ``now`` (ns): all of its time is known, and nothing is missing at the next start."""
        stamp = stamped(self._clocks, table.instant(now), now)
        self.writer.put((row_of(Kind.STOPPED, self._game, stamp, {}),))
        if table.frozen is None:
            self.writer.mark(stamp)


def _first(record: Record) -> object:
    return next(link.event for link in record if link.before is None)
