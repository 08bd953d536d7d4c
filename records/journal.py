"""The rows of the journal as values, and the rows that record a change of a game.

This is the pure half of writing: ``rows_of`` compares two records, ``writer`` appends the rows. ``at`` is an instant of the game's timeline in
ns: CLOCK_MONOTONIC within a boot, continued from the last durable mark after an interruption.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from appliance.errors import RecordError
from appliance.records.chain import GENESIS, ChainLink
from appliance.records.rows import MAX_SEQ, MarkedEnd, RecordFile, last_of, stored
from appliance.records.sqlite import Schema, append_only
from game import events
from game.event_table import EVENTS, format_event, require_edition
from game.exact_json import Malformed, decode, encode
from game.history import History
from game.script import show_line
from game.table import Assignment
from rules.duration import format_seconds
from rules.side import BySide


class AnotherEdition(RecordError, ValueError):
    """The journal has a game that was recorded under another edition of the events, or under none."""


class NoSuchGame(RecordError, LookupError):
    """The journal has no game of that number."""


WITH_FACES: Final = tuple(spec.kind for spec in EVENTS if spec.shows_face)


class Kind(StrEnum):
    EVENT = "event"
    BOOT = "boot"
    STOPPED = "stopped"
    RECOVERED = "recovered"
    CONFIRMED = "confirmed"
    NOTE = "note"
    DOOR = "door"
    """A code was tried at the director's door."""
    SIGNED = "signed"
    PROPOSAL = "proposal"
    """A message of the hall was accepted or refused."""
    ASSIGNED = "assigned"
    """The desk has given table and names."""


class GameStamp(Struct, frozen=True, array_like=True):
    """One instant on all clocks: timeline and CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    at: int
    mono: int
    boot: str
    wall: str


class Row(Struct, frozen=True, array_like=True):
    """The content of a row, a field for each column; ``seq`` and hash are assigned on writing."""

    kind: str
    game: int
    number: int | None
    """The event's number, its place in the game from 1."""
    at: int
    mono: int
    boot: str
    wall: str
    body: str
    """A JSON object; an event's has the keys of a script line."""


def rows_of(old: History | None, new: History, game: int, stamp: GameStamp) -> tuple[Row, ...]:
    """Return the rows of the events that ``new`` has after ``old``, as one batch; all of them where ``old`` is None or another game's."""
    links = list(takewhile(lambda link: link is not old, new))[::-1]
    return tuple(_event_row(link, old, game, stamp) for link in links)


def row_of(kind: Kind, game: int, stamp: GameStamp, body: Mapping[str, Any], number: int | None = None) -> Row:
    """Return a row that is not an event's; ``body`` holds JSON values."""
    return Row(kind.value, game, number, stamp.at, stamp.mono, stamp.boot, stamp.wall, encode(body))


def _event_row(link: History, old: History | None, game: int, stamp: GameStamp) -> Row:
    fields = format_event(link.event, link.given_by)
    if isinstance(link.event, events.NewGame | events.ChangeRulebook) and link.event.rulebook.text is not None:
        fields["rulebook_text"] = link.event.rulebook.text
    body = encode(fields, _faces(link, old))
    # The instant of the edge, not of writing.
    mono = stamp.mono - (stamp.at - link.at)
    return Row(Kind.EVENT.value, game, link.number, link.at, mono, stamp.boot, stamp.wall, body)


def _faces(link: History, old: History | None) -> dict[str, str]:
    """Return the face before and after one of ``WITH_FACES``, as JSON; before a new game, that of the game ``old``."""
    if not isinstance(link.event, WITH_FACES):
        return {}
    before = link.before or old
    faces = {} if before is None else {"before": _shown_at(before, link.at)}
    return {**faces, "after": _shown_at(link, link.at)}


def _shown_at(history: History, at: int) -> str:
    return show_line(history.game_at(at), at, format_seconds(at - history.first.at))


NEVER: Final = GameStamp(0, 0, "", "")
"""The stamp of a mark that was never set."""

