"""The end of a file of record, held open for appending: which file it is, where its chain stands, and no commit into a file that is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.errors import Replaced
from appliance.records.chain import GENESIS
from appliance.records.files import Identity, beside, identity, require_file
from appliance.records.rows import hash_of, last_of
from appliance.records.sqlite import connect


class HashChainWriter:
    """A file of record open for writing; each program's own says what a row is. Used by one thread.

    Every method may raise ``sqlite3.Error``, one that writes ``OSError`` too, and it is to be closed then.
    """

    def __init__(self, path: Path) -> None:
        """Open the file at ``path``, which must be there.

        Raises:
            OSError, sqlite3.Error: it cannot be opened.
        """
        require_file(path, "a file of record")
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

    def holds(self, seq: int, head: str) -> bool:
        """Tell whether row ``seq`` is there with the hash ``head``: then all rows before it are, too."""
        return seq == 0 or hash_of(self._connection, seq) == head

    def close(self) -> None:
        """Let go of the file; what is not committed is not written."""
        self._connection.close()

    def _read_end(self) -> None:
        self.seq, self.head = last_of(self._connection) or (0, GENESIS)

    @contextmanager
    def _committing(self, remedy: str) -> Iterator[sqlite3.Connection]:
        """Give the connection with a transaction begun, and commit it; it is on the disk when the block has ended.

        Args:
            remedy: what is done where the file is another one by now.

        Raises:
            Replaced: the file, or its WAL, is no longer the one that was opened.
        """
        self._require_same_file(remedy)
        self._connection.execute("BEGIN IMMEDIATE")
        yield self._connection
        self._connection.execute("COMMIT")
        self.wal = identity(beside(self._path, "-wal"))

    def _require_same_file(self, remedy: str) -> None:
        # SQLite would go on writing into a file without a name, and report every commit.
        wal = identity(beside(self._path, "-wal"))
        if identity(self._path) != self.file or (self.wal is not None and wal != self.wal):
            clause = "the file was deleted or replaced while the program ran"
            raise Replaced(clause, expected="the file that was opened", remedy=remedy, where=self._path)
