"""The journal's file: its tables and initial content."""

from __future__ import annotations

import sqlite3
from typing import Final

from appliance.records.chain import GENESIS
from appliance.records.sqlite import Schema
from game.journal.chain import seal
from game.journal.row import GameStamp

NEVER: Final = GameStamp(0, 0, "", "")
"""The stamp of a mark that was never set."""

_TABLES: Final = (
    """CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, game INTEGER NOT NULL, number INTEGER, at INTEGER NOT NULL, mono INTEGER NOT NULL,
    boot TEXT NOT NULL, wall TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
) STRICT""",
    """CREATE TABLE mark (
    id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL, mono INTEGER NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
    game INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, commit_ns INTEGER NOT NULL, seal TEXT NOT NULL
) STRICT""",
    """CREATE TRIGGER rows_follow BEFORE INSERT ON rows WHEN EXISTS (SELECT 1 FROM rows WHERE seq >= NEW.seq)
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    "CREATE TRIGGER rows_stay BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END",
    "CREATE TRIGGER rows_are_kept BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END",
)

JOURNAL: Final = Schema("a journal", application_id=0x54434C4B, version=1, tables=_TABLES)
"""Its application id is ``TCLK``."""


def fill(connection: sqlite3.Connection) -> None:
    """Write the initial mark of an empty journal.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    mark = (NEVER.at, NEVER.mono, NEVER.boot, NEVER.wall, 0, 0, GENESIS, 0, seal(NEVER, 0, 0, GENESIS, 0))
    connection.execute("INSERT INTO mark VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", mark)
