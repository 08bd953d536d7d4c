"""Writes to a file of record for the whole run of a program, whatever becomes of the file: checks it, begins a missing one, appends, opens it again after an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, Generic

from appliance.errors import Replaced
from appliance.records.chain import GENESIS, chained, covered
from appliance.records.files import FileIdentity, beside, identity, require_file
from appliance.records.rows import M, R, RecordFile, hash_of, last_of
from appliance.records.sqlite import Quarantined, begin, connect, quarantine

FAULTS: Final = (sqlite3.Error, OSError)
"""What every method may raise; close the writer then. The next call opens the file again: it may have been replaced, or its disk mounted again."""


class RecordWriter(Generic[R, M]):
    """The file of record at ``path``, opened by the first call that needs it. Used by one thread. Subclasses append, and note what an opening has ``_found``.

    Every method but ``close`` may raise ``FAULTS``.
    """

    _remedy = ""
    """What follows where the file was replaced, as a sentence."""

    def __init__(self, path: Path, record: RecordFile[R, M]) -> None:
        self.path = path
        self.seq, self.head = 0, GENESIS
        self.mark = record.mark()
        self.aside: Quarantined | None = None
        """A damaged file that was renamed; None again once rows are in the new one."""
        self._record = record
        self._file: FileIdentity = None
        self._wal: FileIdentity = None
        """Its WAL, which stands there as long as the file is open."""
        self._connection: sqlite3.Connection | None = None

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def ready(self, now: datetime | None = None) -> None:
        """Rename a damaged file, with the WAL of a lost one, and begin a missing one. Raises also ``NotOurs``: the file there is foreign, and was not touched."""
        orphan = self._wal if self._is_another() else None
        self.aside = quarantine(self.path, self._record.schema, self._record.fault_of_rows, orphan, now) or self.aside
        self._begun(now)

    def _prepare(self) -> None:
        self.ready()

    def opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._prepare()
            self._connection = self._connected()
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _is_another(self) -> bool:
        return self._file is not None and identity(self.path) != self._file

    def _begun(self, now: datetime | None = None) -> None:
        if not self.path.exists():
            begin(self.path, self._record.schema, self._record.fill, now)

    def _connected(self) -> sqlite3.Connection:
        require_file(self.path, "a file of record")
        file = identity(self.path)
        connection = connect(self.path)
        try:
            end, mark = last_of(connection) or (0, GENESIS), self._record.read_mark(connection)
            self._found(connection, self.seq > 0 and hash_of(connection, self.seq) != self.head)
        except BaseException:
            connection.close()
            raise
        self._file, self._wal = file, identity(beside(self.path, "-wal"))
        (self.seq, self.head), self.mark = end, mark or self._record.mark()
        return connection

    def _found(self, connection: sqlite3.Connection, lost: bool) -> None:
        """Take note of an opened file before its end is; ``lost``: it has not all the rows that were on the disk."""

    def _append(self, rows: Sequence[R], marked: Callable[[int, str], M]) -> None:
        """Write ``rows`` and the mark that ``marked`` makes of number and hash of the last row, all or nothing; all is on the disk then.

        Raises also ``Replaced``: the file or its WAL is no longer the one that was opened.
        """
        connection = self.opened()
        self._require_same_file()
        connection.execute("BEGIN IMMEDIATE")
        seq, head = self.seq, self.head
        for row in rows:
            seq += 1
            columns = covered(seq, row)
            head = chained(head, columns)
            connection.execute(f"INSERT INTO rows VALUES ({'?, ' * len(columns)}?)", (*columns, head))  # noqa: S608 - marks alone
        mark = marked(seq, head)
        self._record.write_mark(connection, mark)
        connection.execute("COMMIT")
        self.seq, self.head, self.mark, self.aside = seq, head, mark, None

    def _require_same_file(self) -> None:
        # SQLite would keep writing to the deleted file and report success.
        wal = identity(beside(self.path, "-wal"))
        if identity(self.path) != self._file or (self._wal is not None and wal != self._wal):
            clause = "the file was deleted or replaced while the program ran"
            raise Replaced(clause, expected="the file that was opened", remedy=self._remedy, where=self.path)


class SlowestWrite:
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
        self._began = self._now()
        try:
            yield
        finally:
            self._longest, self._began = self.ns, None
