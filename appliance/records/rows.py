"""A kind of file of record, as all read it: its table ``rows``, each with a number (``seq``, from 1) and a ``hash``, and the durable mark of their end.

Reads single rows, and verifies all: the hash chain, no gaps, and the mark. What a row and the mark hold besides, the kind says (``RecordFile``). The
``RecordWriter`` writes for the whole run of a program, whatever becomes of the file: checks it, begins a missing one, appends, opens it again after an error.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from appliance.errors import DamagedRecord, Finding, NoRecord, NotOurs, RecordError, Replaced, counted, error_finding, fail, note, ok
from appliance.records import sqlite as disk
from appliance.records.chain import GENESIS, ChainLink, HashedLink, chained, covered, short
from appliance.records.files import FileIdentity, beside, identity, require_file
from appliance.records.sqlite import Quarantined, Schema, begin, connect, fault_of, fault_of_pages, quarantine
from faults.errors import Phrase, as_phrase

T = TypeVar("T")
R = TypeVar("R", bound=Struct)
M = TypeVar("M", bound="MarkedEnd")
MAX_SEQ: Final = 2**63 - 1


def last_of(connection: sqlite3.Connection) -> tuple[int, str] | None:
    found = connection.execute("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1").fetchone()
    return None if found is None else (found[0], found[1])


def row_with(connection: sqlite3.Connection, beginning: str) -> int | None:
    """Return the last row whose hash begins with ``beginning``, the head that somebody wrote down. It proves something only in a verified file."""
    (seq,) = connection.execute("SELECT max(seq) FROM rows WHERE substr(hash, 1, ?) = ?", (len(beginning), beginning.lower())).fetchone()
    return None if seq is None else int(seq)


def hash_of(connection: sqlite3.Connection, seq: int) -> str | None:
    found = connection.execute("SELECT hash FROM rows WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else str(found[0])


class Verified(Struct, frozen=True):
    rows: int
    head: str
    fault: Phrase | None = None
    """What is wrong with the first wrong row, or with the mark."""


class MarkedEnd(Struct, frozen=True):
    """The durable mark of a file's last row. A kind may mark more: each field is a column."""

    seq: int = 0
    hash: str = GENESIS

    @property
    def sealed(self) -> list[object]:
        """What the mark's own hash covers besides the last row's: it reveals a flipped bit in the mark too."""
        return [self.seq]


def stored(connection: sqlite3.Connection, content: Callable[..., T], condition: str, *values: object) -> Iterator[ChainLink[T]]:
    """Yield the rows for which ``condition`` of SQL holds, each with what ``content`` makes of its columns between ``seq`` and ``hash``."""
    for seq, *columns, own_hash in connection.execute(f"SELECT * FROM rows {condition}", values):  # noqa: S608 - our own conditions
        if bytes in map(type, (*columns, own_hash)):
            # A flipped bit can turn text into bytes; SQLite checks types only on writing.
            raise sqlite3.DatabaseError(f"row {seq} holds a value that is not text")
        yield ChainLink(seq, content(*columns), own_hash)


def links(connection: sqlite3.Connection, first: int) -> Iterator[HashedLink]:
    """Yield the rows with ``seq`` from ``first`` up, with what their hashes cover: all columns before the hash."""
    for each in stored(connection, lambda *columns: columns, "WHERE seq >= ? ORDER BY seq", first):
        yield ChainLink(each.seq, [each.seq, *each.row], each.hash)


def in_words(found: Verified) -> tuple[str, ...]:
    if found.fault is None:
        return (f"Whole: {counted(found.rows, 'row')}; the hash of the last begins {short(found.head)}.",)
    return (f"Broken: {found.fault}.", f"Whole up to row {found.rows}, whose hash begins {short(found.head)}.")


def _head_before(connection: sqlite3.Connection, first: int) -> str:
    if first > 1:
        # If it is unreadable, the first row fails verification.
        with suppress(sqlite3.Error):
            return hash_of(connection, first - 1) or GENESIS
    return GENESIS


def _missing(first: int, last: int) -> Phrase:
    return (
        Phrase("row {first} is missing", first=first)
        if first == last
        else Phrase("rows {first} to {last} are missing", first=first, last=last)
    )


CHECKED_ROWS: Final = 2000
"""The least number of rows checked at the end on opening: checking those of years would delay the start."""


