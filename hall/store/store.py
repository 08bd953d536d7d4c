"""Writes the hall's store: whatever one turn of the listener takes in is one transaction, and one process writes to it.

What an arriving batch of rows is to those held so far is decided first, and is pure (docs/spec/wire.md, "Rows").
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from msgspec import Struct

from appliance.clocks import wall_time
from appliance.errors import RecordError
from appliance.log import get_logger
from appliance.records.chain import GENESIS, ChainLink, chained
from appliance.records.files import only_writer
from appliance.records.sqlite import Quarantined, fault_of_pages, quarantine, reading, refused
from appliance.records.sqlite import begin as begin_file
from appliance.texts import received, sent
from faults.errors import Phrase, TileclockError
from hall.store.database import (
    EPOCHS,
    FAULTS,
    ROWS,
    STORE,
    StorePlace,
    begin,
    connected,
    database_engine,
    described,
    file_engine,
    is_url,
    named,
    once,
    reading_engine,
    undo,
)
from records.journal import Row
from wire.reports import RowBatch, WireRow

T = TypeVar("T")


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
        yield StoreReader(_only_hall(connection, place) if hall is None else hall, connection.execute)


def looked_up(place: StorePlace, hall: str, look: Callable[[StoreReader], T], otherwise: T) -> T:
    """Return what ``look`` finds of a hall in the store; ``otherwise`` while it cannot be read, as on a full disk: the next look finds it."""
    try:
        with reading_store(place, hall) as store:
            return look(store)
    except (TileclockError, *FAULTS):
        return otherwise


@contextmanager
def reading_connection(place: StorePlace) -> Iterator[sa.Connection]:
    """Yield a connection with the store in one consistent state; see ``reading_store``."""
    if is_url(place):
        try:
            with reading_engine(str(place)).connect() as connection:
                connection.exec_driver_sql("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield connection
        except sa.exc.SQLAlchemyError as error:
            raise refused(RecordError, named(place), STORE, described(error)) from error
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
        raise RecordError(
            where=named(place), expected="the rows of one hall", found=f"those of {', '.join(halls)}", remedy="Name one with --hall"
        )
    return str(halls[0]) if halls else ""


class StoreReader:
    """The rows of one hall, by what executes a query. Every method may raise one of ``hall.store.database.FAULTS``."""

    def __init__(self, hall: str, execute: Callable[..., sa.CursorResult[*tuple[Any, ...]]]) -> None:
        self.hall, self._execute = hall, execute

    def rows(self, device: str, epoch: str, after: int = 0, part: str = "") -> Iterator[StoredWireRow]:
        """Yield the rows after row ``after`` whose fields hold ``part``, oldest first."""
        query = self._of_epoch(device, epoch).where(ROWS.c.seq > after, *([ROWS.c.fields.contains(part, autoescape=True)] if part else ()))
        for found in self._execute(query.order_by(ROWS.c.seq)):
            yield StoredWireRow(*found)

    def rows_back(self, device: str, epoch: str) -> Iterator[StoredWireRow]:
        for found in self._execute(self._of_epoch(device, epoch).order_by(ROWS.c.seq.desc())):
            yield StoredWireRow(*found)

    def epochs(self, device: str) -> tuple[KnownEpoch, ...]:
        query = sa.select(EPOCHS.c.epoch, EPOCHS.c.since, EPOCHS.c.rewritten).where(EPOCHS.c.hall == self.hall, EPOCHS.c.device == device)
        found = self._execute(query.order_by(EPOCHS.c.since, EPOCHS.c.epoch))
        # What an older release has kept is English.
        return tuple(
            KnownEpoch(epoch, since, received(json.loads(why)) if (why or "").startswith("[") else why) for epoch, since, why in found
        )

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


class HeldEnd(Struct, frozen=True):
    """The last row that the listener holds of an epoch: its sequence and hash."""

    seq: int
    head: str


NONE_HELD: Final = HeldEnd(0, GENESIS)


def is_well_formed(batch: RowBatch) -> bool:
    """Return whether the batch has the rows ``first`` to ``last``, each with its own sequence."""
    numbered = all(fields is None or fields[:1] == [seq] for seq, (_, fields) in enumerate(batch.rows, batch.first))
    return batch.last == batch.first + len(batch.rows) - 1 and numbered


def arrival(held: HeldEnd, batch: RowBatch, hash_of: Callable[[int], str | None]) -> tuple[WireRow, ...] | str | None:
    """Return the rows of a well-formed ``batch`` that follow ``held``, the last row held of its epoch (none: a repetition), or in a clause how it contradicts those held: nothing of this epoch is taken any more.

    None: rows are missing before the batch.
    """
    before = batch.first - 1
    if before > held.seq:
        return None
    if batch.previous != (hash_of(before) if before else GENESIS):
        return Phrase("row {row} is not the one held", row=before)
    new: list[WireRow] = []
    for seq, (digest, fields) in enumerate(batch.rows, batch.first):
        if seq <= held.seq:
            if digest != hash_of(seq):
                return Phrase("row {row} is not the one held", row=seq)
            continue
        if not _follows(held, digest, fields, batch.epoch):
            return Phrase("row {row} does not follow from the one before", row=seq)
        held = HeldEnd(seq, digest)
        new.append((digest, fields))
    return tuple(new)


def _follows(held: HeldEnd, digest: str, fields: list[object] | None, epoch: str) -> bool:
    if held.seq == 0 and not digest.startswith(epoch):
        return False
    # A row that is too large for a message comes without its fields: only the row after it can be checked.
    return fields is None or digest == chained(held.head, fields)


def open_store(place: StorePlace, hall: str) -> tuple[Store, Quarantined | None]:
    """Open or create the store at ``place``; return it, and what was set aside: a damaged file that stood there, or one of another version.

    A database is connected when it is first used, and again after each failure: a hall whose database is away is still seen live.

    Raises:
        OSError, sqlite3.Error: the file cannot be opened or created, or belongs to another program.
        RecordError: the URL is none, or the database's driver is missing.
    """
    if is_url(place):
        return Store(place, hall), None
    path = Path(place)
    aside = quarantine(path, STORE, fault_of_pages)
    if not path.exists():
        begin_file(path, STORE, lambda _: None, datetime.now(UTC))
    return Store(path, hall), aside


class Store(StoreReader):
    """The open store. Writing methods begin a transaction, ``commit`` ends it; used by one thread.

    Every method may raise one of ``hall.store.database.FAULTS``; call ``give_up`` then.
    """

    def __init__(self, place: StorePlace, hall: str) -> None:
        super().__init__(hall, self._read)
        self.place = place
        self._engine = (
            database_engine(str(place), sole_writer=f"the rows of the hall {hall}") if is_url(place) else file_engine(Path(place))
        )
        # A database is waited for while the hall is seen live.
        self._open: sa.Connection | None = None if is_url(place) else self._engine.connect()
        self._writing = False

    def close(self) -> None:
        self.give_up()
        if self._open is not None:
            self._open.close()

    def append(self, device: str, epoch: str, first: int, rows: Sequence[WireRow]) -> None:
        """Add rows that follow those held; the first of them is number ``first``."""
        lines: list[dict[str, object]] = [
            {
                "hall": self.hall,
                "device": device,
                "epoch": epoch,
                "seq": seq,
                "hash": digest,
                "fields": fields and json.dumps(fields, separators=(",", ":")),
            }
            for seq, (digest, fields) in enumerate(rows, first)
        ]
        self._write(once(ROWS, self._engine.dialect.name), lines)

    def begin_epoch(self, device: str, epoch: str) -> str:
        """Note an epoch, and return since when it is known."""
        since = wall_time()
        self._write(once(EPOCHS, self._engine.dialect.name), [{"hall": self.hall, "device": device, "epoch": epoch, "since": since}])
        return since

    def quarantine(self, device: str, epoch: str, why: str) -> None:
        """Note why nothing of an epoch is taken any more; its rows stay."""
        where = (EPOCHS.c.hall == self.hall, EPOCHS.c.device == device, EPOCHS.c.epoch == epoch)
        self._write(sa.update(EPOCHS).where(*where).values(rewritten=json.dumps(sent(why))))

    def commit(self) -> bool:
        """Write everything since the last commit to the disk; return whether there was anything."""
        if not self._writing:
            return False
        self._connection().exec_driver_sql("COMMIT")
        self._writing = False
        return True

    def give_up(self) -> None:
        if self._open is not None and (self._writing or self._open.invalidated):
            undo(self._open)
        self._writing = False

    def held(self, device: str, epoch: str) -> HeldEnd:
        found = self._execute(_LAST, {"h": self.hall, "d": device, "e": epoch}).first()
        return NONE_HELD if found is None else HeldEnd(found.seq, found.hash)

    def hash_of(self, device: str, epoch: str, seq: int) -> str | None:
        found = self._execute(_AT, {"h": self.hall, "d": device, "e": epoch, "s": seq}).first()
        return None if found is None else str(found.hash)

    def _connection(self) -> sa.Connection:
        if self._open is None:
            self._open = self._engine.connect()
        return self._open

    def _read(self, query: sa.Executable, values: dict[str, object] | None = None) -> sa.CursorResult[*tuple[Any, ...]]:
        return self._connection().execute(query, values)

    def _write(self, statement: sa.Executable, lines: Sequence[dict[str, object]] | None = None) -> None:
        if not self._writing:
            begin(self._connection())
            self._writing = True
        self._connection().execute(statement, lines)


# Made once: making a statement costs more than running it.
_OF_EPOCH: Final = sa.select(ROWS.c.seq, ROWS.c.hash).where(
    ROWS.c.hall == sa.bindparam("h"), ROWS.c.device == sa.bindparam("d"), ROWS.c.epoch == sa.bindparam("e")
)
_LAST: Final = _OF_EPOCH.order_by(ROWS.c.seq.desc()).limit(1)
_AT: Final = _OF_EPOCH.where(ROWS.c.seq == sa.bindparam("s"))


@contextmanager
def owned_store(place: StorePlace, hall: str) -> Iterator[Store]:
    """Yield the store, open for writing; raises as ``open_store``, or ``InUse``. A file is locked; a database refuses a second writer of the same hall when used."""
    expected, remedy = "a file that no other listener writes to", "End that listener, or name another file with --store"
    with nullcontext() if is_url(place) else only_writer(Path(place), expected, remedy, STORE.application_id):
        store, aside = open_store(place, hall)
        if aside is not None:
            get_logger().warning("the store was set aside; the devices fill a new one", why=aside.fault, kept=aside.path)
        with closing(store):
            yield store


_FORMS: Final = frozenset((int, str, int, number, int, int, str, str, str) for number in (int, NoneType))
"""The types of a row's fields, as the network brings it. Checked so and not by msgspec, which takes three times as long: a start reads the rows of a whole hall."""


def stored_rows(rows: Iterable[WireRow]) -> Iterable[ChainLink[Row]]:
    """Yield the rows of a clock as they came from the network; what has not the form of a row is left out."""
    for digest, fields in rows:
        if fields is not None and tuple(map(type, fields)) in _FORMS:
            yield ChainLink(fields[0], Row(*fields[1:]), digest)
