"""The end of the chain, held open for appending: rows get their place, their hash, and are on the disk when ``append`` returns.

A damaged file is set aside under another name, never overwritten, and a new log begun; its first row says so.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from appliance.records.end import HashChainWriter
from appliance.records.fault import quarantine
from appliance.records.files import Identity
from appliance.records.rows import last_of
from appliance.records.sqlite import begin
from kiosk.log.chain import link_hash
from kiosk.log.log_files import for_the_director
from kiosk.log.reading import DoorRefusals, door_refusals, rows_from
from kiosk.log.row import Row
from kiosk.log.schema import LOG, fill
from kiosk.log.verify import verify

_CHECKED_ROWS: Final = 2000
"""So many rows at the end are checked at the opening: years of logs must not keep the station from starting."""
_REPLACED: Final = "The next row begins or continues what is there now"


class Store(HashChainWriter):
    """A log open for writing, which must be there and whole (see ``ready``).

    Used by one thread; every method may raise ``sqlite3.Error`` or ``OSError``, and it is to be closed then.
    """

    def append(self, rows: Sequence[Row]) -> int:
        """Write ``rows``, all or nothing, and return the number of the last row that is there then.

        Raises:
            Replaced: the file, or its WAL, is no longer the one that was opened.
        """
        seq, head = self.seq, self.head
        with self._committing(_REPLACED) as connection:
            for row in rows:
                seq += 1
                head = link_hash(head, seq, row)
                fields = (seq, row.kind, row.stamp.mono, row.stamp.boot, row.stamp.wall, row.station, row.table, row.body, head)
                connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", fields)
            connection.execute("INSERT OR REPLACE INTO mark (id, seq, hash) VALUES (1, ?, ?)", (seq, head))
        self.seq, self.head = seq, head
        return seq

    def rows_after(self, seq: int) -> tuple[Row, ...]:
        """Return the rows after row ``seq``."""
        return tuple(kept.row for kept in rows_from(self._connection, seq + 1))

    def door_refusals(self) -> DoorRefusals:
        """Return how often a wrong PIN was given since the director's door was last opened."""
        return door_refusals(self._connection)


def ready(path: Path, orphan_wal: Identity = None) -> str | None:
    """See that a whole log stands at ``path``: the one that was there, or a new one in place of none or a damaged one.

    Args:
        path: the log's file.
        orphan_wal: a WAL that belongs to a lost file; where it is still beside ``path``, it is set aside.

    Returns:
        What was wrong with the damaged one, and its new name, in a sentence; None where there was none.

    Raises:
        NotOurs: what stands there is somebody else's file; it was left alone.
        OSError, sqlite3.Error: it cannot be looked at, renamed or made just now.
    """
    aside = quarantine(path, LOG, _fault_of_rows, orphan_wal)
    if not path.exists():
        begin(path, LOG, fill)
    # One that an earlier version made, and copies, are anybody's to read.
    for_the_director(path)
    if aside is not None:
        for_the_director(aside.path)
    return None if aside is None else f"The log was set aside as {aside.path}: {aside.fault}. A new one was begun."


def _fault_of_rows(connection: sqlite3.Connection) -> str | None:
    last = last_of(connection)
    checked = verify(connection, max(1, (0 if last is None else last[0]) - _CHECKED_ROWS))
    return None if checked.fault is None else checked.fault.meaning
