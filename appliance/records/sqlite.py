"""A SQLite file of record: its settings, its creation, reading it without changing it, what errors mean, and whether it is whole, from its first bytes to its rows.

WAL mode and ``synchronous=FULL``: a reported commit is on the card. The file gets its name only when complete, so an empty or partial file is always damage, never
an interrupted start. It is read while its program writes to it, or long after. A damaged file is renamed, never overwritten. A foreign file stays where it is: a
wrong path in the settings must not rename a word list or another program's database.
"""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.errors import DamagedRecord, Diagnosis, DiskError, NoRecord, NotOurs, RecordError
from appliance.records.files import (
    MAGIC,
    PRIVATE,
    SIDECARS,
    UNFINISHED,
    FileIdentity,
    beside,
    give_to_owner,
    identity,
    is_closed,
    is_foreign,
    require_file,
    set_aside,
    sync,
)
from faults.errors import Phrase, as_phrase, reason

_FULL: Final = Diagnosis("the disk is full", "Free some space")
_HELD: Final = Diagnosis("another program holds the file", "Close that program")
_DAMAGED: Final = Diagnosis("the file is damaged", "At the next start it is renamed and a new one created")
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: Diagnosis("the disk or the file is read-only", "Make it writable"),
    sqlite3.SQLITE_PERM: Diagnosis("this program has no permission to write there", "Grant it write permission"),
    sqlite3.SQLITE_BUSY: _HELD,
    sqlite3.SQLITE_LOCKED: _HELD,
    sqlite3.SQLITE_IOERR: Diagnosis(
        "the disk reports an error: it may be full, or worn out", "Free some space first; if the error stays, replace the card"
    ),
    sqlite3.SQLITE_CANTOPEN: Diagnosis("the file cannot be opened", "Check that its folder exists and is writable"),
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
}


def describe_io_error(error: sqlite3.Error | OSError | DiskError) -> Diagnosis:
    if isinstance(error, DiskError):
        return Diagnosis(error.clause, error.remedy)
    if is_full(error):
        return _FULL
    if isinstance(error, OSError):
        return Diagnosis(reason(error), "Check the path and the disk")
    return _SQLITE.get(code(error), Diagnosis(str(error), "Find out what uses or changed the file"))


def is_full(error: sqlite3.Error | OSError) -> bool:
    return error.errno == errno.ENOSPC if isinstance(error, OSError) else code(error) == sqlite3.SQLITE_FULL


def code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code; 0 for errors of the sqlite3 module itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


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


class Schema(Struct, frozen=True):
    kind: str
    """With article, for sentences: ``a journal``."""
    application_id: int
    version: int
    tables: tuple[str, ...]
    """The exact definitions of tables and triggers, in order of creation."""


def append_only(kind: str) -> tuple[str, ...]:
    """Return the definitions of the triggers that let nothing but further rows into the table ``rows``."""
    refused = f"BEGIN SELECT RAISE(ABORT, '{kind} is append-only'); END"
    return (
        f"CREATE TRIGGER rows_follow BEFORE INSERT ON rows WHEN EXISTS (SELECT 1 FROM rows WHERE seq >= NEW.seq)\n    {refused}",  # noqa: S608 - our own texts
        f"CREATE TRIGGER rows_stay BEFORE UPDATE ON rows {refused}",
        f"CREATE TRIGGER rows_are_kept BEFORE DELETE ON rows {refused}",
    )


def connect(path: Path) -> sqlite3.Connection:
    """Return a writable connection to the existing file at ``path``; begin transactions explicitly. Raises ``sqlite3.Error``."""
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
    """Return a read-only connection in a read transaction: one consistent state, even while another program writes. Raises ``sqlite3.Error``.

    In a read-only folder SQLite cannot create its ``-shm`` file; without a WAL the file is complete and is opened as immutable.
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
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except UnicodeDecodeError as error:
        # The module raises this if SQLite's message quotes a name with a flipped bit.
        raise sqlite3.DatabaseError("the names of its tables are damaged") from error


def begin(path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None], now: datetime | None = None) -> None:
    """Create a missing file as ``create`` does. Companions of a lost file are renamed first (after ``now``), or SQLite would use them for the new file."""
    if any(beside(path, suffix).exists() for suffix in SIDECARS):
        set_aside(path, now or datetime.now(UTC))
    create(path, schema, fill)


def create(path: Path, schema: Schema, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Create a file of ``schema`` at the free ``path``, with missing folders. Created by root, it belongs to the owner of its folder.

    ``fill`` writes the initial rows, in the transaction that creates the tables. After an ``OSError`` or ``sqlite3.Error`` nothing exists at ``path``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = beside(path, UNFINISHED)
    _remove(unfinished)
    try:
        # Set the mode before SQLite opens it, so that others can never read it: files of record hold names. SQLite gives it to the companions.
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
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


@contextmanager
def reading(path: Path, schema: Schema) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection to a consistent state of the file at ``path``.

    Raises:
        NoRecord: it does not exist.
        DamagedRecord: it is no file of ``schema``, or a damaged one.
        RecordError: it may be sound, but is unreadable now or by this version, or it is foreign.
    """
    connection = _opened(path, schema)
    try:
        _require(connection, path, schema)
        yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise refused(DamagedRecord, path, schema, Diagnosis(Phrase("it cannot be read ({error})", error=str(error)))) from error
    finally:
        connection.close()


