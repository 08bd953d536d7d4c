"""Describes errors of the system, SQLite and our own: why a file cannot be read or written, and what to do."""

from __future__ import annotations

import errno
import sqlite3
from typing import Final

from appliance.errors import Diagnosis, DiskError
from faults.errors import reason

_FULL: Final = Diagnosis("the disk is full", "Free some space")
_HELD: Final = Diagnosis("another program holds the file", "Close that program")
_DAMAGED: Final = Diagnosis("the file is damaged", "At the next start it is renamed and a new one created")
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: Diagnosis("the disk or the file is read-only", "Make it writable"),
    sqlite3.SQLITE_PERM: Diagnosis("this program may not write there", "Grant it write permission"),
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
    """Return what is wrong, as a clause, and what to do."""
    if isinstance(error, DiskError):
        return Diagnosis(error.clause, error.remedy)
    if is_full(error):
        return _FULL
    if isinstance(error, OSError):
        return Diagnosis(reason(error), "Check the path and the disk")
    return _SQLITE.get(code(error), Diagnosis(str(error), "Find out what uses or changed the file"))


def is_full(error: sqlite3.Error | OSError) -> bool:
    """Return whether the error means a full disk."""
    return error.errno == errno.ENOSPC if isinstance(error, OSError) else code(error) == sqlite3.SQLITE_FULL


def code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code; 0 for errors of the sqlite3 module itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
