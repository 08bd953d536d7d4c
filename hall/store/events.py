"""The event in the hall's store: who plays whom at which table, which round is played, what the clocks have measured of its games, and their results.

Results are only added, numbered from 1, each once by its key: a clock's row, or the id of a director's form. What comes again, after an outage, a restart or a
second press, adds nothing. What cannot be read or written raises ``RecordError``; then nothing has changed. In PostgreSQL also the public board: the desk writes it,
workers read it. A folder may follow the store: results are written into it for another program (``hall.results.folder``), by the desk or by command.
"""

import dataclasses
import functools
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import msgspec.json
import sqlalchemy as sa
from msgspec import Struct, field
from msgspec.structs import replace

from appliance.clocks import wall_time
from appliance.errors import RecordError
from faults.errors import Phrase, TileclockError
from faults.validation import prepare
from hall.errors import ResultsError
from hall.event.model import Event
from hall.results.book import KeptRow, NumberedRow, ResultBook, applied, book_of, imported
from hall.results.folder import About, write_results
from hall.results.standings import NO_CAPS, Caps
from hall.store.database import (
    BOARD,
    DOCUMENTS,
    FAULTS,
    GAME_RESULTS,
    NAMESPACE,
    StorePlace,
    described,
    named,
    transaction,
    writing,
)
from hall.store.store import reading_connection


def keep_game_results(place: StorePlace, hall: str, rows: Mapping[str, KeptRow]) -> int:
    """Add the rows (by key) whose key is new, in one transaction; return how many were, on the disk."""
    with writing(place) as connection:
        return _add_results(connection, hall, rows)


def _add_results(connection: sa.Connection, hall: str, rows: Mapping[str, KeptRow]) -> int:
    if connection.dialect.name == "postgresql":
        # SQLite's transaction has the file to itself.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(f"{NAMESPACE} results {hall}", 0))))
    known = _known(connection, hall, rows)
    last = connection.scalar(sa.select(sa.func.max(GAME_RESULTS.c.n)).where(GAME_RESULTS.c.hall == hall)) or 0
    new = ((key, msgspec.json.encode(row).decode()) for key, row in rows.items() if key not in known)
    lines = [{"hall": hall, "n": n, "key": key, "content": content} for n, (key, content) in enumerate(new, last + 1)]
    if lines:
        connection.execute(sa.insert(GAME_RESULTS), lines)
    return len(lines)


def known_keys(place: StorePlace, hall: str, keys: Iterable[str]) -> set[str]:
    with reading_connection(place) as connection:
        return _known(connection, hall, keys)


def _known(connection: sa.Connection, hall: str, keys: Iterable[str]) -> set[str]:
    return set(connection.scalars(sa.select(GAME_RESULTS.c.key).where(GAME_RESULTS.c.hall == hall, GAME_RESULTS.c.key.in_(list(keys)))))


def kept_game_results(place: StorePlace, hall: str, after: int = 0) -> list[NumberedRow]:
    with reading_connection(place) as connection:
        return _results(connection, hall, after)


def _results(connection: sa.Connection, hall: str, after: int = 0) -> list[NumberedRow]:
    query = sa.select(GAME_RESULTS.c.n, GAME_RESULTS.c.key, GAME_RESULTS.c.content).order_by(GAME_RESULTS.c.n)
    found = connection.execute(query.where(GAME_RESULTS.c.hall == hall, GAME_RESULTS.c.n > after))
    return [(n, key, msgspec.json.decode(content, type=KeptRow)) for n, key, content in found]


def set_overlay(place: StorePlace, hall: str, slot: str, table: int | None) -> None:
    with writing(place) as connection:
        before = _read(connection, hall)
        overlays = {each: shown for each, shown in sorted({**before.overlays, slot: table}.items()) if shown is not None}
        _write(connection, hall, replace(before, overlays=overlays, changes=before.changes + 1))


class StoredEvent(Struct, frozen=True):
    event: Event = Event()
    round: int = 0
    changes: int = 0
    """Grows with each writing."""
    overlays: Mapping[str, int] = {}


def make_store(place: StorePlace) -> None:
    with writing(place):
        pass


def read_stored(place: StorePlace, hall: str) -> StoredEvent:
    with reading_connection(place) as connection:
        return _read(connection, hall)


def changes_of(place: StorePlace, hall: str) -> int:
    with reading_connection(place) as connection:
        return connection.scalar(sa.select(DOCUMENTS.c.changes).where(*_is_event(hall))) or 0


