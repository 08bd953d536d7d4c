"""What survives a crash of the program, and after any interruption: the last game, how far its time is known, and how much may be missing.

- **After a power cut**, the disk is the only source. The missing time is at most the interval of two marks plus the delay promised by the
  last one (``writer``).
- **After a crash of the program alone**, its memory remains: rows not yet on the disk, how far time was known, and the instant at which the kernel ended the
  program. The running player is charged up to then, and nothing is missing. If that instant is unknown, or the program hung before it, the player is charged only
  up to the last sign of life, and the rest may be missing.

``CrashMemory`` writes the memory to a crash record; ``RecoveredMemory`` is the value read back. The clock also runs without a crash record.

The journal also remembers the wrong codes tried at the director's door, so that the waiting survives a restart.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from appliance.crash.record import NOTE_BYTES, CrashRecord, FoundCrash, LastEnd, crash_folder
from appliance.errors import NoCrashFolder, NoRecord, RecordError
from appliance.log import get_logger
from appliance.records.chain import GENESIS, ChainLink
from appliance.records.rows import MAX_SEQ, hash_of, last_of
from game.event_table import Rulebooks
from game.game import Game, Phase
from game.history import History
from records.games import RejectedRow, fold
from records.journal import GameStamp, Kind, Mark, Row, last_bodies, last_game, last_game_begins, read_mark, reading, rows_from
from rules.duration import NS

MARK_EVERY_NS: Final = NS
"""The interval (ns) of durable marks while a clock runs."""
MIN_NS: Final = NS
"""The smallest promise (ns)."""
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


class Recovered(Struct, frozen=True):
    """The last game of a journal, as far as it can be read."""

    game: int
    history: History | None
    """None: its beginning cannot be read; ``refused`` says why."""
    last: GameStamp
    promise_ns: int
    """How late the next durable mark may have been."""
    refused: tuple[RejectedRow, ...]
    unconfirmed: ChainLink[Row] | None
    """An earlier recovery of this game that the director has not confirmed."""
    switched_off: bool = False
    """The program ended normally: no time passed after ``last``."""
    memory: RecoveredMemory | None = None
    """What the program left in memory and the journal lacks; None: nothing, or the machine has restarted."""

    @property
    def at_last(self) -> Game | None:
        return None if self.history is None else self.history.game_at(self.last.at)

    @property
    def clock_ran(self) -> bool:
        game = self.at_last
        return game is not None and (game.running is not None or game.phase is Phase.LATE)

    @property
    def could_run(self) -> bool:
        """Whether a press after the last instant could count: the game is under way, and no earlier recovery waits for confirmation."""
        game = self.at_last
        # The game's time stands still until confirmation, so the last instant is then the recovery's own.
        waits = self.unconfirmed is not None and self.unconfirmed.row.at == self.last.at
        return game is not None and game.phase not in (Phase.READY, Phase.OVER) and not waits

    def uncertain_ns(self, start: GameStamp) -> int:
        """Return how much of a player's time (ns) may be missing, for a program that started at ``start``.

        Before the game's first press: nothing. A recovered game that is ready to begin shows the players that a press is missing. With the
        program's memory: the time from ``last`` to the program's end. Without: the interval of two marks plus the promised delay; if all
        clocks stood, only the delay, because the press that started one may lie in it.
        """
        if self.switched_off or not self.could_run:
            return 0
        same_boot = start.boot == self.last.boot
        if same_boot and self.memory is not None:
            end = self.memory.end
            if end is not None and end.at == self.last.mono:
                return 0
            return max(0, (start.mono if end is None else end.noticed) - self.last.mono)
        most = self.promise_ns + (MARK_EVERY_NS if self.clock_ran else 0)
        return min(most, max(0, start.mono - self.last.mono)) if same_boot else most


def recover(path: Path, rulebooks: Rulebooks, memory: RecoveredMemory | None = None) -> Recovered | None:
    """Return the last game of the journal at ``path``, over or not; None where there is none.

    ``memory`` is what the previous program left in this boot. Raises RecordError: the journal cannot be read (``open_journal`` has reported
    why, or renamed it).
    """
    try:
        with reading(path) as connection:
            first = last_game_begins(connection)
            rows = () if first is None else tuple(rows_from(connection, first))
            mark = read_mark(connection)
            not_in_journal = None if memory is None else memory.not_in_journal(connection)
    except NoRecord:
        return None if memory is None else recover_memory(memory, rulebooks)
    rows = with_batches(rows, () if not_in_journal is None else not_in_journal.batches)
    return recover_rows(rows, mark, rulebooks, not_in_journal) if rows else None


def earlier_games(path: Path, game: int, rulebooks: Rulebooks) -> Iterator[Game]:
    try:
        with reading(path) as connection:
            following = None
            while first := last_game_begins(connection, MAX_SEQ if following is None else following.seq):
                rows = tuple(islice(rows_from(connection, first), None if following is None else following.seq - first))
                history = fold(rows, rulebooks).history if rows[0].row.game < game else None
                if history is not None:
                    yield history.game_at((following or rows[-1]).row.at)
                following = rows[0]
    except RecordError:
        return


def recover_memory(memory: RecoveredMemory, rulebooks: Rulebooks) -> Recovered | None:
    """Return the last game of a program that never opened its journal, if there is still no journal; None if there is no game."""
    if memory.whole_game() is None:
        return None
    memory = memory.with_undecided()
    return recover_rows(with_batches((), memory.batches), None, rulebooks, memory)


def journal_end(path: Path) -> Anchor | None:
    try:
        with reading(path) as connection:
            found = last_of(connection)
    except RecordError:
        return None
    return START if found is None else Anchor(*found)


def recover_rows(
    rows: tuple[ChainLink[Row], ...], mark: Mark | None, rulebooks: Rulebooks, memory: RecoveredMemory | None = None
) -> Recovered:
    """Return the game that begins with the first of ``rows``; they reach to the end of the journal and of ``memory``."""
    game = rows[0].row.game
    folded = fold(rows, rulebooks)
    own_mark = mark if mark is not None and mark.game == game else None
    recovered = Recovered(
        game,
        folded.history,
        _last_recorded(rows, own_mark, memory),
        MIN_NS if mark is None else mark.commit_ns,
        folded.refused,
        _unconfirmed(rows),
        # The signature of the stop comes after it.
        next(stored.row.kind for stored in reversed(rows) if stored.row.kind not in (Kind.BOOT, Kind.SIGNED)) == Kind.STOPPED,
        memory=memory,
    )
    return replace(recovered, last=_last_known(recovered))


def with_batches(rows: tuple[ChainLink[Row], ...], batches: Batches) -> tuple[ChainLink[Row], ...]:
    for put in batches:
        seq = rows[-1].seq if rows else 0
        fresh = tuple(ChainLink(number, row, "") for number, row in enumerate(put, seq + 1))
        rows = fresh if begins_game(put) else (*rows, *fresh)
    # Rows before the first game belong to no game.
    return rows if any(stored.row.kind == Kind.EVENT for stored in rows) else ()


def _last_known(recovered: Recovered) -> GameStamp:
    """Return the instant up to which time is known: the program's end, if known and if the program served the players until then."""
    memory, last = recovered.memory, recovered.last
    waits = recovered.unconfirmed is not None and recovered.unconfirmed.row.at == last.at
    if memory is None or memory.end is None or memory.beat is None or waits or recovered.switched_off:
        return last
    end = memory.end.at
    if end is None or end < last.mono or last.boot != memory.beat.stamp.boot or not memory.beat.served_until(end, last.mono):
        return last
    return GameStamp(last.at + end - last.mono, end, last.boot, _later(last.wall, end - last.mono))


