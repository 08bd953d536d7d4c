"""The journal's file: opened and checked at startup, then appended to. Rows get their number and hash, and are on the disk when ``append`` returns.

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
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import Diagnosis
from appliance.records.sqlite import describe_io_error, is_full
from appliance.records.writer import FAULTS, RecordWriter
from faults.errors import Phrase, as_phrase
from records.journal import JOURNAL, NEVER, GameStamp, Kind, Mark, Row, last_game, last_game_begins, rows_from
from rules.duration import NS


def not_recorded(path: Path, error: sqlite3.Error | OSError) -> Diagnosis:
    found = describe_io_error(error)
    remedy = Phrase("{remedy}: `tileclock doctor` says how", remedy=as_phrase(found.remedy)) if is_full(error) else found.remedy
    return Diagnosis(_because(path, found.problem), remedy)


def ended_early(path: Path) -> Diagnosis:
    return Diagnosis(_because(path, "the program failed at it"), "Start the clock again")


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
        return Lateness(max(late_ns, self.worst_ns - (self.worst_ns >> FORGETS)))

    @property
    def promise_ns(self) -> int:
        return max(MIN_NS, MARGIN * self.worst_ns)


def from_promise(promise_ns: int) -> Lateness:
    return Lateness(promise_ns // MARGIN if promise_ns > MIN_NS else 0)


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
