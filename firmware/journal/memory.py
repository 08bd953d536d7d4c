"""What outlives a crash of the program: rows that were not on the disk yet, how far time was known, and when the program ended.

The writing half is ``Memory``, over a crash record; the reading half is ``Remembered``, a value. Both agree on JSON lists. What is read is checked field by field:
it may be anything.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from appliance.crash.record import CrashRecord, End, Found
from appliance.records.chain import GENESIS
from appliance.records.rows import hash_of, last_of
from firmware.journal.lateness import MARK_EVERY_NS
from firmware.journal.reading import rows_from
from firmware.journal.row import Kind, Row, Stamp
from rules.duration import NS

Puts: TypeAlias = tuple[tuple[Row, ...], ...]
"""Rows as they were handed over: those that are committed together stand together."""
SERVED_NS: Final = NS
"""A loop that is awake for longer, or wakes later than it wanted to by more, does not serve the players: time from then on is not known."""
UNHEARD_NS: Final = MARK_EVERY_NS + SERVED_NS
"""A press of so long before the end may not have come to a loop that waited for a processor. It is gone with the kernel's queue; the screen says so."""
_ROW: Final = (str, int, (int, type(None)), int, int, str, str, str)
_STAMP: Final = (int, int, str, str)
_HIGHEST: Final = (1 << 63) - 1
"""What SQLite can hold."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the journal ended when all that was handed over was on the disk."""

    seq: int
    head: str
    games: int = 0
    """By how much the writer numbers games higher than they are handed over."""


START: Final = Anchor(0, GENESIS)
"""Of a journal without rows."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The last sign of life of the loop."""

    stamp: Stamp
    game: int
    due: int | None
    """When the loop, which went to sleep at ``stamp``, wanted to wake (ns of CLOCK_MONOTONIC); None: when something is pressed."""
    asleep: bool

    def served_until(self, end: int, last: int) -> bool:
        """Tell whether the players were served until the program's end (both ns of CLOCK_MONOTONIC).

        Args:
            end: when the program ended.
            last: the latest instant of which something is known; after the beat's own where a press was just being taken in.
        """
        if self.asleep and last <= self.stamp.mono:
            return self.due is None or end <= self.due + SERVED_NS
        return end <= max(last, self.stamp.mono) + SERVED_NS


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a crashed program has left, as far as it can be read."""

    puts: Puts
    """What was handed over since ``anchor``; some of it may be on the disk."""
    anchor: Anchor | None
    """None: the program never got the journal open."""
    beat: Beat | None
    end: End | None

    def beyond(self, connection: sqlite3.Connection) -> Remembered | None:
        """Return what of this is not in the journal, its games numbered as there; None: it is not about this journal, or other rows have followed.

        Raises:
            sqlite3.Error: the journal cannot be read.
        """
        anchor = self.anchor or self._late_anchor(connection)
        if anchor is None or (anchor.seq and hash_of(connection, anchor.seq) != anchor.head):
            return None
        written = [kept.row for kept in rows_from(connection, anchor.seq + 1)]
        puts = _numbered(self.puts, anchor.games)
        flat = [row for rows in puts for row in rows]
        if written != flat[: len(written)]:
            return None
        beat = None if self.beat is None else replace(self.beat, game=self.beat.game + anchor.games)
        return Remembered(_without(puts, len(written)), replace(anchor, games=0), beat, self.end)

    def whole_game(self) -> Puts | None:
        """Return what was handed over to a program that never got its journal open: it holds its games from their beginnings."""
        return self.puts if self.anchor is None and any(map(begins_game, self.puts)) else None

    def _late_anchor(self, connection: sqlite3.Connection) -> Anchor | None:
        """Return where rows stand, or would stand, that were handed over before the journal could be opened: they are the last in it, or follow the last."""
        if self.whole_game() is None:
            return None
        seq, head = last_of(connection) or (START.seq, START.head)
        flat = [row for rows in self.puts for row in rows]
        tail = [kept.row for kept in rows_from(connection, seq - len(flat) + 1)]
        if tail and [replace(row, game=0) for row in tail] == [replace(row, game=0) for row in flat]:
            before = seq - len(flat)
            return Anchor(before, hash_of(connection, before) or "", tail[0].game - flat[0].game)
        (games,) = connection.execute("SELECT max(game) FROM rows").fetchone()
        return Anchor(seq, head, int(games or 0))


def _numbered(puts: Puts, games: int) -> Puts:
    return tuple(tuple(replace(row, game=row.game + games) for row in rows) for rows in puts)


def begins_game(rows: Sequence[Row]) -> bool:
    """Tell whether a game begins in ``rows``."""
    return any(row.kind == Kind.EVENT and row.number == 1 for row in rows)


class Memory:
    """Writes to a crash record. Nothing here raises: without it the clock goes on, and ``on_loss`` hears why."""

    def __init__(self, record: CrashRecord, on_loss: Callable[[OSError], None]) -> None:
        self._record: CrashRecord | None = record
        self._on_loss = on_loss
        self._watched = False

    def put(self, rows: Sequence[Row], anchor: Anchor | None, *, afresh: bool) -> None:
        """Remember ``rows``, which belong together.

        Args:
            rows: as they are handed to the writer.
            anchor: where the journal ended when the first entry since ``afresh`` was made.
            afresh: all that was remembered so far is on the disk.
        """
        fields = [
            None if anchor is None else [anchor.seq, anchor.head, anchor.games],
            [[row.kind, row.game, row.number, row.at, row.mono, row.boot, row.wall, row.body] for row in rows],
        ]
        self._try(lambda record: record.append(json.dumps(fields).encode(), afresh=afresh))

    def beat(self, beat: Beat) -> None:
        """Remember a sign of life; the first one has the program's end watched."""
        stamp = beat.stamp
        fields = [stamp.at, stamp.mono, stamp.boot, stamp.wall, beat.game, beat.due, beat.asleep]
        self._try(lambda record: record.note(json.dumps(fields).encode()))
        if not self._watched:
            self._watched = True
            self._try(CrashRecord.watch)

    def settle(self) -> None:
        """Put this in the place of what an earlier program has left."""
        self._try(CrashRecord.settle)

    def close(self, *, keep: bool) -> None:
        """Let go; ``keep``: it stays for the next program."""
        if self._record is not None:
            self._record.close(keep=keep)
            self._record = None

    def _try(self, do: Callable[[CrashRecord], None]) -> None:
        if self._record is None:
            return
        try:
            do(self._record)
        except OSError as error:
            # With a hole in it, it would say what is not so.
            self.close(keep=False)
            self._on_loss(error)


