"""The table ``rows`` of every file of record: each row has a number (``seq``, from 1) and a ``hash``."""

from __future__ import annotations

import sqlite3


def last_of(connection: sqlite3.Connection) -> tuple[int, str] | None:
    """Return number and hash of the last row; None if there is none."""
    found = connection.execute("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
    return None if found is None else (found[0], found[1])


def hash_of(connection: sqlite3.Connection, seq: int) -> str | None:
    """Return the hash of a row; None if there is no such row."""
    found = connection.execute("SELECT hash FROM rows WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else str(found[0])
