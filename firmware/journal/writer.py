"""The journal's file, opened and checked at startup; and how changes of the table become rows, which a thread commits in order: no press waits for the disk.

Handing over rows never blocks: a press is shown and counted even if it cannot be written, and the screen then shows that. The writer tells of trouble through a
callback. Rows that cannot be written stay in memory, in order. The thread sleeps while there is nothing to do.

A file that cannot be used, for damage or its edition, is renamed, never overwritten, and a new one begins. No disk error raises at the opening:
if the journal cannot be opened, the clock runs without a record and the result says so. If it is lost while the clock runs, a new one starts with
the whole current game, of which ``Store`` has a copy.

**The promised lateness** of the durable mark bounds, after a power cut, how much of a running clock's time may be missing. While a clock runs, a
mark is due each second (``MARK_EVERY_NS``). A power cut loses the time since the last mark on the disk, and the disk is then the only source. So
each mark states **in advance** how late the next one may be. As long as every mark meets the promise of the previous one, a cut loses at most
``MARK_EVERY_NS`` plus the promise. No promise is certain, because a disk may stall for any time. Precautions:

- The promise has a margin: twice the worst recent delay, and at least ``MIN_NS``. A delay lasts from the instant the mark was due to the
  end of its commit, so a late loop, a busy writer and a slow disk all count.
- The worst delay decays slowly (by half in about 90 marks) and survives a restart: the next program starts from the promise on the disk.
- The screen shows a broken promise at once and as long as it lasts: a cut would then lose more than the disk states. The next successful
  mark contains the higher promise.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.errors import Diagnosis
from appliance.records.rows import FAULTS, RecordWriter, SlowestWrite
from appliance.records.sqlite import describe_io_error, is_full
from faults.errors import Phrase, as_phrase
from firmware.gestures.clock_state import ClockState
from firmware.journal.recovery import MARK_EVERY_NS, MIN_NS, SERVED_NS, Anchor, Beat, CrashMemory
from firmware.menu.menu import time_counts
from game.events import End, NewGame
from game.game import Phase
from game.history import History, accept
from records.journal import JOURNAL, NEVER, GameStamp, Kind, Mark, Row, last_game, last_game_begins, row_of, rows_from, rows_of
from rules.duration import NS


def not_recorded(path: Path, error: sqlite3.Error | OSError) -> Diagnosis:
    found = describe_io_error(error)
    remedy = Phrase("{remedy}: `tileclock doctor` says how", remedy=as_phrase(found.remedy)) if is_full(error) else found.remedy
    return Diagnosis(_because(path, found.problem), remedy)


def _because(path: Path, why: str) -> Phrase:
    return Phrase("The game is not being recorded: {file}: {why}", file=path, why=as_phrase(why))


class OpenedJournal(Struct, frozen=True):
    path: Path
    set_aside: Path | None = None
    reason: str | None = None
    trouble: Diagnosis | None = None
    """Why the journal cannot be written now; the writer tries again."""


def open_journal(path: Path, now: datetime | None = None) -> OpenedJournal:
    """Return the result for ``path``: the existing journal, or a new one; ``now`` names a damaged one, by default by the wall time."""
    store, trouble = Store(path), None
    try:
        store.ready(now)
    except FAULTS as error:
        trouble = not_recorded(path, error)
    return (
        OpenedJournal(path, trouble=trouble) if store.aside is None else OpenedJournal(path, store.aside.path, store.aside.fault, trouble)
    )


MARGIN: Final = 2
FORGETS: Final = 7
"""Each mark reduces the worst delay by one part in two to this power."""


def worst_after(worst_ns: int, late_ns: int) -> int:
    """Return the worst recent delay of a mark, after one that was ``late_ns`` late."""
    return max(late_ns, worst_ns - (worst_ns >> FORGETS))


def promise(worst_ns: int) -> int:
    """Return how late (ns) the next mark may be, as a mark promises it."""
    return max(MIN_NS, MARGIN * worst_ns)


def promised_worst(promise_ns: int) -> int:
    """Return the worst delay (ns) from which a mark promised ``promise_ns``."""
    return promise_ns // MARGIN if promise_ns > MIN_NS else 0


class Store(RecordWriter[Row, Mark]):
    """A journal open for writing, with a copy of the current game's rows: a journal that lacks rows written earlier gets them again, after its own games."""

    _remedy = "The whole game is written again"

    def __init__(self, path: Path, games_before: int | None = 0) -> None:
        """``games_before`` of None: as many as the file has when it is first opened."""
        super().__init__(path, JOURNAL)
        self.games_before = games_before
        """What is added to the numbers of games on writing."""
        self._rows: list[Row] = []
        """Of the current game, as stored."""
        self._lost: Mark | None = None
        """The last mark of a lost journal: ``_rows`` are to be written again. None: they are on the disk."""

    def append(self, rows: Iterable[Row], stamp: GameStamp | None, promise_ns: int | None = None) -> tuple[Row, ...]:
        """Write ``rows`` and set the durable mark to ``stamp`` and ``promise_ns`` (None: unchanged), all or nothing; return the rows as stored."""
        connection, last, before = self.opened(), self._lost or self.mark, self.games_before or 0
        kept, shift = self._rows, 0
        if self._lost is not None and (games := last_game(connection)):
            shift = max(0, games + 1 - max((row.game for row in kept), default=0))
            kept = _renumbered(kept, shift)
        fresh = _renumbered(rows, before + shift)
        game = next((row.game for row in reversed(fresh) if row.kind == Kind.EVENT), last.game + shift)
        # A mark of an earlier game does not apply to this one.
        known = stamp or (last.stamp if game == last.game + shift else NEVER)
        promised = last.commit_ns if promise_ns is None else promise_ns
        self._append(
            fresh if self._lost is None else [*kept, *fresh],
            lambda seq, head: Mark(seq, head, known.at, known.mono, known.boot, known.wall, game, promised),
        )
        begins = [place for place, row in enumerate(fresh) if row.kind == Kind.EVENT and row.number == 1]
        self._rows = fresh[begins[-1] :] if begins else [*kept, *fresh]
        self.games_before, self._lost = before + shift, None
        return tuple(fresh)

    def _prepare(self) -> None:
        # ``open_journal`` has checked the file that was there at the start: again, it would delay the first rows.
        if self._is_another():
            self.ready()
        else:
            self._begun()

    def _found(self, connection: sqlite3.Connection, lost: bool) -> None:
        if self._file is None:
            # An interrupted game continues: an earlier program wrote its first rows.
            first = last_game_begins(connection)
            self._rows = [] if first is None else [stored.row for stored in rows_from(connection, first)]
            self.games_before = last_game(connection) if self.games_before is None else self.games_before
        elif lost:
            self._lost = self._lost or self.mark


