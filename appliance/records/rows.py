"""The table ``rows`` of every file of record: each row has a number (``seq``, from 1) and a ``hash``."""

from __future__ import annotations

import sqlite3


def last_of(connection: sqlite3.Connection) -> tuple[int, str] | None:
    """Return number and hash of the last row; None if there is none."""
    found = connection.execute("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
    return None if found is None else (found[0], found[1])


def row_with(connection: sqlite3.Connection, beginning: str) -> int | None:
    """Return the last row whose hash begins with ``beginning``, or None: the head that somebody wrote down. It proves something only in a verified file.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    (seq,) = connection.execute("SELECT max(seq) FROM rows WHERE substr(hash, 1, ?) = ?", (len(beginning), beginning.lower())).fetchone()
    return None if seq is None else int(seq)


def hash_of(connection: sqlite3.Connection, seq: int) -> str | None:
    """Return the hash of a row; None if there is no such row."""
    found = connection.execute("SELECT hash FROM rows WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else str(found[0])