class RecordFile(Struct, Generic[R, M], frozen=True):
    schema: Schema
    row: type[R]
    """The content of a row, a field for each column between number and hash."""
    mark: type[M]
    program: str
    """The one that writes it, for sentences: ``the clock``."""
    command: str
    checked_from: Callable[[sqlite3.Connection], int] = lambda _: MAX_SEQ
    """Returns the first row that is checked on opening, if it is before the last ``CHECKED_ROWS``."""
    refusal: Callable[[sqlite3.Connection], RecordError | None] = lambda _: None

    def fill(self, connection: sqlite3.Connection) -> None:
        self.write_mark(connection, self.mark())

    @contextmanager
    def reading(self, path: Path, *, refused: bool = False) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection to the file at ``path``, in one consistent state; ``refused``: also where there is a ``refusal``, which is raised otherwise.

        Raises as ``appliance.records.sqlite.reading``.
        """
        with disk.reading(path, self.schema) as connection:
            refusal = None if refused else self.refusal(connection)
            if refusal is not None:
                refusal.locate(path)
                raise refusal
            yield connection

    def rows_from(self, connection: sqlite3.Connection, first: int) -> Iterator[ChainLink[R]]:
        return stored(connection, self.row, "WHERE seq >= ? ORDER BY seq", first)

    def read_mark(self, connection: sqlite3.Connection) -> M | None:
        found = self._mark_and_seal(connection)
        return None if found is None else found[0]

    def write_mark(self, connection: sqlite3.Connection, mark: M) -> None:
        names, values = ", ".join(("id", *mark.__struct_fields__, "seal")), (1, *astuple(mark), chained(mark.hash, mark.sealed))
        connection.execute(f"INSERT OR REPLACE INTO mark ({names}) VALUES ({', '.join('?' * len(values))})", values)  # noqa: S608 - our own names

    def fault_of(self, path: Path) -> str | None:
        """Return the damage of the file at ``path``, or why it cannot be used; None: it is whole or missing. Reads the whole file.

        Raises as ``appliance.records.sqlite.fault_of``.
        """
        return fault_of(path, self.schema, lambda connection: fault_of_pages(connection) or self.fault_of_rows(connection))

    def fault_of_rows(self, connection: sqlite3.Connection) -> str | None:
        """Return what is wrong with the last rows of a sound database, or why they cannot be used."""
        last, _ = last_of(connection) or (0, GENESIS)
        fault = self.verify(connection, max(1, min(self.checked_from(connection), last - CHECKED_ROWS))).fault
        refusal = None if fault is not None else self.refusal(connection)
        return refusal.problem if refusal is not None else fault

    def verify(self, connection: sqlite3.Connection, first: int = 1) -> Verified:
        """Verify the chain from row ``first`` to the end; ``rows`` counts from the very first row. Never raises for a damaged file."""
        rows, head = first - 1, _head_before(connection, first)
        try:
            for link in links(connection, first):
                if link.seq != rows + 1:
                    return Verified(rows, head, _missing(rows + 1, link.seq - 1))
                if link.hash != chained(head, link.row):
                    meaning = Phrase("row {row} is not what was written: it, or the hash of the row before it, was changed", row=link.seq)
                    return Verified(rows, head, meaning)
                rows, head = link.seq, link.hash
            # The mark after all rows.
            return Verified(rows, head, self._fault_of_end(connection, rows, head))
        except (sqlite3.Error, TypeError) as error:  # TypeError: a column of another type
            return Verified(
                rows,
                head,
                Phrase("row {row} or one after it cannot be read ({error})", row=rows + 1, error=str(error)),
            )

    def check(self, path: Path, *, set_aside: str, doubted: str, unreadable: str) -> Iterator[Finding]:
        """Yield whether the file at ``path`` is whole, for a self-test.

        What to do: ``set_aside`` about one that the next start renames, ``doubted`` about an older fault, ``unreadable`` if the error names nothing.
        """
        name, renamed = self.schema.kind.split()[-1], None
        with suppress(NotOurs, sqlite3.Error, OSError):
            # As the next start finds it. Where it cannot tell, the reading below says why.
            renamed = self.fault_of(path)
        if renamed is not None:
            yield fail(name, Phrase("{path}: {fault}", path=path, fault=as_phrase(renamed)), set_aside)
            return
        try:
            with self.reading(path, refused=True) as connection:
                found = self.verify(connection)
        except NoRecord:
            yield note(name, Phrase("there is none at {path}: the first row creates it", path=path))
        except DamagedRecord as error:
            yield fail(name, error.problem, set_aside)
        except RecordError as error:
            yield error_finding(name, error, unreadable)
        else:
            if found.fault is not None:
                yield fail(name, Phrase("{path}: {fault}", path=path, fault=as_phrase(found.fault)), doubted)
                return
            rows, head = counted(found.rows, "row"), short(found.head)
            yield ok(name, Phrase("{path}: {rows}, whole; the hash of the last begins {hash}", path=path, rows=rows, hash=head))

    def _mark_and_seal(self, connection: sqlite3.Connection) -> tuple[M, str] | None:
        found = connection.execute(f"SELECT {', '.join(self.mark.__struct_fields__)}, seal FROM mark").fetchone()  # noqa: S608 - our own names
        return None if found is None else (self.mark(*found[:-1]), found[-1])

    def _fault_of_end(self, connection: sqlite3.Connection, rows: int, head: str) -> Phrase | None:
        found = self._mark_and_seal(connection)
        if found is None:
            return Phrase("the durable mark is missing: rows at the end may have been removed")
        end, seal = found
        if seal != chained(end.hash, end.sealed):
            return Phrase("the durable mark was changed")
        if end.seq > rows:
            return Phrase("{missing}: the durable mark knows of them", missing=_missing(rows + 1, end.seq))
        if end.seq < rows:
            return Phrase(
                "rows from {row} on were put in without {program}: the durable mark does not know them",
                row=end.seq + 1,
                program=Phrase(self.program),
            )
        if end.hash != head:
            return Phrase("the durable mark knows another row {row}: the rows were rewritten", row=rows)
        return None


FAULTS: Final = (sqlite3.Error, OSError)
"""What every method may raise; close the writer then. The next call opens the file again: it may have been replaced, or its disk mounted again."""


class RecordWriter(Generic[R, M]):
    """The file of record at ``path``, opened by the first call that needs it. Used by one thread. Subclasses append, and note what an opening has ``_found``.

    Every method but ``close`` may raise ``FAULTS``.
    """

    _remedy = ""
    """What follows where the file was replaced, as a sentence."""

    def __init__(self, path: Path, record: RecordFile[R, M]) -> None:
        self.path = path
        self.seq, self.head = 0, GENESIS
        self.mark = record.mark()
        self.aside: Quarantined | None = None
        """A damaged file that was renamed; None again once rows are in the new one."""
        self._record = record
        self._file: FileIdentity = None
        self._wal: FileIdentity = None
        """Its WAL, which stands there as long as the file is open."""
        self._connection: sqlite3.Connection | None = None

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def ready(self, now: datetime | None = None) -> None:
        """Rename a damaged file, with the WAL of a lost one, and begin a missing one. Raises also ``NotOurs``: the file there is foreign, and was not touched."""
        orphan = self._wal if self._is_another() else None
        self.aside = quarantine(self.path, self._record.schema, self._record.fault_of_rows, orphan, now) or self.aside
        self._begun(now)

    def _prepare(self) -> None:
        self.ready()

    def opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._prepare()
            self._connection = self._connected()
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _is_another(self) -> bool:
        return self._file is not None and identity(self.path) != self._file

    def _begun(self, now: datetime | None = None) -> None:
        if not self.path.exists():
            begin(self.path, self._record.schema, self._record.fill, now)

    def _connected(self) -> sqlite3.Connection:
        require_file(self.path, "a file of record")
        file = identity(self.path)
        connection = connect(self.path)
        try:
            end, mark = last_of(connection) or (0, GENESIS), self._record.read_mark(connection)
            self._found(connection, self.seq > 0 and hash_of(connection, self.seq) != self.head)
        except BaseException:
            connection.close()
            raise
        self._file, self._wal = file, identity(beside(self.path, "-wal"))
        (self.seq, self.head), self.mark = end, mark or self._record.mark()
        return connection

    def _found(self, connection: sqlite3.Connection, lost: bool) -> None:
        """Take note of an opened file before its end is; ``lost``: it has not all the rows that were on the disk."""

    def _append(self, rows: Sequence[R], marked: Callable[[int, str], M]) -> None:
        """Write ``rows`` and the mark that ``marked`` makes of number and hash of the last row, all or nothing; all is on the disk then.

        Raises also ``Replaced``: the file or its WAL is no longer the one that was opened.
        """
        connection = self.opened()
        self._require_same_file()
        connection.execute("BEGIN IMMEDIATE")
        seq, head = self.seq, self.head
        for row in rows:
            seq += 1
            columns = covered(seq, row)
            head = chained(head, columns)
            connection.execute(f"INSERT INTO rows VALUES ({'?, ' * len(columns)}?)", (*columns, head))  # noqa: S608 - marks alone
        mark = marked(seq, head)
        self._record.write_mark(connection, mark)
        connection.execute("COMMIT")
        self.seq, self.head, self.mark, self.aside = seq, head, mark, None

    def _require_same_file(self) -> None:
        # SQLite would keep writing to the deleted file and report success.
        wal = identity(beside(self.path, "-wal"))
        if identity(self.path) != self._file or (self._wal is not None and wal != self._wal):
            clause = "the file was deleted or replaced while the program ran"
            raise Replaced(clause, expected="the file that was opened", remedy=self._remedy, where=self.path)


class SlowestWrite:
    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._longest = 0
        self._began: int | None = None

    @property
    def ns(self) -> int:
        """The duration of the slowest write so far. May be read from any thread."""
        began = self._began
        return self._longest if began is None else max(self._longest, self._now() - began)

    @contextmanager
    def measured(self) -> Iterator[None]:
        self._began = self._now()
        try:
            yield
        finally:
            self._longest, self._began = self.ns, None
