"""After a power cut: the last game, how far its time is known, and how much may be missing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.core.duration import NS
from firmware.core.game import Game, Phase
from firmware.core.record import Record
from firmware.core.wording import Rulebooks
from firmware.journal.errors import NoJournal
from firmware.journal.fold import Unfit, fold
from firmware.journal.reading import Mark, last_game_begins, read_mark, reading, rows_from
from firmware.journal.row import Kept, Kind, Stamp

MARK_EVERY_NS: Final = NS
"""While a clock runs, the shell sets the durable mark at least so often (ns)."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """The last game of a journal, as far as it is known."""

    game: int
    """Its running number."""
    record: Record | None
    """None: its beginning could not be read; ``refused`` says why."""
    last: Stamp
    """The last instant known to be on the disk."""
    commit_ns: int
    """How long the writer's last measured commit took."""
    refused: tuple[Unfit, ...]
    """Rows that did not fit the game when it was folded again."""
    unconfirmed: Kept | None
    """An earlier recovery of this game that the director has not confirmed yet."""
    switched_off: bool = False
    """The program ended in order: there was no time after ``last``."""

    @property
    def last_at(self) -> int:
        """The last instant of the timeline known to be on the disk, in ns."""
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

        The time between two marks and a commit at the most, if marks were getting through to the disk: where they were not, nothing here knows for how long.
        Where all clocks stood it is a commit, for the press that set one going may have been in it. Before the game's first press nothing is: a game that comes
        back ready to be begun tells its players itself that a press is missing.
        """
        if self.switched_off or not self.could_run:
            return 0
        most = self.commit_ns + (MARK_EVERY_NS if self.clock_ran else 0)
        return min(most, max(0, start.mono - self.last.mono)) if start.boot == self.last.boot else most


def recover(path: Path, rulebooks: Rulebooks) -> Recovered | None:
    """Return the last game of the journal at ``path``, over or not; None where there is none.

    Raises:
        JournalError: the journal cannot be read (``open_journal`` has said why, or set it aside).
    """
    try:
        with reading(path) as connection:
            first = last_game_begins(connection)
            rows = () if first is None else tuple(rows_from(connection, first))
            mark = read_mark(connection)
    except NoJournal:
        return None
    return recover_rows(rows, mark, rulebooks) if rows else None


def recover_rows(rows: tuple[Kept, ...], mark: Mark | None, rulebooks: Rulebooks) -> Recovered:
    """Return the game that begins with the first of ``rows``, which are all up to the journal's end."""
    game = rows[0].row.game
    folded = fold(rows, rulebooks)
    own_mark = mark if mark is not None and mark.game == game else None
    return Recovered(
        game,
        folded.record,
        _last(rows, own_mark),
        0 if mark is None else mark.commit_ns,
        folded.refused,
        _unconfirmed(rows),
        next(kept.row.kind for kept in reversed(rows) if kept.row.kind != Kind.BOOT) == Kind.STOPPED,
    )


def _last(rows: tuple[Kept, ...], mark: Mark | None) -> Stamp:
    # The mark first: rows that an earlier recovery put at the same instant have that recovery's wall time.
    stamps = [mark.stamp] if mark is not None and mark.stamp.boot else []
    # A program's start is stamped before it knows the game's timeline.
    stamps += (Stamp(kept.row.at, kept.row.mono, kept.row.boot, kept.row.wall) for kept in rows if kept.row.kind != Kind.BOOT)
    return max(stamps, key=lambda stamp: stamp.at)


def _unconfirmed(rows: tuple[Kept, ...]) -> Kept | None:
    said = [kept for kept in rows if kept.row.kind in (Kind.RECOVERED, Kind.CONFIRMED)]
    return said[-1] if said and said[-1].row.kind == Kind.RECOVERED else None
