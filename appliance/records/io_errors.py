"""Why a file cannot be read or written: what is wrong, and what to do, from the errors of the system, of SQLite and of our own."""

from __future__ import annotations

import errno
import os
import sqlite3
from typing import Final

from appliance.errors import Diagnosis, DiskError

_FULL: Final = Diagnosis("the disk is full", "Free some space")
_HELD: Final = Diagnosis("another program holds the file", "Close that program")
_DAMAGED: Final = Diagnosis("the file is damaged", "It is set aside, and a new one begun, when it is next opened")
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: Diagnosis("the disk or the file is read-only", "Make it writable"),
    sqlite3.SQLITE_PERM: Diagnosis("this program may not write there", "Give it the right to"),
    sqlite3.SQLITE_BUSY: _HELD,
    sqlite3.SQLITE_LOCKED: _HELD,
    sqlite3.SQLITE_IOERR: Diagnosis(
        "the disk reports an error: it may be full, or worn out", "Free some space first; if the error stays, replace the card"
    ),
    sqlite3.SQLITE_CANTOPEN: Diagnosis("the file cannot be opened", "Check that its folder is there and can be written to"),
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
}


def describe_io_error(error: sqlite3.Error | OSError | DiskError) -> Diagnosis:
    """Return what is wrong, as a clause that follows the file's name, and what to do."""
    if isinstance(error, DiskError):
        return Diagnosis(error.clause, error.remedy)
    if is_full(error):
        return _FULL
    if isinstance(error, OSError):
        return Diagnosis(os.strerror(error.errno) if error.errno else str(error), "Check the path and the disk")
    return _SQLITE.get(code(error), Diagnosis(str(error), "See what holds or changed the file"))


def is_full(error: sqlite3.Error | OSError) -> bool:
    """Tell whether there is no room left, as the system or as SQLite says it."""
    return error.errno == errno.ENOSPC if isinstance(error, OSError) else code(error) == sqlite3.SQLITE_FULL


def code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code, 0 where the module raised by itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
