"""The journal's file: opened and checked at startup, then appended to. Rows get their number and hash, and are on the disk when ``append`` returns.

A file that cannot be used, for damage or its edition, is renamed, never overwritten, and a new one begins. No disk error raises at the opening:
if the journal cannot be opened, the clock runs without a record and the result says so. If it is lost while the clock runs, a new one starts with
the whole current game, of which ``CurrentGame`` has a copy.

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
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import Diagnosis
from appliance.records import fault
from appliance.records.chain import GENESIS
from appliance.records.files import FileIdentity, identity, set_aside
from appliance.records.sqlite import begin, describe_io_error, is_full
from appliance.records.writer import HashChainWriter
from faults.errors import Phrase, as_phrase
from records.journal import (
    JOURNAL,
    NEVER,
    GameStamp,
    Kind,
    Row,
    another_edition,
    fill,
    last_game_begins,
    read_mark,
    rows_from,
    seal,
    verify,
)
from rules.duration import NS


def not_recorded(path: Path, error: sqlite3.Error | OSError) -> Diagnosis:
    """Return the screen message for an error while writing to the journal at ``path``."""
    found = describe_io_error(error)
    remedy = Phrase("{remedy}: `tileclock doctor` says how", remedy=as_phrase(found.remedy)) if is_full(error) else found.remedy
    return Diagnosis(_because(path, found.problem), remedy)


def ended_early(path: Path) -> Diagnosis:
    """Return the screen message for a writer that an error of the program has ended."""
    return Diagnosis(_because(path, "the program failed at it"), "Start the clock again")


def _because(path: Path, why: str) -> Phrase:
    return Phrase("The game is not being recorded: {file}: {why}", file=path, why=as_phrase(why))


_CHECKED_ROWS: Final = 2000
"""The minimum of rows checked at the end, besides the last game."""


class OpenedJournal(Struct, frozen=True):
    """The result of opening the journal."""

    path: Path
    set_aside: Path | None = None
    """The new name of a journal that cannot be used."""
    reason: str | None = None
    """Why it cannot be: its damage, or its edition."""
    trouble: Diagnosis | None = None
    """Why the journal cannot be written now; the writer tries again."""


def open_journal(path: Path, now: datetime | None = None) -> OpenedJournal:
    """Return the result for ``path``: the existing journal, or a new one; ``now`` names a damaged one, by default by the wall time."""
    reason = None
    aside = None
    try:
        reason = fault_of(path)
        if reason is not None:
            aside = set_aside(path, now or datetime.now(UTC))
        if not path.exists():
            begin_journal(path, now)
    except (OSError, sqlite3.Error) as error:
        return OpenedJournal(path, aside, reason, not_recorded(path, error))
    return OpenedJournal(path, aside, reason)


def begin_journal(path: Path, now: datetime | None = None) -> None:
    """Make a new journal, or raise OSError or sqlite3.Error. A lost journal's remaining files are renamed first: SQLite would use them for the new one."""
    begin(path, JOURNAL, fill, now)


def quarantine_journal(path: Path, orphan_wal: FileIdentity) -> None:
    """Rename the file at ``path`` if it is damaged or no journal, and ``orphan_wal``, a lost file's WAL, if still there. Raises OSError, sqlite3.Error."""
    fault.quarantine(path, JOURNAL, _fault_of_rows, orphan_wal)


def fault_of(path: Path) -> str | None:
    """Return the damage of the file at ``path``; None: intact or missing. Raises OSError, sqlite3.Error: it cannot be read now, which is no sign of damage."""
    return fault.fault_of(path, JOURNAL, _fault_of_rows)


