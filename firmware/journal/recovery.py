"""After an interruption: the last game, how far its time is known, and how much may be missing.

- **The machine's power was cut**: all that is known is on the disk. Missing is at most the time between two marks and the delay that the last one promised
  (``lateness``).
- **The program alone crashed**: its memory (``memory``) is there. Rows that were not on the disk are taken from it, and time is known up to the instant at which
  the kernel had ended the program: the running player is charged up to then, and nothing is missing. Where that instant is not known, or the program served
  nobody before it (it hung), the player is charged up to the last sign of life only, and the rest is what may be missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from appliance.records.rows import last_of
from firmware.core.event_json import Rulebooks
from firmware.core.game import Game, Phase
from firmware.core.record import Record
from firmware.journal.errors import JournalError, NoJournal
from firmware.journal.fold import Unfit, fold
from firmware.journal.lateness import LEAST_NS, MARK_EVERY_NS
from firmware.journal.memory import START, Anchor, Puts, Remembered, begins_game
from firmware.journal.reading import Mark, last_game_begins, read_mark, reading, rows_from
from firmware.journal.row import Kind, Stamp, StoredRow


@dataclass(frozen=True, slots=True)
class Recovered:
    """The last game of a journal, as far as it is known."""

    game: int
    """Its running number."""
    record: Record | None
    """None: its beginning could not be read; ``refused`` says why."""
    last: Stamp
    """The last instant that is known."""
    promise_ns: int
    """By how much the next durable mark may have been late."""
    refused: tuple[Unfit, ...]
    """Rows that did not fit the game when it was folded again."""
    unconfirmed: StoredRow | None
    """An earlier recovery of this game that the director has not confirmed yet."""
    switched_off: bool = False
    """The program ended in order: there was no time after ``last``."""
    memory: Remembered | None = None
    """What the program left in memory, and is not in the journal; None: nothing, or the machine was started since."""

    @property
    def last_at(self) -> int:
        """The last instant of the timeline that is known, in ns."""
        return self.last.at

    @property
    def boot(self) -> str:
        """The boot the last instant belongs to."""
        return self.last.boot

    @property
    def at_last(self) -> Game | None:
        """The game at the last instant."""
        return None if self.record is None else self.record.game_at(self.last.at)

    @property
    def clock_ran(self) -> bool:
        """Whether time was being counted at the last instant."""
        game = self.at_last
        return game is not None and (game.running is not None or game.phase is Phase.LATE)

    @property
    def could_run(self) -> bool:
        """Whether a press can have counted after the last instant: the game was under way, and not waiting for the director to confirm an earlier recovery."""
        game = self.at_last
        # While the times wait to be confirmed the game's time stands still, so the last instant is the recovery's own.
        waits = self.unconfirmed is not None and self.unconfirmed.row.at == self.last.at
        return game is not None and game.phase not in (Phase.READY, Phase.OVER) and not waits

    def uncertain_ns(self, start: Stamp) -> int:
        """Return how much of somebody's time (ns) may be missing, for a program that started at ``start``.

        Before the game's first press nothing is: a game that comes back ready to be begun tells its players itself that a press is missing. With what the program
        left in memory, it is the time from ``last`` to the program's end. Without, it is the time between two marks and the promised delay; where all clocks stood
        the delay, for the press that set one going may have been in it.
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


def recover(path: Path, rulebooks: Rulebooks, memory: Remembered | None = None) -> Recovered | None:
    """Return the last game of the journal at ``path``, over or not; None where there is none.

    Args:
        path: the journal.
        rulebooks: loads a rulebook by its name.
        memory: what the program before has left in memory, of this boot.

    Raises:
        JournalError: the journal cannot be read (``open_journal`` has said why, or set it aside).
    """
    try:
        with reading(path) as connection:
            first = last_game_begins(connection)
            rows = () if first is None else tuple(rows_from(connection, first))
            mark = read_mark(connection)
            beyond = None if memory is None else memory.beyond(connection)
    except NoJournal:
        return None if memory is None else recover_memory(memory, rulebooks)
    rows = with_puts(rows, () if beyond is None else beyond.puts)
    return recover_rows(rows, mark, rulebooks, beyond) if rows else None


