"""The log: every look-up, every verdict and every opening of the director's door, in one append-only, hash-chained SQLite file; and its export for the director.

When ``write`` returns, the row is on the disk; only then its verdict is shown. ``LogRecorder`` holds the rows in memory while the log cannot be written. Held
rows retain their own instants, and are written in order before the next row, marked ``late``. A crash or a power cut loses them, because nothing but the log
survives the program. The export is a table for a spreadsheet (CSV), or JSON Lines for a program.
"""

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final, Self

from msgspec.structs import asdict, replace

from appliance.clocks import Clocks
from appliance.errors import Diagnosis, InUse, RecordError, counted
from appliance.log import get_logger as logbook
from appliance.records.chain import ChainLink
from appliance.records.files import PRIVATE, beside, deny_others, only_writer, require_another, write_export
from appliance.records.rows import FAULTS, MarkedEnd, RecordWriter, SlowestWrite
from appliance.records.sqlite import describe_io_error
from appliance.spreadsheet import MARK, harmless
from faults.errors import Phrase, as_phrase
from kiosk.context import Trouble, TroubleKind
from records.entry import Entry, Kind
from records.log import (
    FILES,
    LOG,
    Happened,
    NotLogged,
    Row,
    cut,
    door_refusals,
    encode,
    entry_of,
    happened,
    reading,
    row_of,
    rows_from,
)


def for_the_director(path: Path) -> None:
    """Remove other users' permissions from the log at ``path`` and its files, as far as permitted."""
    for suffix in FILES:
        deny_others(beside(path, suffix))


_CLOCKS: Final = Clocks()


