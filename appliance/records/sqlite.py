"""A SQLite file of record: its settings and its creation.

WAL mode and ``synchronous=FULL``: a reported commit is on the card. The file gets its name only when complete, so an empty or partial file is always damage,
never an interrupted start.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.records.files import SIDECARS, UNFINISHED, beside, give_to_owner, set_aside, sync
from appliance.records.io_errors import code

BUSY_S: Final = 1.0
"""How long a writer waits for another program's lock, in s."""

SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    # One mark a second writes one or two pages: 1,000 pages are about 8 minutes of WAL, then 4 MB are written back at once, which suits cards.
    "PRAGMA wal_autocheckpoint = 1000",
    "PRAGMA journal_size_limit = 4194304",
    "PRAGMA cell_size_check = ON",
    "PRAGMA trusted_schema = OFF",
)


@dataclass(frozen=True, slots=True)
class Schema:
    """The definition of a kind of file."""

    kind: str
    """With article, for sentences: ``a journal``."""
    application_id: int
    """Four letters that distinguish it from other programs' databases."""
    version: int
    tables: tuple[str, ...]
    """The exact definitions of tables and triggers, in order of creation."""
    mode: int = 0o644
    """Mode of a new file and its companions, before the umask."""


def connect(path: Path) -> sqlite3.Connection:
    """Return a writable connection to the existing file at ``path``; begin transactions explicitly.

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
    """Return a read-only connection in a read transaction: one consistent state, even while another program writes.

    In a read-only folder SQLite cannot create its ``-shm`` file; without a WAL the file is complete and is opened as immutable.

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


def merge_wal(path: Path) -> None:
    """Write the WAL back into the file at ``path`` and delete it, unless another connection is open.

    SQLite does this when the last connection closes, but only if that one may write: a reader that outlives the writer leaves the rows in the WAL.
    """
    with suppress(sqlite3.Error):
        connect(path).close()


def load_tables(connection: sqlite3.Connection) -> None:
    """Make SQLite read the schema.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except UnicodeDecodeError as error:
        # The module raises this if SQLite's message quotes a name with a flipped bit.
        raise sqlite3.DatabaseError("the names of its tables are damaged") from error


def begin(path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None], now: datetime | None = None) -> None:
    """Create a missing file. Companions of a lost file are renamed first (after ``now``), or SQLite would use them for the new file.

    Raises:
        OSError, sqlite3.Error: it cannot be created.
    """
    if any(beside(path, suffix).exists() for suffix in SIDECARS):
        set_aside(path, now or datetime.now(UTC))
    create(path, schema, fill)


def create(path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Create a file of ``schema`` at the free ``path``, with missing folders. Created by root, it belongs to the owner of its folder.

    Args:
        path: of the file.
        schema: its tables and ids.
        fill: writes the initial rows, in the transaction that creates the tables.

    Raises:
        OSError, sqlite3.Error: it cannot be created; nothing exists at ``path`` then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = beside(path, UNFINISHED)
    _remove(unfinished)
    try:
        # Set the mode before SQLite opens it, so that others can never read it.
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, schema.mode)
        try:
            give_to_owner(descriptor, path.parent)
        finally:
            os.close(descriptor)
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