def write_event(place: StorePlace, hall: str, event: Event, *, anew: bool = False, who: str = "") -> int:
    """Replace the event of a hall in one transaction; return the round that is played: the first one without all its scores.

    Scores become results, which stay when a later import has none. Unless the event begins ``anew``, no import leads back from a round that a director has chosen: pairings often come without scores.
    """
    with writing(place) as connection:
        before = _read(connection, hall)
        change = before.changes + 1
        # The other desks know it by its key, also where this file is a new one.
        first = {f"anew {change} {wall_time()}": KeptRow(anew=True, who=who)} if anew else {}
        book = ResultBook() if anew else book_of(_results(connection, hall))
        _add_results(connection, hall, first | imported(event, book, change))
        number = _round_after(before, event, anew=anew)
        _write(connection, hall, StoredEvent(dataclasses.replace(event, passed=()), number, change, before.overlays))
        return number


def set_round(place: StorePlace, hall: str, number: int) -> int:
    """Note which round is played; return which was before (0: none)."""
    with writing(place) as connection:
        before = _read(connection, hall)
        _write(connection, hall, replace(before, round=number, changes=before.changes + 1))
        return before.round


def _round_after(before: StoredEvent, event: Event, *, anew: bool) -> int:
    old = Event() if anew or not event.round(before.round) else before.event
    if number := _first_open(event):
        return max(number, before.round if old.pairings and before.round != round_of(old) else 0)
    return max(round_of(event, old), before.round if old.pairings else 0)


def round_of(event: Event, old: Event | None = None) -> int:
    """Return the round of an event, if no more is known of it: the first open one, or the last that each division with news has."""
    last: dict[str, int] = {}
    for each in event.pairings:
        last[each.division] = max(each.round, last.get(each.division, 0))
    news = {each.division for each in set(event.pairings) - set(old.pairings if old else ())} or last
    return _first_open(event) or min((last[each] for each in news), default=0)


def _first_open(event: Event) -> int:
    return min((each.round for each in event.pairings if not each.is_scored), default=0)


_EVENT: Final = "event"


def _is_event(hall: str) -> tuple[sa.ColumnElement[bool], ...]:
    return DOCUMENTS.c.hall == hall, DOCUMENTS.c.name == _EVENT


def _read(connection: sa.Connection, hall: str) -> StoredEvent:
    found = connection.scalar(sa.select(DOCUMENTS.c.content).where(*_is_event(hall)))
    return StoredEvent() if found is None else msgspec.json.decode(found, type=StoredEvent)


def _write(connection: sa.Connection, hall: str, stored: StoredEvent) -> None:
    connection.execute(sa.delete(DOCUMENTS).where(*_is_event(hall)))
    line = {"hall": hall, "name": _EVENT, "changes": stored.changes, "content": msgspec.json.encode(stored).decode()}
    connection.execute(sa.insert(DOCUMENTS), [line])


def keep_measures(place: StorePlace, hall: str, number: int, measures: Mapping[int, str]) -> None:
    """Keep what clocks have measured of round ``number``: JSON by table; those of the same table are replaced."""
    lines = [{"hall": hall, "name": f"{_measures(number)}{table}", "changes": 0, "content": content} for table, content in measures.items()]
    with writing(place) as connection:
        connection.execute(sa.delete(DOCUMENTS).where(DOCUMENTS.c.hall == hall, DOCUMENTS.c.name.in_([each["name"] for each in lines])))
        connection.execute(sa.insert(DOCUMENTS), lines)


def kept_measures(place: StorePlace, hall: str, number: int) -> dict[int, str]:
    prefix, query = _measures(number), sa.select(DOCUMENTS.c.name, DOCUMENTS.c.content).where(DOCUMENTS.c.hall == hall)
    with reading_connection(place) as connection:
        return {
            int(name.removeprefix(prefix)): content
            for name, content in connection.execute(query.where(DOCUMENTS.c.name.startswith(prefix)))
        }


def _measures(number: int) -> str:
    return f"measures {number} "


_HEADING: Final = ""


class BoardHeading(Struct, frozen=True):
    run: str = ""
    """Names the run of the desk: instants of another one mean nothing."""
    change: int = 0
    """Grows with each writing that has tiles."""
    now: int = 0
    """When the desk wrote it, in ns of its CLOCK_MONOTONIC."""
    round: int = 0
    overlays: Mapping[str, int] = field(default_factory=dict[str, int])
    timer: Mapping[str, Any] | None = None
    standings: int = 0
    """Grows with each change of the event or its results, which workers then read."""
    caps: Caps = NO_CAPS


prepare(BoardHeading, KeptRow, StoredEvent)