_TABLES: Final = (
    """CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, game INTEGER NOT NULL, number INTEGER, at INTEGER NOT NULL, mono INTEGER NOT NULL,
    boot TEXT NOT NULL, wall TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
) STRICT""",
    """CREATE TABLE mark (
    id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL, mono INTEGER NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
    game INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, commit_ns INTEGER NOT NULL, seal TEXT NOT NULL
) STRICT""",
    *append_only("the journal"),
)


class Mark(MarkedEnd, frozen=True):
    """The durable mark: how far time is known besides, by the fields of ``GameStamp``."""

    at: int = NEVER.at
    mono: int = NEVER.mono
    boot: str = NEVER.boot
    wall: str = NEVER.wall
    game: int = 0
    commit_ns: int = 0
    """How late the next mark may be (``worst_after`` of the clock's journal)."""

    @property
    def stamp(self) -> GameStamp:
        return GameStamp(self.at, self.mono, self.boot, self.wall)

    @property
    def sealed(self) -> list[object]:
        return [*astuple(self.stamp), self.game, self.seq, self.commit_ns]


def _another_edition(connection: sqlite3.Connection) -> AnotherEdition | None:
    """Return why the journal is refused: the first game of it that can be read is of another edition. The clock writes all games of a file in one edition."""
    for (body,) in connection.execute("SELECT body FROM rows WHERE kind = ? AND number = 1 ORDER BY seq", (Kind.EVENT.value,)):
        try:
            fields = decode(body)
        except Malformed:
            # A damaged row, which the chain shows.
            continue
        try:
            require_edition(fields)
        except Malformed as error:
            return AnotherEdition(where=error.where, expected=error.expected, found=error.found)
        return None
    return None


def rows_of_game(connection: sqlite3.Connection, game: int) -> tuple[ChainLink[Row], ...]:
    """Return the rows of a game, found by halving: numbers of games never fall from one row to the next."""
    last, _ = last_of(connection) or (0, GENESIS)
    first = bisect_left(range(last), game, key=lambda row: _game_from(connection, row + 1)) + 1
    return tuple(takewhile(lambda link: link.row.game == game, rows_from(connection, first)))


def _game_from(connection: sqlite3.Connection, first: int) -> int:
    (game,) = connection.execute("SELECT game FROM rows WHERE seq >= ? ORDER BY seq LIMIT 1", (first,)).fetchone()
    return int(game)


def last_game(connection: sqlite3.Connection) -> int:
    """Return the number of the game that the last row belongs to; 0: there is none."""
    last, _ = last_of(connection) or (0, GENESIS)
    return _game_from(connection, last) if last else 0


def notes_since(connection: sqlite3.Connection, wall: str) -> Iterator[ChainLink[Row]]:
    """Yield the notes with wall time ``wall`` (UTC, ISO 8601) or later, oldest first."""
    return stored(connection, Row, "WHERE kind = ? AND wall >= ? ORDER BY seq", Kind.NOTE.value, wall)


def games(connection: sqlite3.Connection) -> Iterator[tuple[ChainLink[Row], ...]]:
    """Yield the rows of each game, in order, oldest first: one pass through the file."""
    for _, rows in groupby(stored(connection, Row, "WHERE game > 0 ORDER BY seq"), key=lambda link: link.row.game):
        found = tuple(rows)
        if any(link.row.kind == Kind.EVENT for link in found):
            yield found


