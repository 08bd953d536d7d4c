"""The station's log: when ``append`` returns, the row is on the disk; only then its verdict is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

from appliance.clocks import Clocks
from appliance.errors import Diagnosis, InUse
from appliance.records.chain import GENESIS
from appliance.records.files import FileIdentity, identity, only_writer
from appliance.records.sqlite import describe_io_error
from appliance.records.writer import SlowestWrite
from faults.errors import Phrase
from game.challenge_log.entry import Entry, Kind
from game.challenge_log.reading import DoorRefusals
from game.challenge_log.row import LOG, Happened, NotLogged, Row, happened, row_of
from kiosk.log.store import Store, ready

_CLOCKS: Final = Clocks()


class Log:
    """The log at ``path``, for one writer and one thread. Opened at once if possible; otherwise each ``append`` tries with a new connection.

    ``trouble`` says why nothing can be written now, ``news`` what happened to a damaged or lost log; otherwise both are None. ``on_rows`` is called
    after each commit.
    """

    def __init__(self, path: Path, clocks: Clocks = _CLOCKS, on_rows: Callable[[], None] | None = None) -> None:
        """Open the log, for this process alone.

        Raises:
            InUse: another process writes to it.
        """
        self.path = path
        self.trouble: Diagnosis | None = None
        self.news: Phrase | None = None
        self.slowest = SlowestWrite(clocks.now)
        self._clocks = clocks
        self._on_rows = on_rows
        self._store: Store | None = None
        self._file: FileIdentity = None
        self._wal: FileIdentity = None
        self._seq, self._head = 0, GENESIS
        self._after_all: set[Happened] = set()
        """Rows whose commit failed but may exist after all: the next opening shows."""
        self._pending_news: Phrase | None = None
        self._held, self._is_locked = ExitStack(), False
        self._lock()
        try:
            self._opened()
        except (sqlite3.Error, OSError) as error:
            self._failed(error)

    def append(self, entry: Entry, at_mono: int, station: str) -> int:
        """Write ``entry`` to the disk and return its row's number.

        Args:
            entry: what happened.
            at_mono: the instant, ns of CLOCK_MONOTONIC.
            station: the station's name.

        Raises:
            NotLogged: it could not be written; with reason and remedy.
        """
        return self.write((self.row(entry, at_mono, station),))

    def row(self, entry: Entry, at_mono: int, station: str) -> Row:
        """Return the row of ``entry``, to be written now or later; arguments as for ``append``."""
        return row_of(entry, self._clocks.stamp(at_mono), station)

    def write(self, rows: Sequence[Row], *, late: bool = False) -> int:
        """Write ``rows``, at least one, in this order, all or none; return the number of the last once they are on the disk.

        Args:
            rows: made by ``row``.
            late: they were tried before. A row that is on the disk despite an error is not written twice.

        Raises:
            NotLogged: they could not be written; with reason and remedy.
        """
        try:
            store = self._opened()
            wanted = [row for row in rows if happened(row) not in self._after_all] if late else rows
            with self.slowest.measured():
                row = store.append([*self._news(rows[-1].station), *wanted])
        except (sqlite3.Error, OSError, InUse) as error:
            raise self._failed(error) from error
        self.trouble = self._pending_news = None
        self._wal, self._seq, self._head = store.wal, row, store.head
        if self._on_rows is not None:
            self._on_rows()
        return row

    def door_refusals(self) -> DoorRefusals:
        """Return how often a wrong PIN was entered since the director's door was last opened, so that throttling survives a restart.

        Raises:
            NotLogged: the log cannot be opened.
        """
        try:
            return self._opened().door_refusals()
        except (sqlite3.Error, OSError, InUse) as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close the file and release its lock."""
        self._release()
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> Store:
        if self._store is not None:
            return self._store
        self._lock()
        another = self._file is not None and identity(self.path) != self._file
        aside = ready(self.path, self._wal if another else None)
        self._store = Store(self.path)
        if aside is not None:
            self._report_new_log(aside)
        elif not self._store.holds(self._seq, self._head):
            rows = Phrase("1 row") if self._seq == 1 else Phrase("{count} rows", count=self._seq)
            self._report_new_log(Phrase("The log before this row, of {rows}, was deleted or replaced while the station ran.", rows=rows))
        elif self._file is not None:
            self._after_all |= {happened(row) for row in self._store.rows_after(self._seq)}
        self._file, self._seq, self._head = self._store.file, self._store.seq, self._store.head
        return self._store

    def _lock(self) -> None:
        """Lock the log against other programs, once it exists; no lock is made beside a foreign file before that is renamed."""
        if self._is_locked:
            return
        with ExitStack() as trying:
            remedy = "End that one, or name another file with --log"
            self._is_locked = trying.enter_context(
                only_writer(self.path, "a log that no other station writes to", remedy, LOG.application_id)
            )
            if self._is_locked:
                self._held = trying.pop_all()

    def _report_new_log(self, news: Phrase) -> None:
        self.news = self._pending_news = news
        self._after_all.clear()

    def _news(self, station: str) -> list[Row]:
        """Return a first row that reports a new log, so that the loss of the old one shows."""
        return [] if self._pending_news is None else [self.row(Entry(Kind.CHANGED, why=self._pending_news), self._clocks.now(), station)]

    def _failed(self, error: sqlite3.Error | OSError | InUse) -> NotLogged:
        # Reconnect next time: the file may have been replaced, or its disk mounted again.
        self._release()
        why = describe_io_error(error)
        refused = NotLogged(where=self.path, expected="to write the log", found=why.problem, remedy=why.remedy)
        self.trouble = Diagnosis.of(refused)
        return refused

    def _release(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def open_log(path: Path, clocks: Clocks = _CLOCKS, on_rows: Callable[[], None] | None = None) -> Log:
    """Return the log at ``path``; a missing one is begun, as is a damaged one after it is renamed. ``on_rows`` is called after each commit.

    If it cannot be written, or is a foreign file, ``trouble`` of the ``Log`` says so and it keeps trying; the director's setting decides whether the station judges.

    Raises:
        InUse: another process writes to it.
    """
    return Log(path, clocks, on_rows)