def _fault_of_rows(connection: sqlite3.Connection) -> str | None:
    # Not from the first row: checking a season's journal would delay startup.
    (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
    checked = verify(connection, max(1, min(last_game_begins(connection) or 1, rows - _CHECKED_ROWS)))
    if checked.fault is not None:
        return checked.fault.meaning
    other = another_edition(connection)
    return None if other is None else other.problem


MARK_EVERY_NS: Final = NS
"""The interval (ns) of durable marks while a clock runs."""
MIN_NS: Final = NS
"""The smallest promise (ns)."""
MARGIN: Final = 2
FORGETS: Final = 7
"""Each mark reduces the worst delay by one part in two to this power."""


class Lateness(Struct, frozen=True):
    """The worst recent delay of a mark, in ns."""

    worst_ns: int = 0

    def after(self, late_ns: int) -> Lateness:
        """Return the new value after a mark that became durable ``late_ns`` after it was due."""
        return Lateness(max(late_ns, self.worst_ns - (self.worst_ns >> FORGETS)))

    @property
    def promise_ns(self) -> int:
        """How late the next mark may be (ns)."""
        return max(MIN_NS, MARGIN * self.worst_ns)


def from_promise(promise_ns: int) -> Lateness:
    """Return the delays that an earlier program's promise (ns) implies."""
    return Lateness(promise_ns // MARGIN if promise_ns > MIN_NS else 0)


_REPLACED: Final = "The whole game is written again"
"""The remedy shown when the journal was deleted or replaced."""


class Store(HashChainWriter):
    """A journal open for writing, used by one thread. Every method may raise ``sqlite3.Error``, ``append`` also ``OSError``; close it then."""

    def __init__(self, path: Path) -> None:
        """Open the journal at ``path``; create it if it is missing. Raises OSError, sqlite3.Error: it cannot be opened or created."""
        if not path.exists():
            begin_journal(path)
        super().__init__(path)

    def _read_end(self) -> None:
        super()._read_end()
        mark = read_mark(self._connection)
        self._stamp, self._game = (NEVER, 0) if mark is None else (mark.stamp, mark.game)
        self.promise_ns = MIN_NS if mark is None else mark.commit_ns
        """How late the next mark may be (ns); written with each commit."""

    def games(self) -> int:
        """Return the number of the last game in the file, or 0."""
        (last,) = self._connection.execute("SELECT max(game) FROM rows").fetchone()
        return int(last or 0)

    def last_game(self) -> tuple[Row, ...]:
        first = last_game_begins(self._connection)
        return () if first is None else tuple(stored.row for stored in rows_from(self._connection, first))

    def append(self, rows: Iterable[Row], stamp: GameStamp | None) -> None:
        """Write ``rows`` and set the durable mark to ``stamp`` (None: unchanged), all or nothing. Raises Replaced: file or WAL is no longer the one opened."""
        rows = tuple(rows)
        game = next((row.game for row in reversed(rows) if row.kind == Kind.EVENT), self._game)
        with self._committing(_REPLACED):
            seq, head = self._add(rows)
            # A mark of an earlier game does not apply to this one.
            stamp = stamp or (self._stamp if game == self._game else NEVER)
            self._set_mark(stamp, game, seq, head)
        self.seq, self.head, self._game, self._stamp = seq, head, game, stamp

    def _set_mark(self, stamp: GameStamp, game: int, seq: int, head: str) -> None:
        fields = (stamp.at, stamp.mono, stamp.boot, stamp.wall, game, seq, head, self.promise_ns)
        sealed = seal(stamp, game, seq, head, self.promise_ns)
        self._connection.execute(
            "INSERT OR REPLACE INTO mark (id, at, mono, boot, wall, game, seq, hash, commit_ns, seal) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*fields, sealed),
        )


class CurrentGame:
    """The rows of the current game as stored, how far time is known, and where the file ended."""

    def __init__(self) -> None:
        self._file: FileIdentity = None
        self._wal: FileIdentity = None
        self._seq, self._head = 0, GENESIS
        self._rows: list[Row] = []
        self._stamp: GameStamp | None = None

    def open(self, path: Path) -> tuple[Store, int]:
        """Open the journal at ``path``; return it and the offset of game numbers from now on. Raises OSError, sqlite3.Error.

        If it lacks rows written earlier, the current game is appended again, after the file's own games.
        """
        if self._file is not None and identity(path) != self._file:
            quarantine_journal(path, self._wal)
        store = Store(path)
        try:
            offset = self._continue_in(store)
        except BaseException:
            store.close()
            raise
        return store, offset

    def appended(self, rows: Sequence[Row], stamp: GameStamp | None, store: Store) -> None:
        """Store what was appended to ``store``."""
        begins = [place for place, row in enumerate(rows) if row.kind == Kind.EVENT and row.number == 1]
        if begins:
            # The previous game's stamp does not apply to this one.
            self._rows, self._stamp = [], None
        self._rows += rows[begins[-1] :] if begins else rows
        self._stamp = stamp or self._stamp
        self._seq, self._head, self._wal = store.seq, store.head, store.wal

    def _continue_in(self, store: Store) -> int:
        offset = 0
        if self._file is None:
            # An interrupted game continues: an earlier program wrote its first rows.
            self._rows = list(store.last_game())
        elif not store.holds(self._seq, self._head):
            offset = self._append_again(store)
        self._file, self._seq, self._head = store.file, store.seq, store.head
        return offset

    def _append_again(self, store: Store) -> int:
        last = max((row.game for row in self._rows), default=0)
        games = store.games()
        offset = max(0, games + 1 - last) if games else 0
        rows = [replace(row, game=row.game + offset) for row in self._rows]
        if rows or self._stamp is not None:
            store.append(rows, self._stamp)
        self._rows = rows
        return offset
