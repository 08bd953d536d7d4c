"""The end of the chain, held open for appending: rows get their place, their hash, and are on the disk when ``append`` returns."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

from firmware.journal.chain import link_hash, seal
from firmware.journal.opening import begin_journal
from firmware.journal.reading import hash_of, last_game_begins, read_mark, rows_from
from firmware.journal.row import Kind, Row, Stamp
from firmware.journal.schema import NEVER
from hardware.disk.chain import GENESIS
from hardware.disk.files import Identity, beside, identity, no_file
from hardware.disk.sqlite import connect
from hardware.errors import Replaced


class Store:
    """A journal open for writing. Used by one thread; every method may raise ``sqlite3.Error``, ``append`` ``OSError`` too, and is to be closed then."""

    def __init__(self, path: Path) -> None:
        """Open the journal at ``path``, begun where there is none.

        Raises:
            OSError, sqlite3.Error: it cannot be opened or begun.
        """
        if (unfit := no_file(path)) is not None:
            raise FileExistsError(unfit)
        if not path.exists():
            begin_journal(path)
        self._path = path
        self.file = identity(path)
        """Which file was opened."""
        self.wal: Identity = None
        """Which WAL the last commit went to."""
        self._connection = connect(path)
        try:
            self._read_end()
        except sqlite3.Error:
            self.close()
            raise

    def _read_end(self) -> None:
        last = self._connection.execute("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
        self.seq: int = last[0] if last else 0
        self.head: str = last[1] if last else GENESIS
        mark = read_mark(self._connection)
        self._stamp, self._game, self._commit_ns = (NEVER, 0, 0) if mark is None else (mark.stamp, mark.game, mark.commit_ns)

    def games(self) -> int:
        """Return the number of the last game in the file, 0 where there is none."""
        (last,) = self._connection.execute("SELECT max(game) FROM rows").fetchone()
        return int(last or 0)

    def holds(self, seq: int, head: str) -> bool:
        """Tell whether row ``seq`` is there with the hash ``head``: then all rows before it are, too."""
        return seq == 0 or hash_of(self._connection, seq) == head

    def last_game(self) -> tuple[Row, ...]:
        """Return the rows from the beginning of the last game on."""
        first = last_game_begins(self._connection)
        return () if first is None else tuple(kept.row for kept in rows_from(self._connection, first))

    def append(self, rows: Iterable[Row], stamp: Stamp | None) -> None:
        """Write ``rows`` and set the durable mark to ``stamp`` (None: time stays where it was), all or nothing.

        Raises:
            Replaced: the file, or its WAL, is no longer the one that was opened.
        """
        self._require_same_file()
        begun = time.monotonic_ns()
        seq, head, game = self.seq, self.head, self._game
        self._connection.execute("BEGIN IMMEDIATE")
        for row in rows:
            seq += 1
            head = link_hash(head, seq, row)
            game = row.game if row.kind == Kind.EVENT else game
            fields = (seq, row.kind, row.game, row.number, row.at, row.mono, row.boot, row.wall, row.body, head)
            self._connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", fields)
        # A mark set in an earlier game says nothing about how far this one's time is known.
        stamp = stamp or (self._stamp if game == self._game else NEVER)
        self._set_mark(stamp, game, seq, head)
        self._connection.execute("COMMIT")
        self.seq, self.head, self._game, self._stamp = seq, head, game, stamp
        self.wal = identity(beside(self._path, "-wal"))
        self._commit_ns = time.monotonic_ns() - begun

    def close(self) -> None:
        """Let go of the file; what is not committed is not written."""
        self._connection.close()

    def _require_same_file(self) -> None:
        # SQLite would go on writing into a file without a name, and report every commit.
        wal = identity(beside(self._path, "-wal"))
        if identity(self._path) != self.file or (self.wal is not None and wal != self.wal):
            raise Replaced("the file was deleted or replaced while the clock ran. The whole game is written anew")

    def _set_mark(self, stamp: Stamp, game: int, seq: int, head: str) -> None:
        fields = (stamp.at, stamp.mono, stamp.boot, stamp.wall, game, seq, head, self._commit_ns)
        sealed = seal(stamp, game, seq, head, self._commit_ns)
        self._connection.execute(
            "INSERT OR REPLACE INTO mark (id, at, mono, boot, wall, game, seq, hash, commit_ns, seal) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*fields, sealed),
        )
