"""The writer: a thread that commits what the clock hands it, so that no press waits for the disk.

Whoever hands over rows goes on at once; the writer says through a callback how far it got, and in one sentence when it cannot go on. Rows then stay in memory,
in order, until they can be written. It sleeps until there is something to do.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis
from firmware.journal.current_game import CurrentGame
from firmware.journal.lateness import LEAST_NS, Lateness, promised
from firmware.journal.memory import Anchor, Memory
from firmware.journal.row import Kind, Row, Stamp
from firmware.journal.store import Store
from firmware.journal.trouble import ended_early, not_recorded

FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 8.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the writer got."""

    at: int | None
    """The latest instant (ns of the timeline) known to be on the disk; None: nothing yet from this program."""
    seq: int
    """The last row on the disk, counted from the journal's first."""
    trouble: Diagnosis | None
    """Why nothing can be written, for the screen."""


@dataclass(frozen=True, slots=True)
class Durable:
    """What the disk holds of a running clock's time."""

    mono: int
    """The latest instant that is on it (ns of CLOCK_MONOTONIC); 0: none yet from this program."""
    promise_ns: int
    """By how much the next mark may be late, as it says."""


@dataclass(frozen=True, slots=True)
class _Work:
    puts: tuple[tuple[Row, ...], ...]
    stamp: Stamp | None
    due: int | None
    """When the first of it was due to be written (ns of CLOCK_MONOTONIC)."""

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(row for rows in self.puts for row in rows)


