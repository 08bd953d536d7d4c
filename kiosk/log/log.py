"""The log as the station uses it: a row is committed, on the disk, when ``append`` returns; only then the verdict it holds is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

from appliance.clocks import Clocks
from appliance.errors import Diagnosis, InUse
from appliance.phrase import Phrase
from appliance.records.chain import GENESIS
from appliance.records.files import Identity, identity
from appliance.records.io_errors import describe_io_error
from appliance.records.lock import only_writer
from kiosk.challenge.entry import Entry, Kind
from kiosk.log.errors import NotLogged
from kiosk.log.reading import DoorRefusals
from kiosk.log.row import Happened, Row, happened, row_of
from kiosk.log.schema import LOG
from kiosk.log.store import Store, ready

_CLOCKS: Final = Clocks()


class Log:
    """The log at ``path``, for one writer and one thread. Opened at once if it can be; else each ``append`` tries, with a fresh connection.

    ``trouble`` says why nothing can be written just now, ``told`` what became of a log that was damaged or lost; both are None else.
    """

    def __init__(self, path: Path, clocks: Clocks = _CLOCKS) -> None:
        """Open the log, for this process alone.

        Raises:
            InUse: another process writes to it.
        """
        self.path = path
        self.trouble: Diagnosis | None = None
        self.told: Phrase | None = None
        self._clocks = clocks
        self._store: Store | None = None
        self._file: Identity = None
        self._wal: Identity = None
        self._seq, self._head = 0, GENESIS
        self._after_all: set[Happened] = set()
        """Rows that could not be written as far as was known, and were: a commit whose last step failed may stand there at the next opening."""
        self._to_say: Phrase | None = None
        self._held, self._is_held = ExitStack(), False
        self._hold()
        try:
            self._opened()
        except (sqlite3.Error, OSError) as error:
            self._failed(error)

    def append(self, entry: Entry, at_mono: int, station: str) -> int:
        """Write ``entry`` and return its row's number: it is on the disk then.

        Args:
            entry: what happened.
            at_mono: when, ns of CLOCK_MONOTONIC.
            station: the station's name.

        Raises:
            NotLogged: it could not be written; why, and what to do.
        """
        return self.write((self.row(entry, at_mono, station),))

    def row(self, entry: Entry, at_mono: int, station: str) -> Row:
        """Return the row that ``entry`` is now, to be written at once or, where that cannot be, later; arguments as of ``append``."""
        return row_of(entry, self._clocks.stamp(at_mono), station)

    def write(self, rows: Sequence[Row], *, late: bool = False) -> int:
        """Write ``rows``, at least one, in this order, all or none, and return the number of the last: they are on the disk then.

        Args:
            rows: as ``row`` makes them.
            late: they were tried before. One that the disk kept after all, though it said otherwise, is not written twice.

        Raises:
            NotLogged: they could not be written; why, and what to do.
        """
        try:
            store = self._opened()
            wanted = [row for row in rows if happened(row) not in self._after_all] if late else rows
            row = store.append([*self._news(rows[-1].station), *wanted])
        except (sqlite3.Error, OSError, InUse) as error:
            raise self._failed(error) from error
        self.trouble = self._to_say = None
        self._wal, self._seq, self._head = store.wal, row, store.head
        return row

    def door_refusals(self) -> DoorRefusals:
        """Return how often a wrong PIN was given since the director's door was last opened: throttling goes on where it was before a restart.

        Raises:
            NotLogged: the log cannot be opened.
        """
        try:
            return self._opened().door_refusals()
        except (sqlite3.Error, OSError, InUse) as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Let go of the file and of the right to write to it."""
        self._let_go()
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> Store:
        if self._store is not None:
            return self._store
        self._hold()
        another = self._file is not None and identity(self.path) != self._file
        aside = ready(self.path, self._wal if another else None)
        self._store = Store(self.path)
        if aside is not None:
            self._begun_anew(aside)
        elif not self._store.holds(self._seq, self._head):
            rows = Phrase("1 row") if self._seq == 1 else Phrase("{count} rows", count=self._seq)
            self._begun_anew(Phrase("The log before this row, of {rows}, was deleted or replaced while the station ran.", rows=rows))
        elif self._file is not None:
            self._after_all |= {happened(row) for row in self._store.rows_after(self._seq)}
        self._file, self._seq, self._head = self._store.file, self._store.seq, self._store.head
        return self._store

    def _hold(self) -> None:
        """Keep other programs from the log, once there can be one: beside somebody else's file no lock is made, until that is out of the way."""
        if self._is_held:
            return
        with ExitStack() as trying:
            remedy = "End that one, or name another file with --log"
            self._is_held = trying.enter_context(
                only_writer(self.path, "a log that no other station writes to", remedy, LOG.application_id)
            )
            if self._is_held:
                self._held = trying.pop_all()

    def _begun_anew(self, told: Phrase) -> None:
        self.told = self._to_say = told
        self._after_all.clear()

    def _news(self, station: str) -> list[Row]:
        """The first row of a log that took another's place says so: whoever removes one cannot hide it."""
        return [] if self._to_say is None else [self.row(Entry(Kind.CHANGED, why=self._to_say), self._clocks.now(), station)]

    def _failed(self, error: sqlite3.Error | OSError | InUse) -> NotLogged:
        # A new connection next time: the file may be another one by then, or the same one on a disk that was mounted again.
        self._let_go()
        why = describe_io_error(error)
        refused = NotLogged(where=self.path, expected="to write the log", found=why.problem, remedy=why.remedy)
        self.trouble = Diagnosis.of(refused)
        return refused

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def open_log(path: Path, clocks: Clocks = _CLOCKS) -> Log:
    """Return the log at ``path``, begun where there is none, or a damaged one (which is set aside).

    Where it cannot be written, or somebody else's file stands there, the ``Log`` says so in ``trouble``, and goes on trying: whether the station judges then is the director's setting.

    Raises:
        InUse: another process writes to it.
    """
    return Log(path, clocks)
