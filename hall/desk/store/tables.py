"""The tables of the desk's store, in SQLite or PostgreSQL, and how it is opened."""

from __future__ import annotations

from typing import Final

from sqlalchemy import DDL, Column, Engine, Index, Integer, MetaData, String, Table, Text, UniqueConstraint, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from hall.errors import StoreError

METADATA: Final = MetaData()
LOG: Final = Table(
    "desk_log",
    METADATA,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("hall", String(32), nullable=False),
    Column("at", String(40), nullable=False),
    Column("desk", String(40), nullable=False),
    Column("who", String(40), nullable=False),
    Column("what", String(40), nullable=False),
    Column("request", String(32)),
    Column("detail", Text, nullable=False),
    Index("desk_log_by_hall", "hall", "n"),
)
"""What the desk did; rows are added only (``_FOREVER``). ``request`` leads to the orders and their answers; ``detail`` is JSON."""
LEASE: Final = Table(
    "desk_lease",
    METADATA,
    Column("hall", String(32), primary_key=True),
    Column("holder", String(40), nullable=False),
    Column("by", String(40), nullable=False),
    Column("since", String(40), nullable=False),
    Column("term", Integer, nullable=False),
)
"""Which desk gives orders."""
TAKERS: Final = Table(
    "desk_takers",
    METADATA,
    Column("hall", String(32), nullable=False),
    Column("device", String(20), nullable=False),
    Column("boot", String(64), nullable=False),
    Column("since", String(24), nullable=False),
    Column("who", String(40), nullable=False),
    Column("at", String(40), nullable=False),
    UniqueConstraint("hall", "device", "boot", "since"),
)
"""Who goes to a call. A call is known by device, boot and instant (``since``: ns, as text)."""
TRIES: Final = Table(
    "desk_tries",
    METADATA,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("account", String(40), nullable=False),
    Column("address", String(64), nullable=False),
    Column("wrong", Integer, nullable=False),
    Column("known", Integer, nullable=False),
    UniqueConstraint("account", "address"),
)
"""Wrong passwords in a row, by account and address; ``known``: this account has been opened from there."""
_FOREVER: Final = {
    "sqlite": (
        "CREATE TRIGGER IF NOT EXISTS desk_log_{what} BEFORE {what} ON desk_log BEGIN SELECT RAISE(ABORT, 'the log is added to only'); END"
    ),
    "postgresql": "CREATE OR REPLACE RULE desk_log_{what} AS ON {what} TO desk_log DO INSTEAD NOTHING",
}
for _dialect, _text in _FOREVER.items():
    for _what in ("UPDATE", "DELETE"):
        event.listen(LOG, "after_create", DDL(_text.format(what=_what)).execute_if(dialect=_dialect))  # type: ignore[no-untyped-call] # it ships no types


def open_store(place: str) -> Engine:
    """Open the desk's store, and create what is missing.

    Args:
        place: a file, or a URL of SQLAlchemy's.

    Raises:
        StoreError: it cannot be opened.
    """
    try:
        engine = create_engine(place if "://" in place else f"sqlite:///{place}")
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _for_sqlite)
        METADATA.create_all(engine)
    except SQLAlchemyError as error:
        found = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StoreError(where=place, expected="the desk's store", found=found, remedy="Check the path and its permissions") from error
    return engine


def _for_sqlite(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined] # sqlite3's; SQLAlchemy has no type for it
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA busy_timeout = 10000")
    cursor.close()