def _later(wall: str, ns: int) -> str:
    try:
        return (datetime.fromisoformat(wall) + timedelta(microseconds=ns // 1000)).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        return wall


def _last_recorded(rows: tuple[ChainLink[Row], ...], mark: Mark | None, memory: RecoveredMemory | None) -> GameStamp:
    # The mark first: an earlier recovery's rows at the same instant carry that recovery's wall time.
    stamps = [mark.stamp] if mark is not None and mark.stamp.boot else []
    # BOOT rows do not count: a program stamps its start before it knows the game's timeline.
    stamps += (
        GameStamp(stored.row.at, stored.row.mono, stored.row.boot, stored.row.wall) for stored in rows if stored.row.kind != Kind.BOOT
    )
    if memory is not None and memory.beat is not None and memory.beat.game == rows[0].row.game:
        stamps.append(memory.beat.stamp)
    return max(stamps, key=lambda stamp: stamp.at)


def _unconfirmed(rows: tuple[ChainLink[Row], ...]) -> ChainLink[Row] | None:
    recoveries = [stored for stored in rows if stored.row.kind in (Kind.RECOVERED, Kind.CONFIRMED)]
    return recoveries[-1] if recoveries and recoveries[-1].row.kind == Kind.RECOVERED else None


WRONG_CODES: Final = "wrong_codes"


def wrong_codes(path: Path, unwritten: Iterable[Iterable[Row]] = ()) -> int:
    """Return the count in the journal at ``path``, or in the rows that are still to be written to it; 0 where there is none that can be read."""
    count = next((body.get(WRONG_CODES) for _, body in last_bodies(path, unwritten, Kind.DOOR, 1)), 0)
    return count if isinstance(count, int) else 0
