"""Opening the journal at start: is it whole? A damaged one is set aside under another name, never overwritten, and a new one begun.

Nothing here raises for what a disk can do: a journal that cannot be opened leaves the clock without a record, and the result says so.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from firmware.journal.reading import last_game_begins, open_read_only
from firmware.journal.schema import APPLICATION_ID, SIDECARS, TABLES, VERSION, beside, create
from firmware.journal.trouble import code, no_file, not_recorded
from firmware.journal.verify import verify

_MAGIC: Final = b"SQLite format 3\0"
_NO_DAMAGE: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOMEM,
)
"""Why a sound journal may not be readable just now."""
_CHECKED_ROWS: Final = 2000
"""At least so many rows at the end are checked, and the last game."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What came of opening the journal."""

    path: Path
    set_aside: Path | None = None
    """Where a damaged journal was moved to."""
    reason: str | None = None
    """What was wrong with it."""
    trouble: str | None = None
    """Why there is no journal to write to just now, as a sentence; the writer tries again."""


def open_journal(path: Path, now: datetime | None = None) -> Opened:
    """Return what is ready at ``path``: the journal that was there, or a new one where there was none or a damaged one.

    Args:
        path: the journal's file.
        now: what a damaged one is named after; by default the wall's time.
    """
    reason = None
    aside = None
    try:
        reason = fault_of(path)
        if reason is not None:
            aside = set_aside(path, now or datetime.now(UTC))
        if not path.exists():
            begin_journal(path, now)
    except (OSError, sqlite3.Error) as error:
        return Opened(path, aside, reason, not_recorded(path, error))
    return Opened(path, aside, reason)


def begin_journal(path: Path, now: datetime | None = None) -> None:
    """Make a new journal where there is none; what a lost one left beside it is set aside, for SQLite would take it for the new one's.

    Raises:
        OSError, sqlite3.Error: it cannot be made.
    """
    if any(beside(path, suffix).exists() for suffix in SIDECARS):
        set_aside(path, now or datetime.now(UTC))
    create(path)


def make_room(path: Path, *, strange_wal: bool) -> None:
    """Set aside what stands at ``path`` where it is no journal, or a damaged one; ``strange_wal``: the WAL beside it is another file's.

    Raises:
        OSError, sqlite3.Error: it cannot be looked at or renamed.
    """
    if strange_wal:
        # SQLite would put its pages into whatever file it finds under the name.
        set_aside(path, datetime.now(UTC), SIDECARS)
    if fault_of(path) is not None:
        set_aside(path, datetime.now(UTC))


def fault_of(path: Path) -> str | None:
    """Return what is damaged about the file at ``path``, or None where it is whole or missing altogether.

    Raises:
        OSError, sqlite3.Error: it cannot be looked at just now, which says nothing about it.
    """
    if not path.exists():
        return "the file is gone, its WAL is there" if beside(path, "-wal").exists() else None
    if (unfit := no_file(path)) is not None:
        raise FileExistsError(unfit)
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head != _MAGIC:
        return "it is empty" if not head else "it is no SQLite file"
    try:
        with closing(open_read_only(path)) as connection:
            return _fault_within(connection)
    except sqlite3.Error as error:
        if code(error) in _NO_DAMAGE:
            raise
        return str(error)


def set_aside(path: Path, now: datetime, suffixes: Sequence[str] = ("", *SIDECARS)) -> Path:
    """Rename the journal and (by ``suffixes``) what SQLite keeps beside it, never onto an existing file, and return the new name.

    Raises:
        OSError: it cannot be renamed.
    """
    stem = f"{path.name}.{now.astimezone(UTC):%Y-%m-%dT%H-%M-%SZ}.damaged"
    target, count = path.with_name(stem), 1
    while any(beside(target, suffix).exists() for suffix in ("", *SIDECARS)):
        count += 1
        target = path.with_name(f"{stem}.{count}")
    for suffix in suffixes:
        if beside(path, suffix).exists():
            beside(path, suffix).rename(beside(target, suffix))
    return target


def _fault_within(connection: sqlite3.Connection) -> str | None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        return "it is another program's database"
    if version != VERSION:
        return f"it is of version {version}; this program writes version {VERSION}"
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        return str(found)
    if tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master ORDER BY rowid")) != TABLES:
        return "its tables are not those of a journal"
    # Not from the first row: a season's journal must not keep the clock from starting.
    (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
    checked = verify(connection, max(1, min(last_game_begins(connection) or 1, rows - _CHECKED_ROWS)))
    return None if checked.fault is None else checked.fault.meaning
