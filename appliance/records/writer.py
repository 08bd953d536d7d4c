"""Appends to a file of record: remembers which file it is and the head of its chain, refuses to commit to a deleted file, and how long the slowest write took."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from appliance.errors import Replaced
from appliance.records.chain import GENESIS, chained, covered
from appliance.records.files import FileIdentity, beside, identity, require_file
from appliance.records.rows import hash_of, last_of
from appliance.records.sqlite import connect


class HashChainWriter:
    """A file of record open for writing; subclasses define the rows. Used by one thread.

    Every method may raise ``sqlite3.Error``, writing methods also ``OSError``; close the writer then.
    """

    def __init__(self, path: Path) -> None:
        """Open the existing file at ``path``.

        Raises:
            OSError, sqlite3.Error: it cannot be opened.
        """
        require_file(path, "a file of record")
        self._path = path
        self.file = identity(path)
        """The file that was opened."""
        self.wal: FileIdentity = None
        """The WAL of the last commit."""
        self._connection = connect(path)
        try:
            self._read_end()
        except sqlite3.Error:
            self.close()
            raise

    def holds(self, seq: int, head: str) -> bool:
        """Return whether row ``seq`` exists with the hash ``head``; then all rows before it exist too."""
        return seq == 0 or hash_of(self._connection, seq) == head

    def close(self) -> None:
        """Close the file and drop uncommitted rows."""
        self._connection.close()

    def _read_end(self) -> None:
        self.seq, self.head = last_of(self._connection) or (0, GENESIS)

    @contextmanager
    def _committing(self, remedy: str) -> Iterator[sqlite3.Connection]:
        """Yield the connection in a transaction, and commit it to the disk at the end of the block.

        Args:
            remedy: for the error if the file was replaced.

        Raises:
            Replaced: the file or its WAL is no longer the one that was opened.
        """
        self._require_same_file(remedy)
        self._connection.execute("BEGIN IMMEDIATE")
        yield self._connection
        self._connection.execute("COMMIT")
        self.wal = identity(beside(self._path, "-wal"))

    def _add(self, rows: Iterable[Struct]) -> tuple[int, str]:
        """Insert ``rows``, whose fields are the columns; return number and hash of the last row, which count once they are committed."""
        seq, head = self.seq, self.head
        for row in rows:
            seq += 1
            columns = covered(seq, row)
            head = chained(head, columns)
            self._connection.execute(f"INSERT INTO rows VALUES ({'?, ' * len(columns)}?)", (*columns, head))  # noqa: S608 - marks alone
        return seq, head

    def _require_same_file(self, remedy: str) -> None:
        # SQLite would keep writing to the deleted file and report success.
        wal = identity(beside(self._path, "-wal"))
        if identity(self._path) != self.file or (self.wal is not None and wal != self.wal):
            clause = "the file was deleted or replaced while the program ran"
            raise Replaced(clause, expected="the file that was opened", remedy=remedy, where=self._path)


class SlowestWrite:
    """Measures the writes of one thread. ``now`` returns ns."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._longest = 0
        self._began: int | None = None

    @property
    def ns(self) -> int:
        """The duration of the slowest write so far. May be read from any thread."""
        began = self._began
        return self._longest if began is None else max(self._longest, self._now() - began)

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure one write, also if it fails."""
        self._began = self._now()
        try:
            yield
        finally:
            self._longest, self._began = self.ns, None
