"""The results of games in the hall's store: rows that are only added, numbered from 1, each once by its key. What a row says is its writer's.

A key is a clock's row, or the id of a director's form: what comes again, after an outage, a restart or a second press, adds nothing.
What cannot be read or written raises ``RecordError``; then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from hall.results.book import KeptRow, ResultBook, book_of
from hall.store.database import GAME_RESULTS, NAMESPACE, StorePlace, writing
from hall.store.store import reading_connection


class KeptResult(NamedTuple):
    """A row as stored."""

    n: int
    key: str
    content: str


def keep_game_results(place: StorePlace, hall: str, rows: Mapping[str, str]) -> tuple[KeptResult, ...]:
    """Add the rows (content by key) whose key is new, in one transaction; return those that were added, on the disk."""
    with writing(place) as connection:
        return add_game_results(connection, hall, rows)


def add_game_results(connection: sa.Connection, hall: str, rows: Mapping[str, str]) -> tuple[KeptResult, ...]:
    """Add rows within a transaction that has begun; see ``keep_game_results``."""
    if connection.dialect.name == "postgresql":
        # SQLite's transaction has the file to itself.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(f"{NAMESPACE} results {hall}", 0))))
    own = GAME_RESULTS.c.hall == hall
    known = set(connection.scalars(sa.select(GAME_RESULTS.c.key).where(own, GAME_RESULTS.c.key.in_(list(rows)))))
    last = connection.scalar(sa.select(sa.func.max(GAME_RESULTS.c.n)).where(own)) or 0
    new = [(key, content) for key, content in rows.items() if key not in known]
    added = tuple(KeptResult(n, key, content) for n, (key, content) in enumerate(new, last + 1))
    if added:
        connection.execute(sa.insert(GAME_RESULTS), [{"hall": hall, **each._asdict()} for each in added])
    return added


def kept_game_results(place: StorePlace, hall: str, after: int = 0) -> tuple[KeptResult, ...]:
    """Return the rows after number ``after``, in order."""
    with reading_connection(place) as connection:
        return game_results_in(connection, hall, after)


def kept_book(place: StorePlace, hall: str) -> ResultBook:
    """Return what all rows come to."""
    with reading_connection(place) as connection:
        return book_in(connection, hall)


def book_in(connection: sa.Connection, hall: str) -> ResultBook:
    """Return what all rows come to, within a transaction."""
    return book_of((each.n, KeptRow.decoded(each.content)) for each in game_results_in(connection, hall))


def game_results_in(connection: sa.Connection, hall: str, after: int = 0) -> tuple[KeptResult, ...]:
    """Return rows as ``kept_game_results`` does."""
    columns = (GAME_RESULTS.c.n, GAME_RESULTS.c.key, GAME_RESULTS.c.content)
    query = sa.select(*columns).where(GAME_RESULTS.c.hall == hall, GAME_RESULTS.c.n > after).order_by(GAME_RESULTS.c.n)
    return tuple(KeptResult(*each) for each in connection.execute(query))
