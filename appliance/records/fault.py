"""Is a file of record whole? From its first bytes to what its own program knows of its rows. A damaged one is set aside, never overwritten.

Somebody else's file is not moved either: a wrong path in the settings must not rename a word list, or another program's database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.errors import NotOurs
from appliance.phrase import Phrase, as_phrase
from appliance.records.files import MAGIC, SIDECARS, Identity, beside, identity, is_strange, require_file, set_aside
from appliance.records.io_errors import code
from appliance.records.sqlite import Schema, open_read_only

_NO_DAMAGE: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FULL,
)
"""Why a sound file may not be readable just now."""
_OF_ANOTHER_FILE: Final = (
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
    sqlite3.SQLITE_IOERR_SHMLOCK,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_NOMEM,
)
"""SQLite's extended codes for what it makes beside a file to read it: a full disk has no room for that, and the file is none the worse."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Where a damaged file was moved to, and what was wrong with it."""

    path: Path
    fault: str


def quarantine(
    path: Path, schema: Schema, check: Callable[[sqlite3.Connection], str | None], strange_wal: Identity = None
) -> Quarantined | None:
    """Set aside what stands at ``path`` where it is damaged, and return what became of it; None: whole or missing, and left alone.

    Args:
        path: of the file.
        schema: what it should be.
        check: as ``fault_of`` takes it.
        strange_wal: a WAL that belongs to a lost file; where it is still beside ``path``, it is set aside.

    Raises:
        NotOurs: it is somebody else's file, and was left alone.
        OSError, sqlite3.Error: it cannot be looked at or renamed just now.
    """
    now = datetime.now(UTC)
    if strange_wal is not None and identity(beside(path, "-wal")) == strange_wal:
        # SQLite would put its pages into whatever file it finds under the name.
        set_aside(path, now, SIDECARS)
    fault = fault_of(path, schema, check)
    return None if fault is None else Quarantined(set_aside(path, now), fault)


def fault_of(path: Path, schema: Schema, check: Callable[[sqlite3.Connection], str | None]) -> str | None:
    """Return what is damaged about the file at ``path``, or None where it is whole or missing altogether.

    Args:
        path: of the file.
        schema: what it should be.
        check: looks at the rows of a file that is sound in itself: what is wrong with them, or None.

    Raises:
        NotOurs: it is somebody else's file.
        OSError, sqlite3.Error: it cannot be looked at just now, which says nothing about it.
    """
    if not path.exists():
        return "the file is gone, its WAL is there" if beside(path, "-wal").exists() else None
    require_file(path, schema.kind)
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if is_strange(path, schema.application_id):
        found = "another program's database" if head == MAGIC else Phrase("another kind of file than {kind}", kind=as_phrase(schema.kind))
        raise _not_ours(found, schema)
    if head != MAGIC:
        return "it is empty" if not head else "it is no SQLite file"
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