class Log(RecordWriter[Row, MarkedEnd]):
    """The log at ``path``, for one writer and one thread. Opened at once if possible; otherwise each ``write`` tries with a new connection.

    ``trouble`` says why nothing can be written now, also a foreign file there; the director's setting decides whether the station judges meanwhile. ``news``
    says what happened to a damaged or lost log. Otherwise both are None. ``on_rows`` is called after each commit.
    """

    _remedy = "The next row begins or continues what is there now"

    def __init__(self, path: Path, clocks: Clocks = _CLOCKS, on_rows: Callable[[], None] | None = None) -> None:
        """Open the log, for this process alone. Raises InUse: another process writes to it."""
        super().__init__(path, LOG)
        self.trouble: Diagnosis | None = None
        self.news: Phrase | None = None
        self.slowest = SlowestWrite(clocks.now)
        self._clocks = clocks
        self._on_rows = on_rows
        self._after_all: set[Happened] = set()
        """Rows whose commit failed but may exist after all: the next opening shows."""
        self._pending_news: Phrase | None = None
        self._held, self._is_locked = ExitStack(), False
        self._lock()
        try:
            self.opened()
        except FAULTS as error:
            self._failed(error)

    def row(self, entry: Entry, at_mono: int, station: str) -> Row:
        return row_of(entry, self._clocks.stamp(at_mono), station)

    def write(self, rows: Sequence[Row], *, late: bool = False) -> int:
        """Write ``rows``, at least one, in this order, all or none; return the number of the last once on the disk. Raises NotLogged, with reason and remedy.

        ``late``: they were tried before. A row that is on the disk despite an error is not written twice.
        """
        try:
            self.opened()
            wanted = [row for row in rows if happened(row) not in self._after_all] if late else rows
            with self.slowest.measured():
                self._append([*self._news(rows[-1].station), *wanted], MarkedEnd)
        except (*FAULTS, InUse) as error:
            raise self._failed(error) from error
        self.trouble = self._pending_news = None
        if self._on_rows is not None:
            self._on_rows()
        return self.seq

    def door_refusals(self) -> int:
        """Return how often a wrong PIN was entered since the door was last opened: throttling survives a restart. Raises NotLogged: the log cannot be opened."""
        try:
            return door_refusals(self.opened())
        except (*FAULTS, InUse) as error:
            raise self._failed(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._held.close()

    def _prepare(self) -> None:
        self._lock()
        self.ready()
        # Copies of a log may be readable by everyone.
        for_the_director(self.path)

    def _found(self, connection: sqlite3.Connection, lost: bool) -> None:
        if self.aside is not None:
            for_the_director(self.aside.path)
            said = Phrase(
                "The log was set aside as {file}: {fault}. A new one was begun.", file=self.aside.path, fault=as_phrase(self.aside.fault)
            )
            self._report_new_log(said)
        elif lost:
            rows = Phrase("1 row") if self.seq == 1 else Phrase("{count} rows", count=self.seq)
            self._report_new_log(Phrase("The log before this row, of {rows}, was deleted or replaced while the station ran.", rows=rows))
        elif self._file is not None:
            self._after_all |= {happened(stored.row) for stored in rows_from(connection, self.seq + 1)}

    def _lock(self) -> None:
        """Lock the log against other programs, once it exists; no lock is made beside a foreign file before that is renamed."""
        if self._is_locked:
            return
        with ExitStack() as trying:
            remedy = "End that one, or name another file with --log"
            self._is_locked = trying.enter_context(
                only_writer(self.path, "a log that no other station writes to", remedy, LOG.schema.application_id)
            )
            if self._is_locked:
                self._held = trying.pop_all()

    def _report_new_log(self, news: Phrase) -> None:
        self.news = self._pending_news = news
        self._after_all.clear()

    def _news(self, station: str) -> list[Row]:
        return [] if self._pending_news is None else [self.row(Entry(Kind.CHANGED, why=self._pending_news), self._clocks.now(), station)]

    def _failed(self, error: sqlite3.Error | OSError | InUse) -> NotLogged:
        self.close()
        why = describe_io_error(error)
        refused = NotLogged(where=self.path, expected="to write the log", found=why.problem, remedy=why.remedy)
        self.trouble = Diagnosis.of(refused)
        return refused


MAX_HELD: Final = 1000
"""The most rows held: days of a full disk, in a megabyte. The oldest rows are held; the next row states how many more there were."""
AT_ONCE: Final = 100
"""Late rows of one commit: a disk with little room takes some, and a verdict does not wait for a commit of each."""
LONGEST_REASON: Final = 300
"""The most characters of the reason why a row is late, so that its own text fits too."""


class LogRecorder:
    """Writes rows, stamped by ``clocks``, and knows whether they can be written; holds ``most`` at the most.

    ``judges_on``: the director permits verdicts that cannot be logged. Otherwise there is none, and its row later says that nothing was judged.
    """

    def __init__(self, log: Log, clocks: Clocks, station: str, *, judges_on: bool = False, most: int = MAX_HELD) -> None:
        self.station = station
        self._log = log
        self._clocks = clocks
        self._judges_on = judges_on
        self._most = most
        self._held: list[Row] = []
        self._lost = 0

    @property
    def trouble(self) -> Trouble | None:
        """Why nothing can be written, as of the last attempt; None: it succeeded."""
        # Read once, because the self-test calls this in its own thread.
        why = self._log.trouble
        return None if why is None else Trouble(TroubleKind.LOG, why)

    @property
    def news(self) -> Phrase | None:
        """News of a damaged or lost log; None: the log is intact."""
        return self._log.news

    def commit(self, entry: Entry) -> int:
        """Write ``entry``, a verdict, to the disk and return its row. Raises NotLogged: it is held if the director permits it, else a row that none was given."""
        return self._written(entry, entry if self._judges_on else replace(entry, kind=Kind.REFUSED, acceptable=None))

    def write(self, entry: Entry) -> int | None:
        try:
            return self._written(entry, entry)
        except NotLogged:
            return None

    def try_again(self) -> None:
        """Try to write a row about the failure, and before it the held rows."""
        if self._log.trouble is None:
            return
        # If verdicts were given meanwhile, nothing was refused.
        kind = Kind.CHANGED if self._judges_on else Kind.REFUSED
        with suppress(NotLogged):
            self._written(Entry(kind, why=f"for a time: {self._log.trouble}"), None)

    def stop(self, why: str) -> int | None:
        """Log that the program ends, and ``why``; return the row, or None: it could not be written. Report how many rows are lost by that."""
        row = self.write(Entry(Kind.STOPPED, why=why))
        if lost := len(self._held) + self._lost:
            logbook().error("rows of the log are lost", rows=lost, why=str(self._log.trouble))
        return row

    def _written(self, entry: Entry, late: Entry | None) -> int:
        """Write ``entry``; on failure, hold ``late``."""
        row, before = self._log.row(self._with_the_gap(entry), self._clocks.now(), self.station), self._log.trouble
        try:
            self._catch_up()
            seq = self._log.write((row,))
        except NotLogged:
            if before is None:
                logbook().error("the log cannot be written", why=str(self._log.trouble))
            if late is not None:
                self._hold(late, row)
            raise
        if before is not None:
            logbook().info("the log is written again", lost=self._lost)
        self._lost = 0
        return seq

    def _catch_up(self) -> None:
        while self._held:
            self._log.write(self._held[:AT_ONCE], late=True)
            del self._held[:AT_ONCE]

    def _hold(self, entry: Entry, tried: Row) -> None:
        if len(self._held) >= self._most:
            self._lost += 1
            return
        late = self._with_the_gap(_remarked(entry, f"late: {cut(str(self._log.trouble or ''), LONGEST_REASON)}"))
        self._held.append(replace(tried, kind=late.kind.value, body=encode(late)))
        self._lost = 0

    def _with_the_gap(self, entry: Entry) -> Entry:
        return _remarked(entry, f"{counted(self._lost, 'row')} before this one could not be written") if self._lost else entry


def _remarked(entry: Entry, remark: str) -> Entry:
    # At the start, because a long reason is cut at its end.
    return replace(entry, why=f"[{remark}] {entry.why or ''}".strip())


COLUMNS: Final = (
    "row",
    "time",
    "station",
    "kind",
    "table",
    "challenger",
    "words",
    "verdict",
    "first",
    "last_play",
    "way",
    "rulebook",
    "lexicon",
    "edition",
    "lexicon_words",
    "lexicon_sha256",
    "alphabet",
    "practice",
    "why",
    "mono_ns",
    "boot",
    "hash",
)


def export_csv(path: Path, target: Path) -> int:
    """Write the log at ``path`` to ``target`` as CSV, whole or not at all; return the number of rows once on the disk. Raises RecordError."""
    require_another(target, path, "the log", FILES)
    with reading(path) as connection:
        return write_export(target, csv_lines(rows_from(connection, 1)), PRIVATE) - 1


def csv_lines(rows: Iterable[ChainLink[Row]]) -> Iterator[str]:
    """Yield a header and each row in the format of RFC 4180, with CR LF. The words of a play share one cell, separated by blanks.

    The header begins with a mark, and a cell that a spreadsheet would take for a formula with an apostrophe. For an unreadable row, ``why`` says so.
    """
    return chain([MARK + _csv_line(COLUMNS)], map(_csv_line, map(_cells, rows)))


def json_lines(rows: Iterable[ChainLink[Row]]) -> Iterator[str]:
    """Yield each row as a JSON object on its own line, without empty keys."""
    return (json.dumps(fields, ensure_ascii=False) + "\n" for fields in map(fields_of, rows))


def fields_of(stored: ChainLink[Row]) -> dict[str, Any]:
    """Return the fields of a row by the names in ``COLUMNS``; ``words`` as a list, ``lexicon`` as an object."""
    row, entry = stored.row, readable(stored)
    fields = {
        "row": stored.seq,
        "time": row.wall,
        "station": row.station,
        "kind": row.kind,
        "table": row.table,
        "challenger": entry.challenger,
        "words": list(entry.words) or None,
        "verdict": None if entry.acceptable is None else "acceptable" if entry.acceptable else "unacceptable",
        "first": entry.first,
        "last_play": entry.last_play,
        "way": entry.way,
        "rulebook": entry.rulebook,
        "lexicon": None if entry.lexicon is None else {**asdict(entry.lexicon), "short_hash": entry.lexicon.short_hash},
        "why": entry.why,
        "mono_ns": row.mono,
        "boot": row.boot,
        "hash": stored.hash,
    }
    return {name: value for name, value in fields.items() if value is not None}


def readable(stored: ChainLink[Row]) -> Entry:
    """Return the entry of a row; for an unreadable one, the readable rest with the error in ``why``, because other rows are not affected."""
    try:
        return entry_of(stored)
    except RecordError as error:
        return Entry(stored.row.kind, stored.row.table, why=error.sentences)  # type: ignore[arg-type]  # a kind that there is not, as it stands there


def _cells(stored: ChainLink[Row]) -> tuple[str, ...]:
    fields = fields_of(stored)
    if "words" in fields:
        fields["words"] = " ".join(fields["words"])
    if "last_play" in fields:
        fields["last_play"] = _yes_no(fields["last_play"])
    if (lexicon := fields.get("lexicon")) is not None:
        fields |= {
            "lexicon": lexicon["name"],
            "edition": lexicon["edition"],
            "lexicon_words": lexicon["words"],
            "lexicon_sha256": lexicon["sha256"],
            "alphabet": lexicon["alphabet"],
            "practice": _yes_no(lexicon["practice"]),
        }
    return tuple(str(fields.get(name, "")) for name in COLUMNS)


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(map(harmless, cells))
    return line.getvalue()
