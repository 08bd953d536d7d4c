"""What survives a crash of the program: rows not yet on the disk, how far time is known, and when the program ended.

``CrashMemory`` writes it to a crash record; ``RecoveredMemory`` is the value read back. The format is JSON lists. Every field is checked on reading,
because the content may be anything. The clock also runs without a crash record.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from appliance.crash.record import NOTE_BYTES, CrashRecord, FoundCrash, LastEnd, crash_folder
from appliance.errors import NoCrashFolder
from appliance.log import get_logger
from appliance.records.chain import GENESIS
from appliance.records.rows import hash_of, last_of
from firmware.journal.store import MARK_EVERY_NS
from records.journal import GameStamp, Kind, Row, last_game, rows_from
from rules.duration import NS

Batches: TypeAlias = tuple[tuple[Row, ...], ...]
"""Rows in batches: each inner tuple is committed together."""
SERVED_NS: Final = 3 * NS
"""A loop that stays awake longer, or wakes later than planned by more, hangs: time from then on is unknown.

A loop that is late by less waits for a busy processor: it has been late by 1.8 s with both processors loaded four times over. The watchdog
ends a loop that hangs after 10 s.
"""
UNSEEN_NS: Final = MARK_EVERY_NS + SERVED_NS
"""A loop that waits for the processor may miss a press this long before the end. The kernel's queue loses it; the screen says so."""


class Anchor(Struct, frozen=True, array_like=True):
    """The end of the journal at the last moment when every row was on the disk."""

    seq: int
    head: str
    games: int = 0
    """The offset that the writer adds to game numbers."""


START: Final = Anchor(0, GENESIS)


class Beat(Struct, frozen=True, array_like=True):
    """The last sign of life of the loop."""

    stamp: GameStamp
    game: int
    due: int | None
    """The loop's next planned wake after it went to sleep at ``stamp`` (ns of CLOCK_MONOTONIC); None: only an input wakes it."""
    asleep: bool
    undecided: tuple[Row, ...] = ()
    """What the presses in progress would have recorded if they had been let go then."""

    def served_until(self, end: int, last: int) -> bool:
        """Return whether the loop served the players until the program's end; ``last``, the latest known instant, is past the stamp's during a press (both ns)."""
        if self.asleep and last <= self.stamp.mono:
            return self.due is None or end <= self.due + SERVED_NS
        return end <= max(last, self.stamp.mono) + SERVED_NS


_ENTRY: Final = json.Decoder(tuple[Anchor | None, tuple[Row, ...]])
_NOTE: Final = json.Decoder(Beat)


class RecoveredMemory(Struct, frozen=True):
    """The readable remains of a crashed program."""

    batches: Batches
    """The batches since ``anchor``; some may be on the disk."""
    anchor: Anchor | None
    """None: the program never opened the journal."""
    beat: Beat | None
    end: LastEnd | None

    def not_in_journal(self, connection: sqlite3.Connection) -> RecoveredMemory | None:
        """Return what of this is not in the journal, with its game numbers; None: another journal's, or other rows have followed. Raises sqlite3.Error."""
        anchor = self.anchor or self._late_anchor(connection)
        if anchor is None or (anchor.seq and hash_of(connection, anchor.seq) != anchor.head):
            return None
        written = [stored.row for stored in rows_from(connection, anchor.seq + 1)]
        flat = [row for rows in _renumbered(self.batches, anchor.games) for row in rows]
        if written != flat[: len(written)]:
            return None
        batches = _renumbered(self.with_undecided().batches, anchor.games)
        beat = None if self.beat is None else replace(self.beat, game=self.beat.game + anchor.games)
        return RecoveredMemory(_drop_first(batches, len(written)), replace(anchor, games=0), beat, self.end)

    def with_undecided(self) -> RecoveredMemory:
        """Return it with the undecided rows of the last beat as a last batch; without those that have been decided since, one way or another."""
        if self.beat is None or not self.beat.undecided:
            return self
        decided = max(((row.game, row.number or 0) for rows in self.batches for row in rows), default=(0, 0))
        undecided = tuple(row for row in self.beat.undecided if (row.game, row.number or 0) > decided)
        return replace(self, batches=(*self.batches, undecided), beat=replace(self.beat, undecided=()))

    def whole_game(self) -> Batches | None:
        """Return the batches of a program that never opened its journal, which therefore contain whole games; else None."""
        return self.batches if self.anchor is None and any(map(begins_game, self.batches)) else None

    def _late_anchor(self, connection: sqlite3.Connection) -> Anchor | None:
        """Return the anchor of rows that predate the opening of the journal: they are its last rows, or follow its last row."""
        if self.whole_game() is None:
            return None
        seq, head = last_of(connection) or (START.seq, START.head)
        flat = [row for rows in self.batches for row in rows]
        tail = [stored.row for stored in rows_from(connection, seq - len(flat) + 1)]
        if tail and [replace(row, game=0) for row in tail] == [replace(row, game=0) for row in flat]:
            before = seq - len(flat)
            return Anchor(before, hash_of(connection, before) or "", tail[0].game - flat[0].game)
        return Anchor(seq, head, last_game(connection))