def _opened(path: Path, schema: Schema) -> sqlite3.Connection:
    _require_fit(path, schema)
    try:
        return open_read_only(path)
    except sqlite3.OperationalError as error:
        raise refused(RecordError, path, schema, describe_io_error(error)) from error
    except sqlite3.Error as error:
        raise refused(DamagedRecord, path, schema, Diagnosis(Phrase("it cannot be read ({error})", error=str(error)))) from error


def _require_fit(path: Path, schema: Schema) -> None:
    """Reject a path that is no file of record, is foreign, or cannot be examined (a vanished disk)."""
    try:
        if is_closed(path):
            raise refused(RecordError, path, schema, Diagnosis("you have no permission to read it", "Run the command with sudo"))
        require_file(path, schema.kind)
        # SQLite would call it damaged, and would create files beside another program's database.
        strange, missing = is_foreign(path, schema.application_id), not path.exists()
    except RecordError:
        raise
    except DiskError as error:
        raise refused(RecordError, path, schema, describe_io_error(error)) from error
    except OSError as error:
        raise RecordError(where=path, expected=schema.kind, found=reason(error), remedy=describe_io_error(error).remedy) from error
    if strange:
        raise refused(RecordError, path, schema, Diagnosis("it is another kind of file, or another program's", "Check the path"))
    if missing:
        raise NoRecord(where=path, expected=schema.kind, found="no such file", remedy="Check the path")


def _require(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (schema.application_id, schema.version):
        return
    if path.stat().st_size == 0:
        raise refused(DamagedRecord, path, schema, Diagnosis("it is empty"))
    raise RecordError(
        where=path,
        expected=Phrase("{kind} of version {version}", kind=as_phrase(schema.kind), version=schema.version),
        found="another program's database" if application != schema.application_id else Phrase("version {version}", version=version),
        remedy="Read it with the program that wrote it",
    )


def refused(refusal: type[RecordError], path: Path | str, schema: Schema, diagnosis: Diagnosis) -> RecordError:
    return refusal(
        where=path, expected=schema.kind, found=Phrase("that {clause}", clause=as_phrase(diagnosis.problem)), remedy=diagnosis.remedy
    )


_NO_DAMAGE: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FULL,
)
_OF_ANOTHER_FILE: Final = (
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
    sqlite3.SQLITE_IOERR_SHMLOCK,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_NOMEM,
)
"""SQLite's extended codes for the files it creates beside the database to read it. On a full disk that fails, but the database is sound."""


class Quarantined(Struct, frozen=True):
    path: Path
    fault: str


def quarantine(
    path: Path,
    schema: Schema,
    check: Callable[[sqlite3.Connection], str | None],
    orphan_wal: FileIdentity = None,
    now: datetime | None = None,
) -> Quarantined | None:
    """Rename the file at ``path`` if it is damaged, after ``now``; return None if it is whole or missing. Raises as ``fault_of``.

    ``orphan_wal``: the WAL of a lost file; renamed if it is still beside ``path``.
    """
    now = now or datetime.now(UTC)
    if orphan_wal is not None and identity(beside(path, "-wal")) == orphan_wal:
        # SQLite would apply its pages to any new file of that name.
        set_aside(path, now, SIDECARS)
    fault = fault_of(path, schema, check)
    return None if fault is None else Quarantined(set_aside(path, now), fault)


def fault_of(path: Path, schema: Schema, check: Callable[[sqlite3.Connection], str | None]) -> str | None:
    """Return the damage of the file at ``path``; None if it is whole or missing. ``check`` says what is wrong with what it holds.

    Raises ``NotOurs``: the file is foreign and is left alone; ``OSError``, ``sqlite3.Error``: it cannot be read now, which says nothing about its state.
    """
    if not path.exists():
        return "the file is gone, its WAL is there" if beside(path, "-wal").exists() else None
    require_file(path, schema.kind)
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if is_foreign(path, schema.application_id):
        found = "another program's database" if head == MAGIC else Phrase("another kind of file than {kind}", kind=as_phrase(schema.kind))
        raise _not_ours(found, schema)
    if head != MAGIC:
        return "it is empty" if not head else "it is not an SQLite file"
    try:
        with closing(open_read_only(path)) as connection:
            return _fault_within(connection, schema) or check(connection)
    except sqlite3.Error as error:
        if code(error) in _NO_DAMAGE or getattr(error, "sqlite_errorcode", 0) in _OF_ANOTHER_FILE:
            raise
        return str(error)


def _fault_within(connection: sqlite3.Connection, schema: Schema) -> str | None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != schema.application_id:
        raise _not_ours("another program's database", schema)
    if version != schema.version:
        return Phrase("it is of version {found}; this program writes version {own}", found=version, own=schema.version)
    if tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master ORDER BY rowid")) != schema.tables:
        return Phrase("its tables are not those of {kind}", kind=as_phrase(schema.kind))
    return None


def fault_of_pages(connection: sqlite3.Connection) -> str | None:
    """Return the first fault in any page of the database, by SQLite's quick check, which reads the whole file."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return None if found == "ok" else str(found)


def _not_ours(found: str, schema: Schema) -> NotOurs:
    remedy = "Move it to another place, or name another file in the settings"
    return NotOurs(Phrase("it is {found}, and was left as it was", found=as_phrase(found)), expected=schema.kind, remedy=remedy)