def game_numbers(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the numbers of the first and the last game; 0 and 0: there is none."""
    first, last = connection.execute("SELECT min(game), max(game) FROM rows WHERE kind = ?", (Kind.EVENT.value,)).fetchone()
    return int(first or 0), int(last or 0)


def last_game_begins(connection: sqlite3.Connection, before: int = MAX_SEQ) -> int | None:
    """Return the ``seq`` of the first row of the last game that begins before the row ``before``, or None if there is no game.

    It searches by event number, not by game number: a damaged row then lengthens the checked part or lies in it, and is found either way.
    """
    asked = "SELECT max(seq) FROM rows WHERE kind = ? AND number = 1 AND seq < ?"
    (seq,) = connection.execute(asked, (Kind.EVENT.value, before)).fetchone()
    return None if seq is None else int(seq)


JOURNAL: Final = RecordFile(
    Schema("a journal", application_id=0x54434C4B, version=1, tables=_TABLES),
    Row,
    Mark,
    program="the clock",
    command="tileclock journal",
    checked_from=lambda connection: last_game_begins(connection) or 1,
    refusal=_another_edition,
)
"""Its application id is ``TCLK``. One is refused where a game in it was recorded under another edition of the events."""
reading, rows_from, read_mark, verify = JOURNAL.reading, JOURNAL.rows_from, JOURNAL.read_mark, JOURNAL.verify


ID: Final = "id"
ACCEPTED: Final = "accepted"
STOP: Final = "stop"
SETUP: Final = "setup"
CLEAR: Final = "clear"
AcceptedMessage: TypeAlias = tuple[int, Mapping[str, Any]]
"""The game's instant (ns), and the body of its row."""


def last_assigned(path: Path, unwritten: Iterable[Iterable[Row]] = ()) -> Mapping[str, Any] | None:
    """Return the body of the last assignment in the journal at ``path``, or in the rows still to be written to it; None: there is none that can be read."""
    return next((body for _, body in last_bodies(path, unwritten, Kind.ASSIGNED, 1)), None)


def assigned_body(place: Assignment) -> dict[str, object]:
    return {"table": place.table, "left": place.names.left, "right": place.names.right, "lexicon": place.lexicon}


def place_of(body: object, otherwise: Assignment) -> Assignment:
    """Return the assignment that the journal has kept in ``body``; ``otherwise`` where it is none."""
    if not isinstance(body, dict):
        return otherwise
    table, lexicon = body.get("table"), body.get("lexicon")
    names = BySide(str(body.get("left", "")), str(body.get("right", "")))
    return Assignment(table if isinstance(table, int) else None, names, lexicon if isinstance(lexicon, str) else None)


def accepted_in(path: Path, game: int, most: int) -> tuple[AcceptedMessage, ...]:
    """Return the messages that the clock accepted in that game, oldest first, of the last ``most``; none where they cannot be read."""
    found = reversed(last_bodies(path, (), Kind.PROPOSAL, most))
    return tuple((row.at, body) for row, body in found if row.game == game and body.get("answer") == ACCEPTED)


def stop_asked_at(messages: Iterable[AcceptedMessage]) -> int | None:
    """Return the game's instant (ns) of the request to stop that stands, or stood last.

    A request that is repeated before it is cleared keeps its first instant.
    """
    found, stands = None, False
    for at, body in messages:
        if body.get("what") in (STOP, CLEAR):
            found = at if body["what"] == STOP and not stands else found
            stands = body["what"] == STOP
    return found


def last_set_up(messages: Iterable[AcceptedMessage]) -> object:
    return next((body.get(SETUP) for _, body in reversed(tuple(messages)) if body.get("what") == SETUP), None)


REMEMBERED_ROWS: Final = 10_000
"""How far back a start looks for its place and for wrong codes, some 200 games: to read those of years would delay it."""


def last_bodies(path: Path, unwritten: Iterable[Iterable[Row]], kind: Kind, most: int) -> list[tuple[Row, dict[str, Any]]]:
    """Return the rows of that kind among the last ``REMEMBERED_ROWS``, newest first, each with its body; none where they cannot be read.

    Those ``unwritten`` follow the journal's.
    """
    found = [row for rows in unwritten for row in rows if row.kind == kind][::-1]
    with suppress(RecordError), reading(path, refused=True) as connection:
        last, _ = last_of(connection) or (0, GENESIS)
        asked = "WHERE seq > ? AND kind = ? ORDER BY seq DESC LIMIT ?"
        found += [link.row for link in stored(connection, Row, asked, last - REMEMBERED_ROWS, kind.value, most)]
    with suppress(ValueError):
        return [(row, decode(row.body)) for row in found[:most]]
    return []