def hall_of_board(place: StorePlace) -> str:
    """Return the one hall whose board is there; raises ``RecordError`` if there are none or several."""
    with reading_connection(place) as connection:
        halls = list(connection.scalars(sa.select(BOARD.c.hall).where(BOARD.c.id == _HEADING).order_by(BOARD.c.hall)))
    if len(halls) != 1:
        found = f"those of {', '.join(halls)}" if halls else "none"
        raise RecordError(where=named(place), expected="the board of one hall", found=found, remedy="Name the hall with --hall")
    return str(halls[0])


def write_board(connection: sa.Connection, hall: str, heading: BoardHeading, tiles: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a heading and the tiles that have changed, by id. Tiles of another run go away."""
    same = {"hall": hall, "run": heading.run, "change": heading.change}
    lines = [{**same, "id": name, "content": msgspec.json.encode(each).decode()} for name, each in {**tiles, _HEADING: heading}.items()]
    with transaction(connection):
        # Newer tiles follow at once; after a power cut the desk writes all of them again.
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
        connection.execute(sa.delete(BOARD).where(BOARD.c.hall == hall, BOARD.c.run != heading.run))
        connection.execute(_upsert(), lines)


def read_heading(connection: sa.Connection, hall: str) -> BoardHeading | None:
    query = sa.select(BOARD.c.run, BOARD.c.change, BOARD.c.content).where(BOARD.c.hall == hall, BOARD.c.id == _HEADING)
    found = connection.execute(query).first()
    return None if found is None else msgspec.convert({"run": found.run, "change": found.change, **json.loads(found.content)}, BoardHeading)


def read_tiles(connection: sa.Connection, hall: str, run: str, after: int) -> dict[str, dict[str, Any]]:
    """Return the tiles of a run of the desk that were written after change ``after``, by id."""
    query = sa.select(BOARD.c.id, BOARD.c.content).where(
        BOARD.c.hall == hall, BOARD.c.id != _HEADING, BOARD.c.run == run, BOARD.c.change > after
    )
    return {name: json.loads(content) for name, content in connection.execute(query)}


@functools.cache
def _upsert() -> sa.Executable:
    # A desk whose rows go to a file writes no board.
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    insert = postgresql.insert(BOARD)
    return insert.on_conflict_do_update(
        index_elements=["hall", "id"], set_={name: insert.excluded[name] for name in ("run", "change", "content")}
    )


class ResultsFolder:
    """Writes a hall's results into a folder whenever they change; of one thread. Others may read how it stands."""

    def __init__(self, place: StorePlace, hall: str, folder: Path, kind: str, about: About) -> None:
        self.folder, self.kind = folder, kind
        self.written_at = ""
        """When the folder last got the results as they stand, as wall time; empty: not yet."""
        self.said: list[Phrase] = []
        """What was written then, and what is left to do at the other program, in sentences."""
        self.trouble = Phrase("")
        """Why nothing can be written now; empty: it is written."""
        self.writes: Callable[[], bool] = lambda: True
        """Whether this program is the one that writes now; of several desks it is the one that gives the orders."""
        self._place, self._hall, self._about = place, hall, about
        self._seen: tuple[int, int] | None = None
        """The changes of the event and the row of results that are written."""
        self._end = threading.Event()

    def stop(self) -> None:
        """May be called from any thread."""
        self._end.set()

    def run(self, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
        """Write until ``stop``; ``say`` gets what ``look`` returns, ``warn`` a trouble, once."""
        while True:
            trouble = Phrase("")
            try:
                for each in self.look():
                    say(each)
            except (TileclockError, *FAULTS) as error:
                trouble = error.sentences if isinstance(error, TileclockError) else described(error).sentences
                if trouble != self.trouble:
                    warn(trouble)
            self.trouble = trouble
            if self._end.wait(2.0):
                return

    def look(self) -> list[Phrase]:
        """Write what has changed; return what there is to say since the last look, in sentences.

        Raises ``RecordError``, and ``ResultsError`` as ``write_results`` or while another desk writes; the next look tries again.
        """
        if not self.writes():
            self._seen = None
            found, remedy = "that another one does, and writes here", "Take over on the Log page, if that one has failed"
            raise ResultsError(where=self.folder, expected="that this desk gives the orders", found=found, remedy=remedy)
        # Before the event is read: what changes meanwhile is seen at the next look.
        changes = changes_of(self._place, self._hall)
        if self._seen is not None and self._seen[0] == changes and not kept_game_results(self._place, self._hall, self._seen[1]):
            return []
        self._seen = None
        book = book_of(kept_game_results(self._place, self._hall))
        said = write_results(self.folder, self.kind, applied(read_stored(self._place, self._hall).event, book), self._about)
        self._seen, self.written_at = (changes, book.newest), wall_time()
        new, self.said = [each for each in said if each not in self.said], said
        return new
