"""The log's file: its tables and initial content."""

from __future__ import annotations

import sqlite3
from typing import Final

from appliance.records.chain import GENESIS
from appliance.records.files import PRIVATE
from appliance.records.sqlite import Schema

_TABLES: Final = (
    """CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, mono INTEGER NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
    station TEXT NOT NULL, table_number INTEGER, body TEXT NOT NULL, hash TEXT NOT NULL
) STRICT""",
    "CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT",
    """CREATE TRIGGER rows_follow BEFORE INSERT ON rows WHEN EXISTS (SELECT 1 FROM rows WHERE seq >= NEW.seq)
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END""",
    "CREATE TRIGGER rows_stay BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER rows_are_kept BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
)

LOG: Final = Schema("a log", application_id=0x544B534B, version=1, tables=_TABLES, mode=PRIVATE)
"""Its application id is ``TKSK``. Only the director may read it, no other user of the machine. The mark knows the last row, which reveals the removal of rows at the end."""


def fill(connection: sqlite3.Connection) -> None:
    """Write the initial mark of an empty log.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    connection.execute("INSERT INTO mark VALUES (1, 0, ?)", (GENESIS,))