class JournalWriter:
    """Writes to the journal at ``path``, in a thread of its own that begins at once.

    ``put`` and ``mark`` never block and never raise. ``on_progress`` is called in the writer's thread: after each commit, and when trouble begins, changes or ends.
    ``games_seen``: the games' numbers go on from those in the file; where it could not be read at the start they count from 1, and are put after those that are found.
    ``memory``: remembers rows until they are on the disk, should the program crash; ``end``: where the journal ends now, None where it could not be read.
    A failed write is tried again after ``first_pause_s``, then after twice as long each time, up to ``longest_pause_s``.
    """

    def __init__(  # noqa: PLR0913 - most have a default, and are for tests and crashes
        self,
        path: Path,
        on_progress: Callable[[Progress], None],
        *,
        games_seen: bool = True,
        memory: Memory | None = None,
        end: Anchor | None = None,
        now: Callable[[], int] = time.monotonic_ns,
        first_pause_s: float = FIRST_PAUSE_S,
        longest_pause_s: float = LONGEST_PAUSE_S,
    ) -> None:
        self._path = path
        self._on_progress = on_progress
        self._first_pause_s, self._longest_pause_s = first_pause_s, longest_pause_s
        self._lock = threading.Condition()
        self._puts: deque[tuple[Row, ...]] = deque()
        self._stamp: Stamp | None = None
        self._due: int | None = None
        self._memory, self._anchor, self._now = memory, end, now
        self._lateness = Lateness()
        self._failing = False
        self.durable = Durable(0, LEAST_NS)
        """For any thread to read."""
        self._closing = threading.Event()
        self._store: Store | None = None
        self._going_on = CurrentGame()
        self._games_before: int | None = 0 if games_seen else None
        self._at: int | None = None
        self._seq = 0
        self._trouble: Diagnosis | None = None
        # A daemon: a disk that never answers must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def put(self, rows: Iterable[Row]) -> None:
        """Hand over rows that belong together: they are committed together."""
        together = tuple(rows)
        if together:
            with self._lock:
                if self._memory is not None:
                    self._memory.put(together, self._anchor, afresh=not self._puts)
                self._puts.append(together)
                self._is_due(self._now())
                self._lock.notify()

    def mark(self, stamp: Stamp, due: int | None = None) -> None:
        """Hand over how far time has come; a later mark replaces one that has not been written yet.

        Args:
            stamp: now.
            due: when it should have been handed over (ns of CLOCK_MONOTONIC); None: now.
        """
        with self._lock:
            self._stamp = stamp
            self._is_due(self._now() if due is None else due)
            self._lock.notify()

    def close(self, limit_s: float = 2.0) -> bool:
        """Write what is left, wait for it at most ``limit_s`` seconds, and tell whether all is on the disk. Nothing is written afterwards."""
        self._closing.set()
        with self._lock:
            self._lock.notify()
        self._thread.join(limit_s)
        return not self._thread.is_alive() and not self._puts and self._trouble is None

    def _run(self) -> None:
        ended = False
        try:
            self._write_until_closed()
            ended = True
        finally:
            self._let_go()
            if not ended:
                # An error of the program's own: its traceback goes to the log, and whoever looks at the clock must not believe that it records.
                self._say(ended_early(self._path))

    def _write_until_closed(self) -> None:
        pause_s = self._first_pause_s
        while (work := self._next()) is not None:
            last_try = self._closing.is_set()
            try:
                store, rows = self._write(work)
            except (sqlite3.Error, OSError) as error:
                self._fail(error)
                if last_try:
                    break
                # Deaf to new rows meanwhile: a mark comes every second, and a sick disk must not be asked each time.
                self._closing.wait(pause_s)
                pause_s = min(2 * pause_s, self._longest_pause_s)
                continue
            pause_s = self._first_pause_s
            self._written(work, store, rows)

    def _next(self) -> _Work | None:
        """Wait for something to write (at first: for nothing, to see at once whether the journal can be opened); None: closed, and all is written."""
        with self._lock:
            self._lock.wait_for(self._has_cause)
            if self._closing.is_set() and not self._puts and self._stamp is None:
                return None
            work = _Work(tuple(self._puts), self._stamp, self._due)
            self._due = None
            return work

    def _is_due(self, at: int) -> None:
        self._due = at if self._due is None else min(self._due, at)

    def _has_cause(self) -> bool:
        return bool(self._puts) or self._stamp is not None or self._store is None or self._closing.is_set()

    def _write(self, work: _Work) -> tuple[Store, tuple[Row, ...]]:
        """Write ``work``, and return the journal and the rows as they stand in it."""
        if self._store is None:
            self._store, higher = self._going_on.open(self._path)
            self._lateness = self._lateness.after(promised(self._store.promise_ns).worst_ns)
            if self._games_before is not None:
                self._games_before += higher
        if self._games_before is None:
            self._games_before = self._store.games()
        before = self._games_before
        rows = tuple(replace(row, game=row.game + before) for row in work.rows) if before else work.rows
        if rows or work.stamp is not None:
            self._store.promise_ns = self._lateness.promise_ns
            self._store.append(rows, work.stamp)
            self._going_on.wrote(rows, work.stamp, self._store)
        return self._store, rows

    def _written(self, work: _Work, store: Store, rows: tuple[Row, ...]) -> None:
        stamps = [(row.at, row.mono) for row in rows if row.kind != Kind.BOOT]
        if work.stamp is not None:
            stamps.append((work.stamp.at, work.stamp.mono))
        if stamps:
            self._at = max(at for at, _ in (*stamps, (self._at or 0, 0)))
            self.durable = Durable(max(mono for _, mono in (*stamps, (0, self.durable.mono))), store.promise_ns)
        self._seq = store.seq
        self._learn(work)
        with self._lock:
            for _ in work.puts:
                self._puts.popleft()
            if self._stamp is work.stamp:
                self._stamp = None
            self._anchor = Anchor(store.seq, store.head, self._games_before or 0)
        self._trouble = None
        self._on_progress(Progress(self._at, self._seq, None))

    def _learn(self, work: _Work) -> None:
        """Take in how late a mark was. One that could not be written for a time is left out: the screen said so, and it is no measure of what can be."""
        if work.stamp is not None and work.due is not None and not self._failing:
            self._lateness = self._lateness.after(self._now() - work.due)
        self._failing = False

    def _fail(self, error: sqlite3.Error | OSError) -> None:
        # A new connection next time: the file may be another one by then, or the same one on a disk that was mounted again.
        self._let_go()
        self._failing = True
        trouble = not_recorded(self._path, error)
        if trouble != self._trouble:
            self._say(trouble)

    def _say(self, trouble: Diagnosis) -> None:
        self._trouble = trouble
        self._on_progress(Progress(self._at, self._seq, trouble))

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