def _renumbered(rows: Iterable[Row], games: int) -> list[Row]:
    return [replace(row, game=row.game + games) for row in rows] if games else list(rows)


FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 8.0


class Progress(Struct, frozen=True):
    trouble: Diagnosis | None
    """Why nothing can be written now; None: it is written again."""


class Durable(Struct, frozen=True):
    """How much of a running clock's time is on the disk."""

    mono: int
    """The latest instant on the disk (ns of CLOCK_MONOTONIC); 0: none yet from this program."""
    promise_ns: int


class _Work(Struct, frozen=True):
    batches: tuple[tuple[Row, ...], ...]
    stamp: GameStamp | None
    due: int | None
    """When the oldest part was due to be written (ns of CLOCK_MONOTONIC)."""

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(row for rows in self.batches for row in rows)


class JournalWriter:
    """Writes to the journal at ``path`` in its own thread, which starts at once.

    ``put`` and ``mark`` never block and never raise. The thread calls ``on_progress`` when an error begins, changes or ends; ``trouble`` is that of
    the opening. ``games_seen``: game numbers continue those in the file; False if it could not be read at startup: numbers start at 1 and the writer
    adds the file's last number later. ``memory`` stores rows until they are on the disk, in case the program crashes. ``end``: the end of
    the journal, None if unreadable. A failed write is tried again after ``first_pause_s``, then after twice as long each time, up to
    ``longest_pause_s``. The thread calls ``on_rows`` after each commit that contained rows.
    """

    def __init__(  # noqa: PLR0913 - most have a default, and are for tests and crashes
        self,
        path: Path,
        on_progress: Callable[[Progress], None],
        *,
        trouble: Diagnosis | None = None,
        games_seen: bool = True,
        memory: CrashMemory | None = None,
        end: Anchor | None = None,
        now: Callable[[], int] = time.monotonic_ns,
        on_rows: Callable[[], None] | None = None,
        first_pause_s: float = FIRST_PAUSE_S,
        longest_pause_s: float = LONGEST_PAUSE_S,
    ) -> None:
        self._path = path
        self._on_progress = on_progress
        self._on_rows = on_rows
        self._first_pause_s, self._longest_pause_s = first_pause_s, longest_pause_s
        self._lock = threading.Condition()
        self._batches: deque[tuple[Row, ...]] = deque()
        self._stamp: GameStamp | None = None
        self._due: int | None = None
        self._memory, self._anchor, self._now = memory, end, now
        self._worst_ns = 0
        """The worst recent delay of a mark."""
        self._failing = False
        self.durable = Durable(0, MIN_NS)
        self.lag_ns = 0
        """By how much the next commits promise more than the delays of marks: the marks lag behind while a press is undecided."""
        self.slowest = SlowestWrite(now)
        self._closing = threading.Event()
        self._store = Store(path, 0 if games_seen else None)
        self.trouble = trouble
        """Why nothing can be written now; None: writing works. May be read from any thread."""
        # A daemon, so that a disk that never answers does not prevent the program's exit.
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def put(self, rows: Iterable[Row]) -> None:
        together = tuple(rows)
        if together:
            with self._lock:
                if self._memory is not None:
                    self._memory.put(together, self._anchor, afresh=not self._batches)
                self._batches.append(together)
                self._set_due(self._now())
                self._lock.notify()

    def mark(self, stamp: GameStamp, due: int | None = None) -> None:
        """Hand over how far time has come, due at ``due`` (ns of CLOCK_MONOTONIC; None: now); a later mark replaces an unwritten one."""
        with self._lock:
            self._stamp = stamp
            self._set_due(self._now() if due is None else due)
            self._lock.notify()

    @property
    def games_before(self) -> int:
        """What is added to the numbers of games on writing; 0 as long as the file has not been read. May be read from any thread."""
        return self._store.games_before or 0

    def close(self, limit_s: float = 2.0) -> bool:
        """Write the rest, wait at most ``limit_s`` seconds, and return whether all is on the disk. Nothing is written afterwards."""
        self._closing.set()
        with self._lock:
            self._lock.notify()
        self._thread.join(limit_s)
        return not self._thread.is_alive() and not self._batches and self.trouble is None

    def _run(self) -> None:
        ended = False
        try:
            self._write_until_closed()
            ended = True
        finally:
            self._store.close()
            if not ended:
                # An error of the program itself: the log gets its traceback, and the screen must not claim that the game is recorded.
                self._tell(Diagnosis(_because(self._path, "the program failed at it"), "Start the clock again"))

    def _write_until_closed(self) -> None:
        pause_s = self._first_pause_s
        while (work := self._next()) is not None:
            last_try = self._closing.is_set()
            try:
                rows = self._write(work)
            except FAULTS as error:
                self._fail(error)
                if last_try:
                    break
                # Pause despite new rows: a mark comes every second, and a failing disk needs fewer attempts.
                self._closing.wait(pause_s)
                pause_s = min(2 * pause_s, self._longest_pause_s)
                continue
            pause_s = self._first_pause_s
            self._note_written(work, rows)

    def _next(self) -> _Work | None:
        """Wait for work (not the first time, to test at once whether the journal opens); None: closed, and all is written."""
        with self._lock:
            self._lock.wait_for(self._has_work)
            if self._closing.is_set() and not self._batches and self._stamp is None:
                return None
            work = _Work(tuple(self._batches), self._stamp, self._due)
            self._due = None
            return work

    def _set_due(self, at: int) -> None:
        self._due = at if self._due is None else min(self._due, at)

    def _has_work(self) -> bool:
        return bool(self._batches) or self._stamp is not None or not self._store.is_open or self._closing.is_set()

    def _write(self, work: _Work) -> tuple[Row, ...]:
        if not self._store.is_open:
            self._store.opened()
            self._worst_ns = worst_after(self._worst_ns, promised_worst(self._store.mark.commit_ns))
        if not work.rows and work.stamp is None:
            return ()
        with self.slowest.measured():
            return self._store.append(work.rows, work.stamp, promise(self._worst_ns) + self.lag_ns)

    def _note_written(self, work: _Work, rows: tuple[Row, ...]) -> None:
        known = [row.mono for row in rows if row.kind != Kind.BOOT]
        if work.stamp is not None:
            known.append(work.stamp.mono)
        if known:
            self.durable = Durable(max(*known, self.durable.mono), self._store.mark.commit_ns)
        self._measure_lateness(work)
        with self._lock:
            for _ in work.batches:
                self._batches.popleft()
            if self._stamp is work.stamp:
                self._stamp = None
            self._anchor = Anchor(self._store.seq, self._store.head, self.games_before)
        self._tell(None)
        if rows and self._on_rows is not None:
            self._on_rows()

    def _measure_lateness(self, work: _Work) -> None:
        """Measure the mark's lateness. A mark after failed writes does not count: the screen has shown the failure, and it says nothing about normal delays."""
        if work.stamp is not None and work.due is not None and not self._failing:
            self._worst_ns = worst_after(self._worst_ns, self._now() - work.due)
        self._failing = False

    def _fail(self, error: sqlite3.Error | OSError) -> None:
        self._store.close()
        self._failing = True
        self._tell(not_recorded(self._path, error))

    def _tell(self, trouble: Diagnosis | None) -> None:
        before, self.trouble = self.trouble, trouble
        if trouble != before:
            self._on_progress(Progress(trouble))


