"""The journal's file: its tables, its settings, and how it comes into being.

SQLite in WAL mode, ``synchronous=FULL``: a commit that was reported is on the card. The file appears under its name only when it is complete; an empty or
half-made journal is therefore always damage, never a start that was cut short.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from firmware.journal.chain import GENESIS, seal
from firmware.journal.row import Stamp

APPLICATION_ID: Final = 0x54434C4B
"""``TCLK``: how a journal is told from another program's database."""
VERSION: Final = 1
BUSY_S: Final = 1.0
"""How long a writer waits for another program that holds the file, in s."""
SIDECARS: Final = ("-wal", "-shm")
"""What SQLite keeps beside the file, by suffix."""
NEVER: Final = Stamp(0, 0, "", "")
"""The stamp of a mark that has not been set."""

TABLES: Final = (
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

SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    # A mark a second writes one page or two: some 1,000 pages are 8 minutes of WAL, then 4 MB are written back in one go, as cards like it.
    "PRAGMA wal_autocheckpoint = 1000",
    "PRAGMA journal_size_limit = 4194304",
    "PRAGMA cell_size_check = ON",
    "PRAGMA trusted_schema = OFF",
)


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection that may write to the journal at ``path``, which must exist; transactions are begun by hand.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_S, isolation_level=None)
    try:
        for setting in SETTINGS:
            connection.execute(setting)
        load_tables(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def load_tables(connection: sqlite3.Connection) -> None:
    """Make SQLite read what the file says about its tables.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except UnicodeDecodeError as error:
        # What the module raises where SQLite's message quotes a name with a flipped bit.
        raise sqlite3.DatabaseError("the names of its tables are damaged") from error


def create(path: Path) -> None:
    """Make an empty journal at ``path``, where there is nothing yet; missing folders are made.

    Raises:
        OSError, sqlite3.Error: it cannot be made; nothing stands at ``path`` then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    _remove(unfinished)
    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
            _fill(connection)
        _sync(unfinished)
        unfinished.rename(path)
    except BaseException:
        _remove(unfinished)
        raise
    _sync(path.parent)


def beside(path: Path, suffix: str) -> Path:
    """Return the path of a file that SQLite keeps beside ``path``."""
    return path.with_name(f"{path.name}{suffix}")


def _remove(unfinished: Path) -> None:
    for suffix in ("", "-journal", *SIDECARS):
        beside(unfinished, suffix).unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA page_size = 4096")  # the block of every file system a Pi uses
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN")
    for table in TABLES:
        connection.execute(table)
    mark = (NEVER.at, NEVER.mono, NEVER.boot, NEVER.wall, 0, 0, GENESIS, 0, seal(NEVER, 0, 0, GENESIS, 0))
    connection.execute("INSERT INTO mark VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", mark)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
