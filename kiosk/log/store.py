"""A log open for appending: rows get their number and hash, and are on the disk when ``append`` returns.

A damaged file is renamed, never overwritten, and a new log begins, whose first row says so.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from appliance.records.fault import quarantine
from appliance.records.files import FileIdentity
from appliance.records.rows import last_of
from appliance.records.sqlite import begin
from appliance.records.writer import HashChainWriter
from faults.errors import Phrase, as_phrase
from game.challenge_log.reading import DoorRefusals, door_refusals, rows_from, verify
from game.challenge_log.row import LOG, Row, fill, link_hash
from kiosk.log.log_files import for_the_director

_CHECKED_ROWS: Final = 2000
"""The number of rows checked at the end on opening: checking years of logs would delay startup."""
_REPLACED: Final = "The next row begins or continues what is there now"


class Store(HashChainWriter):
    """A log open for writing, which must exist and be intact (see ``ready``).

    Used by one thread. Every method may raise ``sqlite3.Error`` or ``OSError``; close it then.
    """

    def append(self, rows: Sequence[Row]) -> int:
        """Write ``rows``, all or nothing, and return the number of the last row.

        Raises:
            Replaced: the file or its WAL is no longer the one that was opened.
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
        return tuple(stored.row for stored in rows_from(self._connection, seq + 1))

    def door_refusals(self) -> DoorRefusals:
        """Return how often a wrong PIN was entered since the director's door was last opened."""
        return door_refusals(self._connection)


def ready(path: Path, orphan_wal: FileIdentity = None) -> Phrase | None:
    """Ensure an intact log at ``path``: the existing one, or a new one if it is missing or damaged.

    Args:
        path: the log's file.
        orphan_wal: the WAL of a lost file; if it is still beside ``path``, it is renamed.

    Returns:
        The damage of the old log and its new name, in a sentence; None if there was no damage.

    Raises:
        NotOurs: the file there is foreign; it was not touched.
        OSError, sqlite3.Error: it cannot be read, renamed or created now.
    """
    aside = quarantine(path, LOG, _fault_of_rows, orphan_wal)
    if not path.exists():
        begin(path, LOG, fill)
        # Earlier versions' logs, and copies, may be readable by everyone.
    for_the_director(path)
    if aside is not None:
        for_the_director(aside.path)
    if aside is None:
        return None
    return Phrase("The log was set aside as {file}: {fault}. A new one was begun.", file=aside.path, fault=as_phrase(aside.fault))


def _fault_of_rows(connection: sqlite3.Connection) -> str | None:
    last = last_of(connection)
    checked = verify(connection, max(1, (0 if last is None else last[0]) - _CHECKED_ROWS))
    return None if checked.fault is None else checked.fault.meaning
