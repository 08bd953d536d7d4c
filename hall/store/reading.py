"""Reads the hall's store, also while the listener writes to it."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from msgspec import Struct

from appliance.errors import RecordError
from appliance.records.sqlite import reading
from faults.errors import Phrase, as_phrase
from hall.store.database import EPOCHS, ROWS, STORE, StorePlace, connected, described, is_url, named, reading_engine


class StoredWireRow(Struct, frozen=True):
    """A row as held: its sequence, its hash, and the JSON of what the hash covers; None: it was too large for a message."""

    seq: int
    hash: str
    fields: str | None


class KnownEpoch(Struct, frozen=True):
    """A journal or log of a device: since when it is known (UTC, ISO 8601), and why it is no longer taken; None: it is."""

    epoch: str
    since: str
    rewritten: str | None


@contextmanager
def reading_store(place: StorePlace, hall: str | None = None) -> Iterator[StoreReader]:
    """Yield the store at ``place`` in one consistent state, with the rows of ``hall`` (None: of the only hall there).

    Raises:
        NoRecord: it does not exist.
        DamagedRecord: it is damaged.
        RecordError: it cannot be read now, is another program's, or has the rows of several halls.
    """
    with reading_connection(place) as connection:
        yield StoreReader(connection, _only_hall(connection, place) if hall is None else hall)


@contextmanager
def reading_connection(place: StorePlace) -> Iterator[sa.Connection]:
    """Yield a connection with the store in one consistent state; see ``reading_store``."""
    if is_url(place):
        try:
            with reading_engine(str(place)).connect() as connection:
                connection.exec_driver_sql("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield connection
        except sa.exc.SQLAlchemyError as error:
            said = described(error)
            found = Phrase("that {clause}", clause=as_phrase(said.problem))
            raise RecordError(where=named(place), expected=STORE.kind, found=found, remedy=said.remedy) from error
        return
    with reading(Path(place), STORE) as raw:
        try:
            with connected(raw) as connection:
                yield connection
        except sa.exc.DBAPIError as error:
            if isinstance(error.orig, sqlite3.Error):
                raise error.orig from error
            raise


def _only_hall(connection: sa.Connection, place: StorePlace) -> str:
    halls = connection.scalars(sa.select(EPOCHS.c.hall).distinct().order_by(EPOCHS.c.hall)).all()
    if len(halls) > 1:
        remedy = "Name one with --hall"
        raise RecordError(where=named(place), expected="the rows of one hall", found=f"those of {', '.join(halls)}", remedy=remedy)
    return str(halls[0]) if halls else ""


class StoreQueries(ABC):
    """The rows of one hall. Every method may raise one of ``hall.store.database.FAULTS``."""

    hall: str

    @abstractmethod
    def _execute(self, query: sa.Executable, values: dict[str, object] | None = None) -> sa.CursorResult[*tuple[Any, ...]]: ...

    def count(self) -> int:
        """Return how many rows there are."""
        query = sa.select(sa.func.count()).select_from(ROWS).where(ROWS.c.hall == self.hall)
        return int(self._execute(query).scalar_one())

    def rows(self, device: str, epoch: str, after: int = 0) -> Iterator[StoredWireRow]:
        """Yield the rows held of an epoch, in order."""
        for found in self._execute(self._of_epoch(device, epoch).where(ROWS.c.seq > after).order_by(ROWS.c.seq)):
            yield StoredWireRow(*found)

    def rows_back(self, device: str, epoch: str) -> Iterator[StoredWireRow]:
        """Yield the rows held of an epoch, the last one first."""
        for found in self._execute(self._of_epoch(device, epoch).order_by(ROWS.c.seq.desc())):
            yield StoredWireRow(*found)

    def epochs(self, device: str) -> tuple[KnownEpoch, ...]:
        """Return the epochs of a device, oldest first."""
        query = sa.select(EPOCHS.c.epoch, EPOCHS.c.since, EPOCHS.c.rewritten).where(EPOCHS.c.hall == self.hall, EPOCHS.c.device == device)
        return tuple(KnownEpoch(*found) for found in self._execute(query.order_by(EPOCHS.c.since, EPOCHS.c.epoch)))

    def last_row(self, device: str, epoch: str) -> StoredWireRow | None:
        found = self._execute(self._of_epoch(device, epoch).order_by(ROWS.c.seq.desc()).limit(1)).first()
        return None if found is None else StoredWireRow(*found)

    def devices(self) -> tuple[str, ...]:
        query = sa.select(EPOCHS.c.device).where(EPOCHS.c.hall == self.hall).distinct().order_by(EPOCHS.c.device)
        return tuple(device for (device,) in self._execute(query))

    def device_of(self, epoch: str) -> str | None:
        """Return the device of an epoch; None: it is not known. Whoever copies another device's first row has its epoch too, but later."""
        query = sa.select(EPOCHS.c.device).where(EPOCHS.c.hall == self.hall, EPOCHS.c.epoch == epoch)
        return self._execute(query.order_by(EPOCHS.c.since)).scalar()

    def _of_epoch(self, device: str, epoch: str) -> sa.Select[*tuple[Any, ...]]:
        return sa.select(ROWS.c.seq, ROWS.c.hash, ROWS.c.fields).where(
            ROWS.c.hall == self.hall, ROWS.c.device == device, ROWS.c.epoch == epoch
        )


class StoreReader(StoreQueries):
    """An open store, for reading."""

    def __init__(self, connection: sa.Connection, hall: str) -> None:
        self._connection, self.hall = connection, hall

    def _execute(self, query: sa.Executable, values: dict[str, object] | None = None) -> sa.CursorResult[*tuple[Any, ...]]:
        return self._connection.execute(query, values)
