"""What a desk keeps beside the rows, in a store of the same kind: its log, when the round begins, who goes to which call, and who gives the orders (the lease)."""

import json
import sqlite3
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from sqlalchemy import Engine, QueuePool, Select, Table, create_engine, delete, event, func, insert, select, update

from appliance.clocks import boot_id, wall_time
from appliance.errors import RecordError
from appliance.records.files import deny_others
from appliance.records.sqlite import begin, fault_of, fault_of_pages
from appliance.texts import received, sent
from faults.errors import Phrase
from faults.validation import prepare
from hall.store.database import FAULTS, LEASE, LOG, STORE, TAKERS, database_engine, described, is_url, once
from rules.duration import NS


def open_store(place: str) -> Engine:
    """Open the desk's store, a file or the URL of a database, and create what is missing; raises ``RecordError``."""
    try:
        engine = database_engine(place, makes_tables=True, poolclass=QueuePool) if is_url(place) else _file(Path(place))
        engine.connect().close()
    except RecordError:
        raise
    except FAULTS as error:
        raise _unusable(place, described(error).problem) from error
    return engine


def _unusable(place: str | Path, found: str) -> RecordError:
    return RecordError(
        where=place,
        expected="the desk's store",
        found=found,
        remedy="Check the path and its permissions; rename a damaged file, and the desk begins a new one",
    )


def _file(path: Path) -> Engine:
    """Return an engine for the file at ``path``. One that is damaged stays where it is: it has a log."""
    if not path.parent.is_dir():
        raise RecordError(
            where=path.parent, expected="the folder of the desk's store", found="none", remedy="Make the folder, or give another place"
        )
    if (fault := fault_of(path, STORE, fault_of_pages)) is not None:
        raise _unusable(path, fault.splitlines()[-1])
    if not path.exists():
        begin(path, STORE, lambda _: None)
    # It holds names.
    deny_others(path)
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _for_sqlite)
    return engine


def _for_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # A damaged text is shown, and hides no other.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA busy_timeout = 10000")


LOGIN: Final = "login"
FROM: Final = "from"
"""The address, in the detail of a login."""
NOT_LET_IN: Final = "not let in"
LOGOUT: Final = "logout"
CHANGED: Final = "changed the password"
TOOK_OVER: Final = "took over"
TOOK_CALL: Final = "took call"
CANNOT_COME: Final = "cannot come"
ROUND_BEGINS: Final = "set the round's beginning"
IMPORTED: Final = "imported"
BEGAN_ANEW: Final = "began the event anew"
PLAYS_ROUND: Final = "set the round that is played"
SET_OVERLAY: Final = "set an overlay"
SET_TIMER: Final = "set the hall's timer"
SENT_TIMER: Final = "sent the hall's timer"
ENTERED_RESULT: Final = "entered a result"
CORRECTED_RESULT: Final = "corrected a result"
PLACED_RESULT: Final = "gave a clock's result its pairing"
DISCARDED_RESULT: Final = "discarded a clock's result"


class LogEntry(Struct, frozen=True):
    n: int
    at: str
    """UTC, ISO 8601."""
    desk: str
    who: str
    what: str
    """An order's ``do``, or one of the words above."""
    request: str | None
    """The id of the act whose orders and answers are in the book of orders."""
    detail: Mapping[str, Any]

    @property
    def text(self) -> str:
        """What the log has of it beside its parts; an older release has written it in English."""
        said: str = received(self.detail.get("text", ""))
        return said


class CallKey(NamedTuple):
    """One call: closed and opened again it is another."""

    device: str
    boot: str
    since: int


class Taker(Struct, frozen=True):
    """Who goes, and since when (UTC, ISO 8601)."""

    who: str
    at: str


class Holding(Struct, frozen=True):
    holder: str
    """The desk's name, as its certificate has it."""
    by: str
    since: str
    """UTC, ISO 8601."""
    term: int


