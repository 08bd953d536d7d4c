"""The public board of a hall in PostgreSQL: the desk writes it, workers read it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from msgspec import Struct, field

from appliance.errors import RecordError
from hall.results.standings import NO_CAPS, Caps
from hall.store.database import BOARD, NAMESPACE, StorePlace, named, transaction
from hall.store.store import reading_connection

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


def hall_of_board(place: StorePlace) -> str:
    """Return the one hall whose board is there; raises ``RecordError`` if there are none or several."""
    with reading_connection(place) as connection:
        halls = list(connection.scalars(sa.select(BOARD.c.hall).where(BOARD.c.id == _HEADING).order_by(BOARD.c.hall)))
    if len(halls) != 1:
        found = f"those of {', '.join(halls)}" if halls else "none"
        raise RecordError(where=named(place), expected="the board of one hall", found=found, remedy="Name the hall with --hall")
    return str(halls[0])


def write_board(connection: sa.Connection, hall: str, heading: BoardHeading, tiles: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a heading and the tiles that have changed, by id, and notify whoever listens. Tiles of another run go away."""
    same = {"hall": hall, "run": heading.run, "change": heading.change}
    lines = [{**same, "id": name, "content": msgspec.json.encode(each).decode()} for name, each in {**tiles, _HEADING: heading}.items()]
    with transaction(connection):
        # Newer tiles follow at once; after a power cut the desk writes all of them again.
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
        connection.execute(sa.delete(BOARD).where(BOARD.c.hall == hall, BOARD.c.run != heading.run))
        connection.execute(_upsert(), lines)
        connection.execute(sa.select(sa.func.pg_notify(_channel(hall), "")))


def read_heading(connection: sa.Connection, hall: str) -> BoardHeading | None:
    """Return the heading; None: no desk has written any."""
    query = sa.select(BOARD.c.run, BOARD.c.change, BOARD.c.content).where(BOARD.c.hall == hall, BOARD.c.id == _HEADING)
    found = connection.execute(query).first()
    return None if found is None else msgspec.convert({"run": found.run, "change": found.change, **json.loads(found.content)}, BoardHeading)


def read_tiles(connection: sa.Connection, hall: str, run: str, after: int) -> dict[str, dict[str, Any]]:
    """Return the tiles of a run of the desk that were written after change ``after``, by id."""
    query = sa.select(BOARD.c.id, BOARD.c.content).where(
        BOARD.c.hall == hall, BOARD.c.id != _HEADING, BOARD.c.run == run, BOARD.c.change > after
    )
    return {name: json.loads(content) for name, content in connection.execute(query)}


def listen(connection: sa.Connection, hall: str) -> bool:
    """Ask for notifications; False: this is a replica, where PostgreSQL refuses LISTEN."""
    if connection.scalar(sa.select(sa.func.pg_is_in_recovery())):
        return False
    connection.exec_driver_sql(f"LISTEN {connection.dialect.identifier_preparer.quote_identifier(_channel(hall))}")
    return True


def _channel(hall: str) -> str:
    return f"{NAMESPACE} {hall}"


@functools.cache
def _upsert() -> sa.Executable:
    # A desk whose rows go to a file writes no board.
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    insert = postgresql.insert(BOARD)
    return insert.on_conflict_do_update(
        index_elements=["hall", "id"], set_={name: insert.excluded[name] for name in ("run", "change", "content")}
    )
