"""Checks that a file of record is whole, from its first bytes to its rows. A damaged file is renamed, never overwritten.

A foreign file stays where it is: a wrong path in the settings must not rename a word list or another program's database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.errors import NotOurs
from appliance.records.files import MAGIC, SIDECARS, FileIdentity, beside, identity, is_foreign, require_file, set_aside
from appliance.records.sqlite import Schema, code, open_read_only
from faults.errors import Phrase, as_phrase

_NO_DAMAGE: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FULL,
)
"""Errors that a sound file may give."""
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
    """A damaged file's new path, and its damage."""

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
    """Return the damage of the file at ``path``; None if it is whole or missing. ``check`` says what is wrong with the rows of a sound database.

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
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        return str(found)
    if tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master ORDER BY rowid")) != schema.tables:
        return Phrase("its tables are not those of {kind}", kind=as_phrase(schema.kind))
    return None


def _not_ours(found: str, schema: Schema) -> NotOurs:
    remedy = "Move it to another place, or name another file in the settings"
    return NotOurs(Phrase("it is {found}, and was left as it was", found=as_phrase(found)), expected=schema.kind, remedy=remedy)