EARLY_NS = NS // 50
NOT_PLAYED: Final = "not played"
"""The reason of the end of a game that was set up and never began."""


class HeadSigned(Struct, frozen=True):
    """The clock's key has signed a head of the journal: this becomes a row of its own."""

    body: Mapping[str, Any]
    of_stop: bool
    """The head is that of the stop in order: nothing is to be signed after it."""


def stamped(clocks: Clocks, at: int, mono: int) -> GameStamp:
    return GameStamp(at, mono, clocks.boot(), clocks.wall())


def _lag(decided: ClockState, known: int, now: int) -> int:
    """Return how much more (ns) has to be promised at ``now`` where ``decided`` is all that is known: a press since may have started a clock, up to the next mark."""
    if known == now:
        return 0
    return now - known + (0 if time_counts(decided.game_at(known)) else MARK_EVERY_NS)


class JournalRecorder:
    def __init__(
        self, writer: JournalWriter, clocks: Clocks, game: int, recorded: History | None, memory: CrashMemory | None = None
    ) -> None:
        self.writer = writer
        self.late = False
        """No mark has come within the promise of the previous one: a power cut would lose more time than the clock would then report."""
        self._memory = memory
        self._clocks = clocks
        self._game = game
        self._recorded = recorded
        self._marked = 0
        self._due: int | None = None
        """When the loop planned to wake, ns; None: only an input wakes it."""
        self._counts_since: int | None = None
        """Since when a clock has been running without interruption."""

    @property
    def game(self) -> int:
        return self._game + self.writer.games_before

    def record(self, decided: ClockState, at: int) -> None:
        if decided.history is self._recorded:
            return
        self._game, batches = self._since_recorded(decided, at)
        for rows in batches:
            self.writer.put(rows)
        self._recorded = decided.history

    def _since_recorded(self, state: ClockState, at: int) -> tuple[int, list[tuple[Row, ...]]]:
        """Return the number of the game of ``state`` and the rows to write at ``at`` (ns), in batches."""
        history, old, game, batches = state.history, self._recorded, self._game, []
        if history is old:
            return game, []
        stamp = stamped(self._clocks, state.instant(at), at)
        if old is None or (
            history.before is None and isinstance(history.event, NewGame) and history.event is not old.oldest_first()[0].event
        ):
            if old is not None and old.game_at(history.at).phase is Phase.READY:
                # It was set up anew before it began.
                batches.append(rows_of(old, accept(old, End(NOT_PLAYED), history.at), game, stamp))
            game += 1
        return game, [*batches, rows_of(old, history, game, stamp)]

    def note(self, kind: Kind, state: ClockState, now: int, body: Mapping[str, Any]) -> None:
        stamp = stamped(self._clocks, state.instant(now), now)
        self.writer.put((row_of(kind, self._game, stamp, body),))

    def mark(self, decided: ClockState, known: int, now: int, *, counting: bool) -> int | None:
        """Request a durable mark if due, check whether the last one was in time, and return the next call's instant (None: no time counts).

        ``decided`` is all that has happened by ``known`` (ns).
        """
        if not counting or decided.frozen is not None:
            self._counts_since, self.late, self.writer.lag_ns = None, False, 0
            return None
        if self._counts_since is None:
            self._counts_since = now
        # Slightly early if the loop is awake anyway: readings change once a second too, and one wake serves both.
        if now - self._marked >= MARK_EVERY_NS - EARLY_NS:
            due = min(now, max(self._marked + MARK_EVERY_NS, self._counts_since))
            self._marked = now
            # Until the next mark: what is recorded meanwhile may reach no further.
            self.writer.lag_ns = _lag(decided, known, now)
            self.writer.mark(stamped(self._clocks, decided.instant(known), known), due)
        promised = self._promised(self._counts_since)
        self.late = now > promised
        return self._marked + MARK_EVERY_NS if self.late else min(self._marked + MARK_EVERY_NS, promised + 1)

    def _promised(self, counts_since: int) -> int:
        durable = self.writer.durable
        if durable.mono >= counts_since:
            return durable.mono + MARK_EVERY_NS + durable.promise_ns
        # According to the disk, all clocks are stopped.
        return counts_since + durable.promise_ns

    def asleep(self, state: ClockState, now: int, wake: int | None) -> None:
        """Store that everything is shown and recorded at ``now``, and that the loop sleeps until ``wake`` (ns; None: until an input)."""
        self._due = wake
        self._beat(state, now, wake, asleep=True)

    def awake(self, state: ClockState, now: int) -> None:
        """Store that the loop has woken at ``now`` (ns).

        A loop that hung is not back before it sleeps again: the watchdog may end it as soon as it goes on, with presses that it has not applied.
        """
        if self._due is None or now <= self._due + SERVED_NS:
            self._beat(state, now, None, asleep=False)

    def _beat(self, state: ClockState, now: int, wake: int | None, *, asleep: bool) -> None:
        if self._memory is not None and state.frozen is None:
            game, undecided = self._since_recorded(state, now)
            rows = tuple(row for rows in undecided for row in rows)
            self._memory.beat(Beat(stamped(self._clocks, state.instant(now), now), game, wake, asleep, rows))

    def stop(self, state: ClockState, now: int) -> None:
        """Record that the clock is switched off at ``now`` (ns): all its time is known, and nothing is missing at the next start."""
        stamp = stamped(self._clocks, state.instant(now), now)
        self.writer.put((row_of(Kind.STOPPED, self._game, stamp, {}),))
        if state.frozen is None:
            self.writer.mark(stamp, now)
