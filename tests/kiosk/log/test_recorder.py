import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.clocks import Clocks
from kiosk.log import AT_ONCE, Log, LogRecorder
from records.entry import Entry, Kind
from records.log import NotLogged, entry_of
from tests.examples import examples
from tests.kiosk.log.making import STATION, kept_in

FINE, FULL, LYING = "fine", "full", "lying"
"""Of the last, a commit is on the disk and reported as failed."""
FAULT = sqlite3.OperationalError("disk I/O error")


@dataclass
class Disk:
    record: LogRecorder
    path: Path
    does: str = FINE
    instants: list[int] = field(default_factory=list)
    """All that the log has asked its clock for: of a row, the first since it was asked for is its own."""

    def given(self, table: int, first: int | None = None) -> int | None:
        entry = Entry(Kind.LOOKUP, table, words=("QI",), acceptable=True, first=first)
        try:
            return self.record.commit(entry)
        except NotLogged:
            return None

    def entries(self) -> list[Entry]:
        return [entry_of(kept) for kept in kept_in(self.path)]


@contextmanager
def disk(folder: Path, *, judges_on: bool = True, most: int = 1000) -> Iterator[Disk]:
    ticks = itertools.count(1)
    instants: list[int] = []

    def now() -> int:
        instants.append(next(ticks))
        return instants[-1]

    append = Log._append
    clocks = Clocks(now, lambda: f"2026-07-03T10:00:00.{instants[-1]:03d}+00:00", lambda: "boot")

    def failing(log: Log, *what: Any) -> None:
        if does.does == FULL:
            raise FAULT
        known = log.seq, log.head
        append(log, *what)
        if does.does == LYING:
            log.seq, log.head = known
            raise FAULT

    with pytest.MonkeyPatch.context() as patch, Log(folder / "station.db", clocks) as log:
        patch.setattr(Log, "_append", failing)
        does = Disk(LogRecorder(log, clocks, STATION, judges_on=judges_on, most=most), log.path, instants=instants)
        yield does


DISKS = st.sampled_from((FINE, FULL, LYING))
DEEDS = st.sampled_from(("verdict", "repeat", "row", "again"))


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.tuples(DISKS, DEEDS), max_size=30))
def test_on_any_disk_every_verdict_is_in_the_log_once_and_in_order_with_its_own_instant_and_link(deeds: list[tuple[str, str]]) -> None:
    with TemporaryDirectory() as folder, disk(Path(folder)) as tried:
        done: list[tuple[int, int, int | None]] = []
        last: tuple[int, int | None] | None = None
        for number, (tried.does, deed) in enumerate(deeds, 1):
            before = len(tried.instants)
            match deed:
                case "verdict":
                    last = (number, tried.given(number))
                    done.append((number, tried.instants[before], None))
                case "repeat" if last is not None:
                    tried.given(number, last[1])
                    done.append((number, tried.instants[before], last[1]))
                case "row":
                    tried.record.write(Entry(Kind.ABORTED, number))
                    done.append((number, tried.instants[before], None))
                case _:
                    tried.record.try_again()
        tried.does = FINE
        tried.given(999)
        rows = [(kept, entry_of(kept)) for kept in kept_in(tried.path)]
        assert [(entry.table, kept.row.mono, entry.first) for kept, entry in rows if entry.table not in (None, 999)] == done
        assert all(entry.acceptable for _, entry in rows if entry.kind is Kind.LOOKUP)
        tables = {kept.seq: entry.table for kept, entry in rows}
        assert all(entry.table is not None and (tables[entry.first] or 999) < entry.table for _, entry in rows if entry.first is not None)


def test_a_row_that_is_late_says_so_and_why_before_what_it_says_itself(tmp_path: Path) -> None:
    with disk(tmp_path) as tried:
        tried.does = FULL
        tried.record.write(Entry(Kind.ABORTED, 7, why="cleared " + "x" * 2000))
        tried.does = FINE
        assert tried.given(8) == 2
        late, after = tried.entries()
        assert (late.why or "").startswith(
            f"[late: The log cannot be written: {tried.path}: disk I/O error. Find out what uses or changed the file.] cleared x"
        )
        assert after.why is None


def test_where_no_verdict_is_given_without_its_row_none_is_written_late(tmp_path: Path) -> None:
    with disk(tmp_path, judges_on=False) as tried:
        tried.does = FULL
        assert tried.given(1) is None
        tried.record.write(Entry(Kind.DOOR_OPENED))
        tried.does = FINE
        tried.record.try_again()
        assert [(entry.kind, entry.table, entry.acceptable) for entry in tried.entries()] == [
            (Kind.REFUSED, 1, None),
            (Kind.DOOR_OPENED, None, None),
            (Kind.REFUSED, None, None),
        ]


def test_beyond_the_bound_the_oldest_are_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    with disk(tmp_path, most=3) as tried:
        tried.does = FULL
        for table in range(1, 6):
            tried.given(table)
        tried.does = FINE
        tried.given(6)
        assert [entry.table for entry in tried.entries()] == [1, 2, 3, 6]
        assert tried.entries()[-1].why == "[2 rows before this one could not be written]"
        tried.given(7)
        assert tried.entries()[-1].why is None


def test_late_rows_are_written_as_there_is_room_and_the_gap_told_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = AT_ONCE + 1
    with disk(tmp_path, most=most) as tried:
        tried.does = FULL
        for table in range(1, most + 2):
            tried.given(table)
        tried.does = FINE
        room, append = [1], Log._append

        def little(*to: Any) -> None:
            if not room:
                raise FAULT
            room.pop()
            append(*to)

        monkeypatch.setattr(Log, "_append", little)
        assert tried.given(most + 2) is None
        assert [entry.table for entry in tried.entries()] == list(range(1, AT_ONCE + 1))
        room += [1] * 9
        tried.given(most + 3)
        assert [entry.table for entry in tried.entries()] == [*range(1, most + 1), most + 2, most + 3]
        assert ["1 row before this one" in (entry.why or "") for entry in tried.entries()[-3:]] == [False, True, False]


def test_rows_that_end_with_the_program_are_counted_on_its_own_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with disk(tmp_path) as tried:
        tried.does = FULL
        tried.given(1)
        tried.record.stop("by a signal")
    assert "rows of the log are lost" in capsys.readouterr().out
    assert kept_in(tmp_path / "station.db") == []
