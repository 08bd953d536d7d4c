import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from appliance.clocks import Stamp
from appliance.records.files import beside
from kiosk.log import Log, export_csv
from kiosk.settings import merge
from kiosk.shell.choices import Choices
from records.entry import Entry, Kind
from records.log import CHOICES, LONGEST_STATION, entry_of, rows
from tests.appliance.records import losing
from tests.appliance.records.refusing import no_file_larger
from tests.examples import examples
from tests.kiosk.log.making import CLOCKS, LOOKUP, STATION, S, append, at_table, kept_in, refusal, tables_in, written


def test_a_row_is_in_the_file_when_append_returns_with_all_that_was_said(tmp_path: Path) -> None:
    with Log(tmp_path / "station.db", CLOCKS) as log:
        assert append(log, LOOKUP, 7 * S, STATION) == 1
        # Another connection sees it: it is committed.
        (kept,) = kept_in(log.path)
    assert entry_of(kept) == LOOKUP
    assert kept.row.stamp == Stamp(7 * S, "boot", "2026-07-03T10:00:00.000+00:00")
    assert (kept.row.station, kept.row.table, kept.row.kind) == (STATION, 12, "lookup")


def test_rows_are_read_newest_first_page_by_page_while_the_station_writes(path: Path) -> None:
    with Log(path) as log:
        assert [kept.seq for kept in rows(path, None, 5)] == [14, 13, 12, 11, 10]
        append(log, at_table(15), S, STATION)
        assert [kept.seq for kept in rows(path, 10, 5)] == [9, 8, 7, 6, 5]
        assert [kept.seq for kept in rows(path, 3, 5)] == [2, 1]
        assert [kept.seq for kept in rows(path, None, 2)] == [15, 14]
        assert rows(path, 1, 5) == ()


def test_wrong_pins_are_counted_since_the_door_was_last_opened_and_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "station.db"
    refused, opened = Entry(Kind.DOOR_REFUSED), Entry(Kind.DOOR_OPENED)
    with Log(path, CLOCKS) as log:
        assert log.door_refusals() == 0
        for at, entry in enumerate([refused, refused, opened, refused, LOOKUP, refused, LOOKUP]):
            append(log, entry, at * S, STATION)
    with Log(path) as log:
        assert log.door_refusals() == 2
        append(log, opened, 9 * S, STATION)
        assert log.door_refusals() == 0


def test_a_stations_name_without_end_or_with_half_a_character_costs_no_row(tmp_path: Path) -> None:
    with Log(tmp_path / "station.db", CLOCKS) as log:
        append(log, LOOKUP, S, "x" * 10_000)
        append(log, LOOKUP, S, "\udcff")
    assert [kept.row.station for kept in kept_in(log.path)] == ["x" * (LONGEST_STATION - 1) + "…", "\\udcff"]


def _fill(log: Log, first: int = 0) -> int:
    for count in range(1000):
        try:
            append(log, Entry(Kind.CHANGED, first + count, why="x" * 1000), S, STATION)
        except OSError:
            return count
    raise AssertionError("the disk never filled")


def test_a_full_disk_is_reported_and_the_next_row_goes_in_when_there_is_room(tmp_path: Path) -> None:
    with Log(tmp_path / "station.db") as log:
        with no_file_larger(64 * 1024):
            count = 0
            # Closing moves the rows from the WAL to the file, which makes room for some more.
            while more := _fill(log, count):
                count += more
            assert "Free some space" in refusal(log)
            assert str(log.trouble) == refusal(log)
            assert [kept.seq for kept in rows(log.path, None, 1)] == [count]
        assert append(log, LOOKUP, S, STATION) == count + 1
    assert [log.trouble, log.news] == [None, None]
    assert tables_in(log.path) == [*range(count), 12]


def _another_log(path: Path) -> None:
    written(path.with_name("other.db"), 3).replace(path)


@pytest.mark.parametrize("lose", [losing.deleted, _another_log, losing.another_program])
def test_a_file_lost_while_the_station_runs_is_told_and_the_next_logs_first_row_says_so(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = tmp_path / "a" / "station.db"
    with Log(path) as log:
        append(log, at_table(1), S, STATION)
        lose(path)
        assert "deleted or replaced while the program ran" in refusal(log)
        row = append(log, at_table(2), 2 * S, STATION)
        assert append(log, at_table(3), 3 * S, STATION) == row + 1
        assert log.news is not None
    note, second, third = (entry_of(kept) for kept in kept_in(path)[-3:])
    assert note == Entry(Kind.CHANGED, why=log.news)
    assert (second.table, third.table) == (2, 3)


def _modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in folder.iterdir()}


def _opened_to_all(path: Path) -> None:
    """Make the log one that an earlier version wrote, with choices, while another program reads it."""
    beside(path, CHOICES).touch()
    for each in path.parent.iterdir():
        each.chmod(0o644)


def test_a_new_log_and_all_that_is_kept_or_exported_is_nothing_to_others(tmp_path: Path) -> None:
    with Log(tmp_path / "station.db") as log:
        append(log, LOOKUP, S, STATION)
        Choices(merge([("test", {"log.path": str(log.path)})]).settings).store("name", "Hall 2")
        export_csv(log.path, tmp_path / "log.csv")
        names = ["log.csv", "station.db", "station.db-chosen.json", "station.db-lock", "station.db-shm", "station.db-wal"]
        assert _modes(tmp_path) == dict.fromkeys(names, 0o640)


def test_a_log_that_everybody_could_read_is_theirs_no_longer_once_the_station_has_opened_it(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        # A reader keeps WAL and shared memory there.
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM rows").fetchone()
        _opened_to_all(path)
        with Log(path) as log:
            append(log, LOOKUP, S, STATION)
            modes = _modes(path.parent)
    assert {"station.db-wal", "station.db-shm", f"station.db{CHOICES}"} <= modes.keys()
    assert set(modes.values()) == {0o640}


WRITER = """
import os, sys
from msgspec.structs import replace
from pathlib import Path
from tests.examples import examples
from tests.kiosk.log.making import append, at_table
from kiosk.log import Log

log = Log(Path(sys.argv[1]))
assert log.news is None and log.trouble is None, (log.news, log.trouble)
table = int(sys.argv[2])
while True:
    table += 1
    row = append(log, at_table(table), table, "Hall A")
    # Straight to the pipe: the line arrives even if the process dies next.
    os.write(1, b"%d\\n" % row)
"""


def _killed(path: Path, before: int, after_rows: int) -> int:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(before)], stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None
        said = b""
        while said.count(b"\n") < after_rows:
            said += os.read(process.stdout.fileno(), 4096)
        process.send_signal(signal.SIGKILL)
        while more := os.read(process.stdout.fileno(), 4096):
            said += more
        assert process.wait() == -signal.SIGKILL
    return int(said.split(b"\n")[-2])


def test_after_many_kills_no_row_that_was_said_to_be_in_is_lost_and_the_log_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "station.db"
    chance = random.Random(11)  # noqa: S311 - how long each writer lives
    there = 0
    for _ in range(examples(40)):
        said = _killed(path, there, chance.randrange(1, 60))
        tables = tables_in(path)
        # The one that was on its way when the kill came may be in as well.
        assert said <= len(tables) <= said + 1
        assert tables == list(range(1, len(tables) + 1))
        there = len(tables)
    assert there > 5
