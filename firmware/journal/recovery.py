"""After an interruption: the last game, how far its time is known, and how much may be missing.

- **After a power cut**, the disk is the only source. The missing time is at most the interval of two marks plus the delay promised by the
  last one (``store``).
- **After a crash of the program alone**, its memory (``memory``) remains. It supplies the rows that were not on the disk and the instant at
  which the kernel ended the program: the running player is charged up to then, and nothing is missing. If that instant is unknown, or the
  program hung before it, the player is charged only up to the last sign of life, and the rest may be missing.

The journal also remembers the wrong codes tried at the director's door, so that the waiting survives a restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import NoRecord, RecordError
from appliance.records.chain import ChainLink
from appliance.records.rows import MAX_SEQ, last_of
from firmware.journal.memory import START, Anchor, Batches, RecoveredMemory, begins_game
from firmware.journal.store import MARK_EVERY_NS, MIN_NS
from game.event_table import Rulebooks
from game.game import Game, Phase
from game.history import History
from records.games import RejectedRow, fold
from records.journal import GameStamp, Kind, Mark, Row, last_bodies, last_game_begins, read_mark, reading, rows_from


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
    def last_at(self) -> int:
        return self.last.at

    @property
    def boot(self) -> str:
        return self.last.boot

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
