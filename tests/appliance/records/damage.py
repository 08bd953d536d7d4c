"""Damage to a file of record: what a card, a bad moment or a curious person leaves of it."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

NO_DATABASES = [b"", b"\0" * 4096, b"\0" * 20, b"SQLite format 3\0", b"hello, world", b"SQLite format 3\0" + b"\xff" * 5000]
"""What a file of record may be after damage; a lock shows that it was one."""


def flipped(whole: bytes, chance: random.Random) -> bytes:
    bit = chance.randrange(len(whole) * 8)
    changed = bytearray(whole)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def tamper(path: Path, sql: str) -> None:
    """Run ``sql`` on the file past the triggers that keep its rows, and leave it with the triggers that it had."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        on_rows = "rows" in sql.split()[:3]
        for name, _ in triggers if on_rows else ():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(sql)
        for _, made in triggers if on_rows else ():
            connection.execute(made)