def _renumbered(batches: Batches, games: int) -> Batches:
    return tuple(tuple(replace(row, game=row.game + games) for row in rows) for rows in batches)


def begins_game(rows: Sequence[Row]) -> bool:
    return any(row.kind == Kind.EVENT and row.number == 1 for row in rows)


class CrashMemory:
    """Writes to a crash record. Nothing here raises: on an error the clock continues without it, and ``on_loss`` gets the error."""

    def __init__(self, record: CrashRecord, on_loss: Callable[[OSError], None]) -> None:
        self._record: CrashRecord | None = record
        self._on_loss = on_loss
        self._watched = False

    def put(self, rows: Sequence[Row], anchor: Anchor | None, *, afresh: bool) -> None:
        """Store ``rows``, one batch.

        ``anchor`` is the end of the journal when the first entry since ``afresh`` was made; ``afresh``: all stored so far is on the disk, and can go.
        """
        self._try(lambda record: record.append(json.encode((anchor, rows)), afresh=afresh))

    def beat(self, beat: Beat) -> None:
        """Store a sign of life; the first one also starts the sentinel that notes the program's end."""
        note = json.encode(beat)
        if len(note) > NOTE_BYTES:
            # A rulebook of the own in a new game: that one is begun again.
            note = json.encode(replace(beat, undecided=()))
        self._try(lambda record: record.note(note))
        if not self._watched:
            self._watched = True
            self._try(CrashRecord.watch)

    def settle(self) -> None:
        self._try(CrashRecord.settle)

    def close(self, *, keep: bool) -> None:
        if self._record is not None:
            self._record.close(keep=keep)
            self._record = None

    def _try(self, do: Callable[[CrashRecord], None]) -> None:
        if self._record is None:
            return
        try:
            do(self._record)
        except OSError as error:
            # A record with a gap would be wrong, so it is deleted.
            self.close(keep=False)
            self._on_loss(error)


def record_path(folder: Path, journal: Path, boot: str) -> Path:
    import hashlib  # noqa: PLC0415 - only here

    name = hashlib.sha256(f"{boot}\n{journal.absolute()}".encode(errors="surrogateescape")).hexdigest()
    return folder / f"{name[:16]}.crash"


def parse_memory(found: FoundCrash | None, boot: str) -> RecoveredMemory | None:
    """Return the content of ``found``; None if any part is unreadable, or if it comes from another boot than ``boot``."""
    if found is None or not boot:
        return None
    with suppress(ValueError):
        beat = None if found.note is None else _NOTE.decode(found.note)
        entries = [_ENTRY.decode(entry) for entry in found.entries]
        if beat is None or beat.stamp.boot == boot:
            return RecoveredMemory(tuple(rows for _, rows in entries), entries[0][0] if entries else None, beat, found.end)
    return None


def _drop_first(batches: Batches, count: int) -> Batches:
    left = []
    for rows in batches:
        dropped = min(count, len(rows))
        count -= dropped
        if dropped < len(rows):
            left.append(rows[dropped:])
    return tuple(left)


PROGRAM: Final = "tileclock"


def crash_record_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder in memory for crash records; None: there is none, and the log says why."""
    try:
        return crash_folder(PROGRAM, environment)
    except NoCrashFolder as error:
        get_logger().warning("a crash of the program will lose as much as a power cut", why=str(error))
        return None


def open_memory(path: Path) -> CrashMemory | None:
    """Return a writer for the crash record at ``path``; None: it cannot be created, and the log says why."""
    try:
        return CrashMemory(CrashRecord(path), _lost)
    except OSError as error:
        _lost(error)
        return None


def _lost(error: OSError) -> None:
    get_logger().error("a part is given up, the game goes on", what="crash record", why=str(error))
