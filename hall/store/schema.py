"""The tables of the hall's store: one file of SQLite, or a schema of a PostgreSQL database that several halls share.

A table of another part of the hall goes here too, with the hall in front of its key. A change of any table needs a new ``VERSION``.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, DDLElement

from appliance.records.files import PRIVATE
from appliance.records.sqlite import Schema

VERSION: Final = 5
NAMESPACE: Final = "tilehall"
"""The schema in PostgreSQL."""
METADATA: Final = sa.MetaData()


def text(name: str, *, optional: bool = False) -> sa.Column[Any]:
    """Return a column of text."""
    return sa.Column(name, sa.Text, nullable=optional)


def number(name: str, *, optional: bool = False) -> sa.Column[Any]:
    """Return a column of whole numbers, as large as nanoseconds."""
    return sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=optional)


def table(name: str, *columns: sa.Column[Any], key: tuple[str, ...] = ()) -> sa.Table:
    """Return a table whose primary key is the hall and ``key``; without a key it only grows."""
    constraints = (sa.PrimaryKeyConstraint("hall", *key),) if key else ()
    return sa.Table(name, METADATA, text("hall"), *columns, *constraints, sqlite_strict=True, sqlite_with_rowid=not key)


# `fields`: the JSON of what the hash covers; null: it was too large for a message.
ROWS: Final = table(
    "rows", text("device"), text("epoch"), number("seq"), text("hash"), text("fields", optional=True), key=("device", "epoch", "seq")
)
# `rewritten`: why nothing of the epoch is taken any more.
EPOCHS: Final = table("epochs", text("device"), text("epoch"), text("since"), text("rewritten", optional=True), key=("device", "epoch"))
# The rows that contradict those held, as evidence.
CONTRADICTIONS: Final = table(
    "contradictions", text("device"), text("epoch"), number("seq"), text("hash"), text("fields", optional=True), text("received")
)
# `root`: the number of the root that covers the head; null: none yet.
HEADS: Final = table(
    "heads",
    text("device"),
    text("epoch"),
    number("seq"),
    text("head"),
    text("key"),
    text("signature"),
    text("seen_root"),
    text("received"),
    number("root", optional=True),
    key=("device", "epoch", "seq", "head"),
)
sa.Index("heads_by_root", HEADS.c.hall, HEADS.c.root)
ROOTS: Final = table("roots", number("n"), text("root"), text("lines"), text("made"), key=("n",))

PLAYERS: Final = table(
    "players", text("division"), number("number"), text("name"), number("rating", optional=True), text("member"), text("team"), key=("division", "number")
)  # fmt: skip
# `second`: 0 is a bye. `ordered`: 1 if the first one goes first by the pairing.
PAIRINGS: Final = table(
    "pairings", text("division"), number("round"), number("first"), number("second"), number("ordered"), number("board", optional=True),
    number("table", optional=True), number("first_score", optional=True), number("second_score", optional=True), key=("division", "round", "first"),
)  # fmt: skip
BOARD_TABLES: Final = table("board_tables", text("division"), number("board"), number("table"), key=("division", "board"))
# `round`: the one that is played. `changes` grows with each import.
EVENT: Final = sa.Table(
    "event",
    METADATA,
    text("hall"),
    number("round"),
    number("changes"),
    sa.PrimaryKeyConstraint("hall"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
# `result`: JSON of a game that is over.
RESULTS: Final = table("results", number("round"), number("table"), text("result"), key=("round", "table"))
# Which table an overlay shows, by the overlay's slot.
OVERLAYS: Final = table("overlays", text("slot"), number("table"), key=("slot",))
# The public board as workers read it. `id`: of a card; empty: the board's heading. `change` grows with each writing of a run of the desk.
BOARD: Final = table("board", text("id"), text("run"), number("change"), text("content"), key=("id",))
FLOOR: Final = table("floor", number("table"), number("x"), number("y"), key=("table",))


def _sqlite_tables() -> tuple[str, ...]:
    dialect = sqlite.dialect()
    parts: list[DDLElement] = []
    for each in METADATA.sorted_tables:
        parts.append(CreateTable(each))
        parts.extend(CreateIndex(index) for index in sorted(each.indexes, key=lambda index: str(index.name)))
    return tuple(str(part.compile(dialect=dialect)).strip() for part in parts)


STORE: Final = Schema("a hall's rows", application_id=0x5443484C, version=VERSION, tables=_sqlite_tables(), mode=PRIVATE)
"""As a file. Its application id is ``TCHL``."""