def record_path(folder: Path, journal: Path, boot: str) -> Path:
    """Return where the record for ``journal`` stands in this boot."""
    import hashlib  # noqa: PLC0415 - only here

    name = hashlib.sha256(f"{boot}\n{journal.absolute()}".encode(errors="surrogateescape")).hexdigest()
    return folder / f"{name[:16]}.crash"


def remembered(found: Found | None, boot: str) -> Remembered | None:
    """Return what ``found`` says; None: nothing that can be read whole, or of another boot than ``boot``."""
    if found is None or not boot:
        return None
    with suppress(ValueError, RecursionError):
        beat = None if found.note is None else _beat(json.loads(found.note))
        anchors, puts = [], []
        for entry in found.entries:
            anchor, rows = _fields(json.loads(entry), (list | None, list))
            anchors.append(None if anchor is None else Anchor(*_fields(anchor, (int, str, int))))
            puts.append(tuple(Row(*_fields(row, _ROW)) for row in rows))
        if beat is None or beat.stamp.boot == boot:
            return Remembered(tuple(puts), anchors[0] if anchors else None, beat, found.end)
    return None


def _beat(fields: Any) -> Beat:
    *stamp, game, due, asleep = _fields(fields, (*_STAMP, int, (int, type(None)), bool))
    return Beat(Stamp(*stamp), game, due, asleep)


def _fields(value: Any, kinds: Sequence[Any]) -> list[Any]:
    fits = isinstance(value, list) and len(value) == len(kinds) and all(map(isinstance, value, kinds))
    if not fits or any(isinstance(each, int) and abs(each) > _HIGHEST for each in value):
        raise ValueError("not what the clock writes")
    return list(value)


def _without(puts: Puts, count: int) -> Puts:
    left = []
    for rows in puts:
        gone = min(count, len(rows))
        count -= gone
        if gone < len(rows):
            left.append(rows[gone:])
    return tuple(left)
