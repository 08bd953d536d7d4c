"""The tables of the hall's store, and the connections with it: one file of SQLite, or a schema of a PostgreSQL database that several halls share, by a URL.

A table of another part of the hall goes here too, with the hall in front of its key. A change of any table needs a new ``VERSION``. Every statement is a
transaction of its own unless one is begun.
"""

import functools
import importlib.util
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateTable

from appliance.errors import Diagnosis, RecordError, to_install
from appliance.records.sqlite import Schema, connect, describe_io_error, refused
from appliance.records.sqlite import begin as begin_file
from faults.errors import Phrase

VERSION: Final = 8
NAMESPACE: Final = "tilehall"
METADATA: Final = sa.MetaData()


def text(name: str, *, optional: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=optional)


def number(name: str) -> sa.Column[Any]:
    """Return a column of whole numbers, as large as nanoseconds."""
    return sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False)


def table(name: str, *columns: sa.Column[Any], key: tuple[str, ...] = ()) -> sa.Table:
    return sa.Table(
        name, METADATA, text("hall"), *columns, sa.PrimaryKeyConstraint("hall", *key), sqlite_strict=True, sqlite_with_rowid=False
    )


# `fields`: the JSON of what the hash covers; null: it was too large for a message.
ROWS: Final = table(
    "rows", text("device"), text("epoch"), number("seq"), text("hash"), text("fields", optional=True), key=("device", "epoch", "seq")
)
# `rewritten`: why nothing of the epoch is taken any more.
EPOCHS: Final = table("epochs", text("device"), text("epoch"), text("since"), text("rewritten", optional=True), key=("device", "epoch"))
# What is read and written as a whole: the event, and what a clock has measured of a game that is over. `changes` grows with each writing of the event; `content`: JSON.
DOCUMENTS: Final = table("documents", text("name"), number("changes"), text("content"), key=("name",))
# The public board as workers read it. `id`: of a tile; empty: the board's heading. `change` grows with each writing of a run of the desk.
BOARD: Final = table("board", text("id"), text("run"), number("change"), text("content"), key=("id",))
# What each source says of a game: rows are added only, each once by its `key`. `n` counts them; `content`: JSON.
GAME_RESULTS: Final = table("game_results", text("key"), number("n"), text("content"), key=("key",))
# What the desks of a hall did: rows are added only. `request` leads to the orders and their answers; `detail`: JSON.
LOG: Final = sa.Table(
    "desk_log", METADATA, sa.Column("n", sa.Integer, primary_key=True), text("hall"), text("at"), text("desk"), text("who"), text("what"),
    text("request", optional=True), text("detail"), sqlite_strict=True,
)  # fmt: skip
# Which desk gives orders. `term` counts the holders.
LEASE: Final = table("desk_lease", text("holder"), text("by"), text("since"), number("term"))
# Who goes to a call. A call is known by device, boot and instant (`since`: ns, as text).
TAKERS: Final = table("desk_takers", text("device"), text("boot"), text("since"), text("who"), text("at"), key=("device", "boot", "since"))
_ADDED_TO_ONLY: Final = (GAME_RESULTS.name, LOG.name)


def _definitions(dialect: sa.Dialect) -> tuple[str, ...]:
    """Return the statements that make the tables, and let nothing but further rows into some of them."""
    tables = (
        str(CreateTable(each, if_not_exists=dialect.name != "sqlite").compile(dialect=dialect)).strip() for each in METADATA.sorted_tables
    )
    refusal = {
        # As SQLite itself keeps them, to compare.
        "sqlite": "CREATE TRIGGER {name}_{what} BEFORE {what} ON {name} BEGIN SELECT RAISE(ABORT, '{name} is added to only'); END",
        "postgresql": "CREATE OR REPLACE RULE {name}_{what} AS ON {what} TO {name} DO INSTEAD NOTHING",
    }[dialect.name]
    return (*tables, *(refusal.format(name=name, what=what) for name in _ADDED_TO_ONLY for what in ("UPDATE", "DELETE")))


STORE: Final = Schema("a hall's rows", application_id=0x5443484C, version=VERSION, tables=_definitions(sqlite.dialect()))


StorePlace: TypeAlias = Path | str
"""The path of a file, or the URL of a database."""
FAULTS: Final = (sa.exc.SQLAlchemyError, sqlite3.Error, OSError)
_ARGUMENTS: Final = {
    "connect_timeout": 5,
    "application_name": "tilehall",
    # A cable that is pulled is noticed on both sides: here, and at the server, which holds the hall's lock.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": f"-c search_path={NAMESPACE} -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c lock_timeout=5s",
}

_HANDED: Final = threading.local()
# One engine for all: it remembers compiled statements, which take longer than most readings.
_READING: Final = sa.create_engine(
    "sqlite://", creator=lambda: _HANDED.connection, poolclass=NullPool, isolation_level="AUTOCOMMIT", pool_reset_on_return=None
)


def is_url(place: StorePlace) -> bool:
    return str(place).startswith(("postgresql://", "postgres://"))


def named(place: StorePlace) -> str:
    """Return the place for people: a URL without its password."""
    if not is_url(place):
        return str(place)
    try:
        return sa.make_url(str(place)).render_as_string(hide_password=True)
    except ArgumentError:
        return "the database's URL"