class DeskStore(Struct, frozen=True):
    """The log, the calls and the lease of one hall, as this desk sees and writes them."""

    engine: Engine
    hall: str
    desk: str

    def add(self, who: str, what: str, detail: Mapping[str, Any], request: str | None = None) -> int:
        """Add an entry to the log, on the disk when this returns, and return its number."""
        text = json.dumps(sent(detail), ensure_ascii=False)
        entry = {"hall": self.hall, "at": wall_time(), "desk": self.desk, "who": who, "what": what, "request": request, "detail": text}
        with self.engine.begin() as connection:
            return int(connection.execute(insert(LOG).values(entry).returning(LOG.c.n)).scalar_one())

    def last(self, what: str, after: int = 0) -> LogEntry | None:
        return next(iter(self._read(select(LOG).where(LOG.c.what == what, LOG.c.n > after), 1)), None)

    def newest(self) -> int:
        with self.engine.connect() as connection:
            return connection.scalar(select(func.max(LOG.c.n)).where(LOG.c.hall == self.hall)) or 0

    def latest(self, most: int, before: int | None = None) -> tuple[LogEntry, ...]:
        return self._read(select(LOG) if before is None else select(LOG).where(LOG.c.n < before), most)

    def results(self) -> tuple[LogEntry, ...]:
        return self._read(
            select(LOG).where(LOG.c.what.in_((BEGAN_ANEW, ENTERED_RESULT, CORRECTED_RESULT, PLACED_RESULT, DISCARDED_RESULT)))
        )[::-1]

    def _read(self, query: Select[Any], most: int | None = None) -> tuple[LogEntry, ...]:
        query = query.where(LOG.c.hall == self.hall).order_by(LOG.c.n.desc()).limit(most)
        with self.engine.connect() as connection:
            return tuple(
                LogEntry(row.n, row.at, row.desk, row.who, row.what, row.request, _detail(row.detail)) for row in connection.execute(query)
            )

    def take_call(self, call: CallKey, who: str) -> bool:
        """Note that ``who`` goes; False: somebody goes already."""
        row = {"device": call.device, "boot": call.boot, "since": str(call.since), "who": who, "at": wall_time()}
        return self._is_new(TAKERS, row)

    def give_call_back(self, call: CallKey, who: str) -> bool:
        """Note that ``who`` does not go after all; False: it is not ``who`` that goes."""
        theirs = (
            TAKERS.c.hall == self.hall,
            *(TAKERS.c[name] == str(value) for name, value in call._asdict().items()),
            TAKERS.c.who == who,
        )
        with self.engine.begin() as connection:
            return connection.execute(delete(TAKERS).where(*theirs)).rowcount > 0

    def call_takers(self) -> Mapping[CallKey, Taker]:
        with self.engine.connect() as connection:
            rows = connection.execute(select(TAKERS).where(TAKERS.c.hall == self.hall))
            return {CallKey(row.device, row.boot, int(row.since)): Taker(row.who, row.at) for row in rows}

    def holding(self) -> Holding:
        """Return who holds the lease now. The first desk of a hall that asks does."""
        query = select(LEASE).where(LEASE.c.hall == self.hall)
        with self.engine.connect() as connection:
            found = connection.execute(query).one_or_none()
        if found is not None:
            return Holding(found.holder, found.by, found.since, found.term)
        # Unless another desk was first.
        self._is_new(LEASE, {"holder": self.desk, "by": "the first desk", "since": wall_time(), "term": 1})
        return self.holding()

    @property
    def is_ours(self) -> bool:
        return self.holding().holder == self.desk

    def take_over(self, seen: int, who: str) -> bool:
        """Move the lease to this desk; False: it has moved since term ``seen``, which the director saw.

        Args:
            seen: the term on the page.
        """
        change = (
            update(LEASE)
            .where(LEASE.c.hall == self.hall, LEASE.c.term == seen)
            .values(holder=self.desk, by=who, since=wall_time(), term=seen + 1)
        )
        with self.engine.begin() as connection:
            return connection.execute(change).rowcount == 1

    def _is_new(self, into: Table, row: Mapping[str, object]) -> bool:
        """Insert a row of this hall; False: there is one with its key."""
        with self.engine.begin() as connection:
            statement = once(into, self.engine.dialect.name).returning(into.c.hall)
            return connection.execute(statement, {"hall": self.hall, **row}).first() is not None


def _detail(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"text": sent(Phrase("damaged"))}


class LoggedInstant(Struct, frozen=True):
    mono: int
    """In ns of the CLOCK_MONOTONIC of ``boot``: a date that is put right meanwhile moves it not."""
    boot: str
    date: Annotated[datetime, Meta(tz=True)]

    def now(self) -> int:
        """Return it in ns of this machine's CLOCK_MONOTONIC: on another machine, or after a new start, by its date."""
        if self.boot == boot_id():
            return self.mono
        return time.monotonic_ns() + (self.date - datetime.now(UTC)) // timedelta(microseconds=1) * 1000


