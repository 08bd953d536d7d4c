"""A SQLite file of record: its settings, and how it comes into being.

WAL mode, ``synchronous=FULL``: a commit that was reported is on the card. The file appears under its name only when it is complete; an empty or half-made one
is therefore always damage, never a start that was cut short.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.records.files import SIDECARS, UNFINISHED, beside, set_aside, sync
from appliance.records.io_errors import code

BUSY_S: Final = 1.0
"""How long a writer waits for another program that holds the file, in s."""

SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    # A mark a second writes one page or two: some 1,000 pages are 8 minutes of WAL, then 4 MB are written back in one go, as cards like it.
    "PRAGMA wal_autocheckpoint = 1000",
    "PRAGMA journal_size_limit = 4194304",
    "PRAGMA cell_size_check = ON",
    "PRAGMA trusted_schema = OFF",
)


@dataclass(frozen=True, slots=True)
class Schema:
    """What makes a file one of its kind."""

    kind: str
    """With its article, for sentences: ``a journal``."""
    application_id: int
    """Four letters: how it is told from another program's database."""
    version: int
    tables: tuple[str, ...]
    """The definitions of tables and triggers, in the order in which they are made and to the letter."""
    mode: int = 0o644
    """Who may read and write a new file, less what the umask takes; what SQLite keeps beside it gets the same."""


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection that may write to the file at ``path``, which must exist; transactions are begun by hand.

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


def open_read_only(path: Path) -> sqlite3.Connection:
    """Return a read-only connection with a read transaction begun: one consistent state, while another program writes or long after.

    Where the folder cannot be written either, SQLite cannot make its ``-shm`` file; if there is no WAL, the file is complete in itself and is opened as immutable.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _begun(uri)
    except sqlite3.OperationalError as error:
        if code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or beside(path, "-wal").exists():
            raise
        return _begun(f"{uri}&immutable=1")


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


def begin(path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None], now: datetime | None = None) -> None:
    """Make a new file where there is none; what a lost one left beside it is set aside (named after ``now``), for SQLite would take it for the new one's.

    Raises:
        OSError, sqlite3.Error: it cannot be made.
    """
    if any(beside(path, suffix).exists() for suffix in SIDECARS):
        set_aside(path, now or datetime.now(UTC))
    create(path, schema, fill)


def create(path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a file of ``schema`` at ``path``, where there is nothing yet; missing folders are made.

    Args:
        path: of the file.
        schema: its tables and marks.
        fill: writes what the file begins with, within the one transaction that makes it.

    Raises:
        OSError, sqlite3.Error: it cannot be made; nothing stands at ``path`` then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = beside(path, UNFINISHED)
    _remove(unfinished)
    try:
        # Before SQLite opens it: there is no moment at which others may.
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, schema.mode))
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
            _make(connection, schema, fill)
        sync(unfinished)
        unfinished.rename(path)
    except BaseException:
        _remove(unfinished)
        raise
    sync(path.parent)


def _make(connection: sqlite3.Connection, schema: Schema, fill: Callable[[sqlite3.Connection], None]) -> None:
    connection.execute("PRAGMA page_size = 4096")  # the block of every file system a Pi uses
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN")
    for table in schema.tables:
        connection.execute(table)
    fill(connection)
    connection.execute(f"PRAGMA application_id = {schema.application_id}")
    connection.execute(f"PRAGMA user_version = {schema.version}")
    connection.execute("COMMIT")


def _remove(unfinished: Path) -> None:
    for suffix in ("", "-journal", *SIDECARS):
        beside(unfinished, suffix).unlink(missing_ok=True)


def _begun(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)
    try:
        connection.execute("BEGIN")
        load_tables(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