def file_engine(path: Path) -> sa.Engine:
    """Return an engine that writes to the existing file at ``path``."""
    return sa.create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool, isolation_level="AUTOCOMMIT")


def writing_engine(place: StorePlace) -> sa.Engine:
    """Return an engine for what is written beside the rows; a missing file or missing tables are made. Raises as ``database_engine``, ``OSError``, ``sqlite3.Error``."""
    if is_url(place):
        return database_engine(str(place), makes_tables=True)
    path = Path(place)
    if not path.exists():
        begin_file(path, STORE, lambda _: None)
    return file_engine(path)


def connected(connection: sqlite3.Connection) -> sa.Connection:
    """Return an open connection with a file as one of SQLAlchemy; closing it closes both."""
    _HANDED.connection = connection
    return _READING.connect()


def database_engine(
    url: str, *, makes_tables: bool = False, sole_writer: str | None = None, poolclass: type[sa.Pool] = NullPool
) -> sa.Engine:
    """Return an engine for PostgreSQL; nothing is connected yet. Raises ``RecordError`` for a bad URL or a missing driver.

    ``makes_tables``: missing ones, when it connects. ``sole_writer``: what no other process may write at the same time, such as the rows of a hall; such an
    engine makes missing tables too.
    """
    if importlib.util.find_spec("psycopg") is None:
        raise RecordError(
            where=named(url), expected="the driver psycopg", found="none", remedy=to_install("psycopg[binary]==3.3.9", "python3-psycopg")
        )
    try:
        parsed = sa.make_url(url).set(drivername="postgresql+psycopg")
        engine = sa.create_engine(parsed, poolclass=poolclass, isolation_level="AUTOCOMMIT", connect_args=_ARGUMENTS)
    except (ArgumentError, ValueError) as error:
        raise RecordError(where="--store", expected="a URL such as postgresql://user@host/database", found="another text") from error
    if makes_tables or sole_writer is not None:
        event.listen(engine, "connect", _Preparation(engine, sole_writer))
    return engine


@functools.cache
def reading_engine(url: str) -> sa.Engine:
    return database_engine(url)


@contextmanager
def transaction(connection: sa.Connection) -> Iterator[None]:
    """Make one transaction of what happens within the block; an exception undoes it."""
    begin(connection)
    try:
        yield
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        undo(connection)
        raise


def begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.dialect.name == "sqlite" else "BEGIN")


def undo(connection: sa.Connection) -> None:
    """End a transaction without its changes; a lost connection is opened anew when it is next used."""
    try:
        if not connection.invalidated:
            connection.exec_driver_sql("ROLLBACK")
    except sa.exc.DBAPIError:
        connection.invalidate()
    connection.rollback()


@functools.cache
def once(into: sa.Table, dialect: str) -> sa.Insert:
    """Return the statement that inserts what is not there yet: whatever is repeated stays as it is."""
    if dialect == "sqlite":
        return sqlite.insert(into).on_conflict_do_nothing()
    # Most halls keep a file; loading this takes a tenth of the listener's start.
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    return postgresql.insert(into).on_conflict_do_nothing()


class _Preparation:
    """What each new connection of a writing engine begins with."""

    def __init__(self, engine: sa.Engine, sole_writer: str | None) -> None:
        self._dialect, self._sole_writer = engine.dialect, sole_writer

    def __call__(self, connection: Any, _record: object) -> None:
        failure: type[Exception] = self._dialect.loaded_dbapi.OperationalError
        connection.autocommit = True
        with connection.cursor() as cursor:
            # Held as long as the connection: after a kill -9 the server frees it.
            if self._sole_writer is not None:
                cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (f"{NAMESPACE} {self._sole_writer}",))
                if not cursor.fetchone()[0]:
                    raise failure(f"another program writes {self._sole_writer}")
            cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (NAMESPACE,))
            try:
                self._make_tables(cursor, failure)
            finally:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (NAMESPACE,))

    def _make_tables(self, cursor: Any, failure: type[Exception]) -> None:
        cursor.execute("SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (NAMESPACE,))
        found = cursor.fetchone()[0]
        if found == str(VERSION):
            return
        if found is not None:
            raise failure(f"its tables are of version {found}; this program writes version {VERSION}")
        cursor.execute("BEGIN")
        try:
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {NAMESPACE}")
            for statement in _definitions(self._dialect):
                cursor.execute(statement)
            cursor.execute(f"COMMENT ON SCHEMA {NAMESPACE} IS '{VERSION}'")
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


def described(error: Exception) -> Diagnosis:
    """Return in words what a store raised, one of ``FAULTS``."""
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(cause, sqlite3.Error | OSError):
        return describe_io_error(cause)
    said = " ".join(str(cause if cause is not None else error).split())
    return Diagnosis(Phrase("the database does not answer as expected ({error})", error=said[:200]), "Look at the database's server")


@contextmanager
def writing(place: StorePlace) -> Iterator[sa.Connection]:
    """Yield a connection; what happens within the block is one transaction."""
    try:
        with writing_engine(place).connect() as connection, transaction(connection):
            yield connection
    except RecordError:
        raise
    except FAULTS as error:
        raise refused(RecordError, named(place), STORE, described(error)) from error