def _logged(at: int | None) -> LoggedInstant | None:
    if at is None:
        return None
    return LoggedInstant(at, boot_id(), datetime.now(UTC) + timedelta(microseconds=(at - time.monotonic_ns()) // 1000))


_BEGINS: Final = "begins"
_ROUND: Final = "round"


def set_round_start(log: DeskStore, who: str, minutes: int | None, number: int, order_request: str | None = None) -> int | None:
    """Note that the round begins in so many minutes, or that no time is set (None); return the instant (ns of CLOCK_MONOTONIC).

    ``number``: the round that is current. ``order_request``: the id of the orders that take it to the clocks.
    """
    begins = None if minutes is None else time.monotonic_ns() + minutes * 60 * NS
    text = Phrase("no start time") if minutes is None else Phrase("in {minutes} min", minutes=minutes) if minutes else Phrase("now")
    log.add(who, ROUND_BEGINS, {_BEGINS: to_builtins(_logged(begins)), _ROUND: number, "text": text}, order_request)
    return begins


def end_with_round(log: DeskStore, who: str, number: int) -> int | None:
    """Note that the start time ends because round ``number`` is current now; return what ``round_start`` then does.

    A start time that is still ahead stays: it is that of the round to come.
    """
    at, entry = round_start(log), log.last(ROUND_BEGINS)
    if at is None or entry is None:
        return None
    if entry.detail.get(_ROUND) == number:
        # Another desk of this log knew of the round earlier: the time was set in it, or kept for it.
        return at
    current = Phrase("round {round}", round=number) if number else Phrase("no round")
    if at > time.monotonic_ns():
        kept = Phrase("as set before, although {current} is current now", current=current)
        log.add(who, ROUND_BEGINS, {**entry.detail, _ROUND: number, "text": kept})
        return at
    log.add(who, ROUND_BEGINS, {_BEGINS: None, "text": Phrase("no start time, because {current} is current now", current=current)})
    return None


def round_of_start(log: DeskStore) -> int:
    """Return the round that was current when the start time was set, or kept; 0: there is no start time, or no round was known."""
    entry = log.last(ROUND_BEGINS)
    return 0 if entry is None or entry.detail.get(_BEGINS) is None else int(entry.detail.get(_ROUND, 0))


def round_start(log: DeskStore) -> int | None:
    """Return when the round begins or began (ns of CLOCK_MONOTONIC); None: no time is set."""
    entry = log.last(ROUND_BEGINS)
    begins = None if entry is None else _read(entry.detail.get(_BEGINS), LoggedInstant)
    return None if begins is None else begins.now()


_Kept = TypeVar("_Kept")


def _read(detail: object, kind: type[_Kept]) -> _Kept | None:
    """Return what a detail has; None: nothing, or the file is damaged."""
    try:
        return None if detail is None else convert(detail, kind)
    except ValidationError:
        return None


_TIMER: Final = "timer"


class _KeptTimer(Struct, frozen=True):
    begins: LoggedInstant
    seconds: int
    warnings: list[int]
    label: str


prepare(LoggedInstant, _KeptTimer)


def set_timer(
    log: DeskStore, who: str, shown: Mapping[str, Any] | None, detail: Mapping[str, Any], order_request: str | None = None
) -> int:
    """Note the hall's timer as browsers get it, or that it is stopped (None), beside ``detail``; return the entry's number."""
    kept = None if shown is None else to_builtins({**shown, _BEGINS: _logged(shown[_BEGINS] * 1000)})
    return log.add(who, SET_TIMER, {_TIMER: kept, **detail}, order_request)


def timer_of(entry: LogEntry) -> Mapping[str, Any] | None:
    """Return the timer of an entry as browsers get it; None: it was stopped, or has ended so long ago that nothing shows it."""
    kept = _read(entry.detail.get(_TIMER), _KeptTimer)
    begins = 0 if kept is None else kept.begins.now() // 1000
    # A timer is shown for five minutes after its end.
    if kept is None or begins + kept.seconds * 1_000_000 + 300_000_000 <= time.monotonic_ns() // 1000:
        return None
    return {_BEGINS: begins, "seconds": kept.seconds, "warnings": kept.warnings, "label": kept.label}


def is_stop(entry: LogEntry) -> bool:
    return entry.detail.get(_TIMER, entry) is None
