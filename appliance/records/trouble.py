"""Why nothing can be written, in words for a person: what is wrong, and what to do."""

from __future__ import annotations

import errno
import os
import sqlite3
from typing import Final

from appliance.errors import DiskError

_SQLITE: Final = {
    sqlite3.SQLITE_FULL: "the disk is full. Free some space",
    sqlite3.SQLITE_READONLY: "the disk or the file is read-only. Make it writable",
    sqlite3.SQLITE_PERM: "this program may not write there. Give it the right to",
    sqlite3.SQLITE_BUSY: "another program holds the file. Close that program",
    sqlite3.SQLITE_LOCKED: "another program holds the file. Close that program",
    sqlite3.SQLITE_IOERR: "the disk reports an error: it may be full, or worn out. Free some space first; if the error stays, replace the card",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened. Check that its folder is there and can be written to",
    sqlite3.SQLITE_NOTADB: "the file is damaged. It is set aside, and a new one begun, when it is next opened",
    sqlite3.SQLITE_CORRUPT: "the file is damaged. It is set aside, and a new one begun, when it is next opened",
}


def why(error: sqlite3.Error | OSError | DiskError) -> str:
    """Return what is wrong and what to do, without a full stop at the end."""
    if isinstance(error, DiskError):
        return str(error)
    if is_full(error):
        return _SQLITE[sqlite3.SQLITE_FULL]
    if isinstance(error, OSError):
        return f"{os.strerror(error.errno)}. Check the path and the disk" if error.errno else str(error)
    return _SQLITE.get(code(error), f"{error}. See what holds or changed the file")


def is_full(error: sqlite3.Error | OSError) -> bool:
    """Tell whether there is no room left, as the system or as SQLite says it."""
    return error.errno == errno.ENOSPC if isinstance(error, OSError) else code(error) == sqlite3.SQLITE_FULL


def code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code, 0 where the module raised by itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
