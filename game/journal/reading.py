"""Reading a journal without changing it, even while the clock writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from appliance.records import reading as disk
from appliance.records.link import ChainLink
from game.event_json import require_edition
from game.event_values import Malformed
from game.journal.body import decode
from game.journal.errors import AnotherEdition, DamagedJournal, JournalError, NoJournal
from game.journal.row import GameStamp, Kind, Row
from game.journal.schema import JOURNAL

_COLUMNS: Final = "seq, kind, game, number, at, mono, boot, wall, body, hash"
MAX_SEQ: Final = 2**63 - 1
_REFUSALS: Final = disk.Refusals(NoJournal, DamagedJournal, JournalError)


@dataclass(frozen=True, slots=True)
class Mark:
    """The durable mark: how far time is known, and the last row written with or before it."""

    stamp: GameStamp
    game: int
    """The current game when the mark was set."""
    seq: int
    hash: str
    commit_ns: int
    """How late the next mark may be (``lateness``). Earlier versions stored the last commit's duration in this column."""
    seal: str


@contextmanager
def reading(path: Path, *, any_edition: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection to the journal at ``path``, in one consistent state.

    Args:
        path: the journal.
        any_edition: also one with games of another edition, for what is no event.

    Raises:
        NoJournal: the file does not exist.
        DamagedJournal: it is not a journal, or a damaged one.
        AnotherEdition: a game in it was recorded under another edition of the events.
        JournalError: it cannot be read now, or has another version.
    """
    with disk.reading(path, JOURNAL, _REFUSALS) as connection:
        other = None if any_edition else another_edition(connection)
        if other is not None:
            raise AnotherEdition(where=f"{path}: {other.where}", expected=other.expected, found=other.found)
        yield connection


def another_edition(connection: sqlite3.Connection) -> Malformed | None:
    """Return why the journal's first game of another edition is refused; None if all games are of this one, as far as they can be read."""
    for (body,) in connection.execute("SELECT body FROM rows WHERE kind = ? AND number = 1 ORDER BY seq", (Kind.EVENT.value,)):
        try:
            require_edition(decode(body))
        except Malformed as error:
            return error
        except (ValueError, RecursionError):
            # A damaged row, which the chain shows.
            continue
    return None


def rows_from(connection: sqlite3.Connection, first: int) -> Iterator[ChainLink[Row]]:
    """Yield the rows with ``seq`` from ``first`` up."""
    return map(_stored_row, connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE seq >= ? ORDER BY seq", (first,)))  # noqa: S608 - our own column names


def rows_of_game(connection: sqlite3.Connection, game: int) -> tuple[ChainLink[Row], ...]:
    """Return the rows of one game, oldest first."""
    found = connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE game = ? ORDER BY seq", (game,))  # noqa: S608 - our own column names
    return tuple(map(_stored_row, found))


def notes_since(connection: sqlite3.Connection, wall: str) -> Iterator[ChainLink[Row]]:
    """Yield the notes with wall time ``wall`` (UTC, ISO 8601) or later, oldest first."""
    found = connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE kind = ? AND wall >= ? ORDER BY seq", (Kind.NOTE.value, wall))  # noqa: S608 - our own column names
    return map(_stored_row, found)


def last_row_of(connection: sqlite3.Connection, kind: Kind) -> ChainLink[Row] | None:
    """Return the latest row of that kind, or None."""
    return next(iter(last_rows_of(connection, kind, 1)), None)


def last_rows_of(connection: sqlite3.Connection, kind: Kind, most: int) -> tuple[ChainLink[Row], ...]:
    """Return the latest rows of that kind, at most ``most``, newest first."""
    found = connection.execute(f"SELECT {_COLUMNS} FROM rows WHERE kind = ? ORDER BY seq DESC LIMIT ?", (kind.value, most))  # noqa: S608 - our own column names
    return tuple(map(_stored_row, found))


def games(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Return the numbers of the games that have events."""
    found = connection.execute("SELECT DISTINCT game FROM rows WHERE kind = ? ORDER BY game", (Kind.EVENT.value,))
    return tuple(number for (number,) in found)


def last_game_begins(connection: sqlite3.Connection, before: int = MAX_SEQ) -> int | None:
    """Return the ``seq`` of the first row of the last game that begins before the row ``before``, or None if there is no game.

    It searches by event number, not by game number: a damaged row then lengthens the checked part or lies in it, and is found either way.
    """
    asked = "SELECT max(seq) FROM rows WHERE kind = ? AND number = 1 AND seq < ?"
    (seq,) = connection.execute(asked, (Kind.EVENT.value, before)).fetchone()
    return None if seq is None else int(seq)


def read_mark(connection: sqlite3.Connection) -> Mark | None:
    """Return the durable mark, or None if its row is missing."""
    found = connection.execute("SELECT at, mono, boot, wall, game, seq, hash, commit_ns, seal FROM mark").fetchone()
    return None if found is None else Mark(GameStamp(*found[:4]), *found[4:])


def _stored_row(found: tuple[Any, ...]) -> ChainLink[Row]:
    return ChainLink(found[0], Row(*found[1:9]), found[9])