def recover_memory(memory: Remembered, rulebooks: Rulebooks) -> Recovered | None:
    """Return the last game of a program that never had its journal open, where the next one has not either; None where there is none."""
    return None if memory.whole_game() is None else recover_rows(with_puts((), memory.puts), None, rulebooks, memory)


def journal_end(path: Path) -> Anchor | None:
    """Return where the journal at ``path`` ends; None: it cannot be read."""
    try:
        with reading(path) as connection:
            found = last_of(connection)
    except JournalError:
        return None
    return START if found is None else Anchor(*found)


def recover_rows(rows: tuple[StoredRow, ...], mark: Mark | None, rulebooks: Rulebooks, memory: Remembered | None = None) -> Recovered:
    """Return the game that begins with the first of ``rows``, which are all up to the end of the journal, and of ``memory``."""
    game = rows[0].row.game
    folded = fold(rows, rulebooks)
    own_mark = mark if mark is not None and mark.game == game else None
    recovered = Recovered(
        game,
        folded.record,
        _last(rows, own_mark, memory),
        LEAST_NS if mark is None else mark.commit_ns,
        folded.refused,
        _unconfirmed(rows),
        next(kept.row.kind for kept in reversed(rows) if kept.row.kind != Kind.BOOT) == Kind.STOPPED,
        memory=memory,
    )
    return replace(recovered, last=_ended(recovered))


def with_puts(rows: tuple[StoredRow, ...], puts: Puts) -> tuple[StoredRow, ...]:
    """Return the rows of the last game: ``rows`` as they are in the journal, and ``puts``, which are to follow."""
    for put in puts:
        seq = rows[-1].seq if rows else 0
        fresh = tuple(StoredRow(number, row, "") for number, row in enumerate(put, seq + 1))
        rows = fresh if begins_game(put) else (*rows, *fresh)
    # What came before the first game belongs to none.
    return rows if any(kept.row.kind == Kind.EVENT for kept in rows) else ()


def _ended(recovered: Recovered) -> Stamp:
    """Return the instant up to which time is known: the program's end, where that is known and the program served the players until then."""
    memory, last = recovered.memory, recovered.last
    waits = recovered.unconfirmed is not None and recovered.unconfirmed.row.at == last.at
    if memory is None or memory.end is None or memory.beat is None or waits or recovered.switched_off:
        return last
    end = memory.end.at
    if end is None or end < last.mono or last.boot != memory.beat.stamp.boot or not memory.beat.served_until(end, last.mono):
        return last
    return Stamp(last.at + end - last.mono, end, last.boot, _later(last.wall, end - last.mono))


def _later(wall: str, ns: int) -> str:
    try:
        return (datetime.fromisoformat(wall) + timedelta(microseconds=ns // 1000)).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        return wall


def _last(rows: tuple[StoredRow, ...], mark: Mark | None, memory: Remembered | None) -> Stamp:
    # The mark first: rows that an earlier recovery put at the same instant have that recovery's wall time.
    stamps = [mark.stamp] if mark is not None and mark.stamp.boot else []
    # A program's start is stamped before it knows the game's timeline.
    stamps += (Stamp(kept.row.at, kept.row.mono, kept.row.boot, kept.row.wall) for kept in rows if kept.row.kind != Kind.BOOT)
    if memory is not None and memory.beat is not None and memory.beat.game == rows[0].row.game:
        stamps.append(memory.beat.stamp)
    return max(stamps, key=lambda stamp: stamp.at)


def _unconfirmed(rows: tuple[StoredRow, ...]) -> StoredRow | None:
    said = [kept for kept in rows if kept.row.kind in (Kind.RECOVERED, Kind.CONFIRMED)]
    return said[-1] if said and said[-1].row.kind == Kind.RECOVERED else None
