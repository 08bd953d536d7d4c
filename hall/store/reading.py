"""Reads the hall's store, also while the listener writes to it."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct

from appliance.errors import RecordError
from appliance.records.sqlite import reading
from faults.errors import Phrase, as_phrase
from hall.store.database import EPOCHS, HEADS, ROOTS, ROWS, STORE, StorePlace, connected, described, is_url, named, reading_engine
from wire.reports import SignedHead
from wire.signed_bytes import FIRST, MAX_HEADS, KnownHead, RootOfHeads

_HEAD: Final = (HEADS.c.device, HEADS.c.epoch, HEADS.c.seq, HEADS.c.head)


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


class EpochMark(Struct, frozen=True):
    """What changes when there is more to prove of an epoch: its last row, all heads, all roots."""

    head: str | None
    rewritten: str | None
    heads: int
    root: int


class StoredHead(Struct, frozen=True):
    """A signed head as received, and the number of the root that covers it; None: none yet."""

    device: str
    epoch: str
    signed: SignedHead
    root: int | None

    @property
    def line(self) -> str:
        return KnownHead(self.device, self.epoch, self.signed.seq, self.signed.head).line


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
    """The rows, heads and roots of one hall. Every method may raise one of ``hall.store.database.FAULTS``."""

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

    def mark_of(self, device: str, epoch: str) -> EpochMark:
        known = next((each for each in self.epochs(device) if each.epoch == epoch), None)
        last = self._execute(self._of_epoch(device, epoch).order_by(ROWS.c.seq.desc()).limit(1)).first()
        heads = self._execute(sa.select(sa.func.count()).select_from(HEADS).where(HEADS.c.hall == self.hall)).scalar_one()
        return EpochMark(None if last is None else last.hash, None if known is None else known.rewritten, heads, self.last_root().n)

    def devices(self) -> tuple[str, ...]:
        query = sa.select(EPOCHS.c.device).where(EPOCHS.c.hall == self.hall).distinct().order_by(EPOCHS.c.device)
        return tuple(device for (device,) in self._execute(query))

    def heads_without_root(self) -> tuple[KnownHead, ...]:
        query = sa.select(*_HEAD).where(HEADS.c.hall == self.hall, HEADS.c.root.is_(None)).limit(MAX_HEADS)
        return tuple(KnownHead(*found) for found in self._execute(query))

    def last_root(self) -> RootOfHeads:
        """Return the last root; ``FIRST`` before any."""
        found = self._execute(self._roots().order_by(ROOTS.c.n.desc()).limit(1)).first()
        return FIRST if found is None else RootOfHeads(found[0], found[1], tuple(found[2].splitlines()))

    def device_of(self, epoch: str) -> str | None:
        """Return the device of an epoch; None: it is not known."""
        return self._execute(sa.select(EPOCHS.c.device).where(EPOCHS.c.hall == self.hall, EPOCHS.c.epoch == epoch)).scalar()

    def heads(self) -> Iterator[StoredHead]:
        query = sa.select(*_HEAD, HEADS.c.seen_root, HEADS.c.key, HEADS.c.signature, HEADS.c.root).where(HEADS.c.hall == self.hall)
        for device, epoch, seq, head, seen, key, signature, root in self._execute(query.order_by(*_HEAD[:3])):
            yield StoredHead(device, epoch, SignedHead(seq=seq, head=head, root=seen, key=key, signature=signature), root)

    def roots(self) -> Iterator[RootOfHeads]:
        """Yield all roots, the first one first."""
        for n, root, lines in self._execute(self._roots().order_by(ROOTS.c.n)):
            yield RootOfHeads(n, root, tuple(lines.splitlines()))

    def known_heads(self) -> Iterator[KnownHead]:
        """Yield what the hall can say that it has had: the signed heads, and the last row of each epoch."""
        own = sa.select(ROWS.c.device, ROWS.c.epoch, sa.func.max(ROWS.c.seq).label("seq")).where(ROWS.c.hall == self.hall)
        last = own.group_by(ROWS.c.device, ROWS.c.epoch).subquery()
        ends = sa.select(ROWS.c.device, ROWS.c.epoch, ROWS.c.seq, ROWS.c.hash).join(
            last,
            (ROWS.c.hall == self.hall) & (ROWS.c.device == last.c.device) & (ROWS.c.epoch == last.c.epoch) & (ROWS.c.seq == last.c.seq),
        )
        both = sa.union(sa.select(*_HEAD).where(HEADS.c.hall == self.hall), ends).order_by("device", "epoch", "seq")
        for found in self._execute(both):
            yield KnownHead(*found)

    def _of_epoch(self, device: str, epoch: str) -> sa.Select[*tuple[Any, ...]]:
        return sa.select(ROWS.c.seq, ROWS.c.hash, ROWS.c.fields).where(
            ROWS.c.hall == self.hall, ROWS.c.device == device, ROWS.c.epoch == epoch
        )

    def _roots(self) -> sa.Select[*tuple[Any, ...]]:
        return sa.select(ROOTS.c.n, ROOTS.c.root, ROOTS.c.lines).where(ROOTS.c.hall == self.hall)


class StoreReader(StoreQueries):
    """An open store, for reading."""

    def __init__(self, connection: sa.Connection, hall: str) -> None:
        self._connection, self.hall = connection, hall

    def _execute(self, query: sa.Executable, values: dict[str, object] | None = None) -> sa.CursorResult[*tuple[Any, ...]]:
        return self._connection.execute(query, values)
