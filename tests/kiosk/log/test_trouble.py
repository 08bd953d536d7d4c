"""What a disk can do while the station runs: each is one sentence, nothing is lost, and the next row is tried afresh."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from game.challenge_log.entry import Entry, Kind
from game.challenge_log.reading import entry_of, reading, rows, verify
from game.challenge_log.row import LogError
from kiosk.log.log import Log, open_log
from tests.appliance.records import losing
from tests.appliance.records.damage import tamper
from tests.appliance.records.refusing import bound_by_permissions, no_file_larger
from tests.errors import with_fields
from tests.kiosk.log.making import LOOKUP, STATION, S, at_table, kept_in, refusal, tables_in, written


def _fill(log: Log, first: int = 0) -> int:
    """Write rows, of tables from ``first`` on, until the disk is full; return how many went in."""
    for count in range(1000):
        try:
            log.append(Entry(Kind.CHANGED, first + count, why="x" * 1000), S, STATION)
        except OSError:
            return count
    raise AssertionError("the disk never filled")


def test_a_disk_that_takes_no_more_is_said_and_the_next_row_goes_in_when_there_is_room(tmp_path: Path) -> None:
    with open_log(tmp_path / "station.db") as log:
        with no_file_larger(64 * 1024):
            count = 0
            # Closing moves the rows from the WAL to the file, which makes room for some more.
            while more := _fill(log, count):
                count += more
            assert "Free some space" in refusal(log)
            assert str(log.trouble) == refusal(log)
            assert [kept.seq for kept in rows(log.path, None, 1)] == [count]
        assert log.append(LOOKUP, S, STATION) == count + 1
    assert [log.trouble, log.news] == [None, None]
    assert tables_in(log.path) == [*range(count), 12]


def test_a_full_database_is_said_by_its_own_name(path: Path) -> None:
    with open_log(path) as log:
        assert log._store is not None
        # As many pages as there are: SQLite answers as on a disk without room.
        connection = log._store._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        count = _fill(log)
        assert str(log.trouble) == f"The log cannot be written: {path}: the disk is full. Free some space."
        # A fresh connection knows nothing of that bound.
        assert log.append(LOOKUP, S, STATION) == 14 + count + 1


def test_a_start_on_a_disk_without_room_is_no_end_of_the_station(tmp_path: Path) -> None:
    with no_file_larger(4096):
        log = open_log(tmp_path / "station.db")
        assert log.trouble is not None
        assert refusal(log) == str(log.trouble)
    with log:
        assert log.append(LOOKUP, S, STATION) == 1
        assert log.trouble is None


def test_a_folder_in_place_of_the_file_is_said_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "station.db").mkdir()
    with open_log(tmp_path / "station.db") as log:
        assert refusal(log) == f"The log cannot be written: {log.path}: it is a folder. Name a file in it."
        (tmp_path / "station.db").rmdir()
        assert log.append(LOOKUP, S, STATION) == 1


def test_a_device_in_place_of_the_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "station.db").symlink_to("/dev/null")
    with open_log(tmp_path / "station.db") as log:
        assert refusal(log) == f"The log cannot be written: {log.path}: it is no regular file. Name a regular file."


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with open_log(tmp_path / "file" / "station.db") as log:
        assert "file exists. Check the path and the disk." in refusal(log)


def test_a_log_that_another_program_holds_is_said_and_written_to_when_it_lets_go(path: Path) -> None:
    with open_log(path) as log, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert refusal(log) == f"The log cannot be written: {path}: another program holds the file. Close that program."
        other.execute("ROLLBACK")
        assert log.append(LOOKUP, S, STATION) == 15


def test_a_read_only_folder_is_said_and_the_log_in_it_can_still_be_read(open_folder: Path) -> None:
    path = written(open_folder / "station.db")
    path.chmod(0o444)
    (open_folder / "station.db-lock").unlink()
    open_folder.chmod(0o555)
    with bound_by_permissions():
        assert [kept.seq for kept in rows(path, None, 2)] == [14, 13]
        with open_log(path) as log:
            assert refusal(log) == f"The log cannot be written: {path}: the disk or the file is read-only. Make it writable."
    open_folder.chmod(0o755)


def _another_log(path: Path) -> None:
    written(path.with_name("other.db"), 3).replace(path)


@pytest.mark.parametrize(
    "lose", [losing.deleted, losing.only_the_file, losing.moved_away, _another_log, losing.another_program, losing.folder_gone]
)
def test_a_file_lost_while_the_station_runs_is_said_and_the_next_log_says_so_in_its_first_row(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = tmp_path / "a" / "station.db"
    with open_log(path) as log:
        log.append(at_table(1), S, STATION)
        lose(path)
        assert "deleted or replaced while the program ran" in refusal(log)
        row = log.append(at_table(2), 2 * S, STATION)
        assert log.append(at_table(3), 3 * S, STATION) == row + 1
        assert log.news is not None
    note, second, third = (entry_of(kept) for kept in kept_in(path)[-3:])
    assert note == Entry(Kind.CHANGED, why=log.news)
    assert (second.table, third.table) == (2, 3)


@pytest.mark.parametrize("lose", [losing.a_copy, losing.only_the_wal])
def test_where_every_row_is_still_there_the_log_goes_on_without_a_word(path: Path, lose: Callable[[Path], None]) -> None:
    with open_log(path) as log:
        log.append(at_table(15), S, STATION)
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint")
        lose(path)
        assert "deleted or replaced while the program ran" in refusal(log)
        assert log.append(at_table(16), S, STATION) == 16
        assert log.news is None
    assert tables_in(path) == list(range(1, 17))


def test_a_log_damaged_while_the_station_runs_is_set_aside_and_a_new_one_begun(path: Path) -> None:
    with open_log(path) as log:
        log.append(at_table(15), S, STATION)
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # What a worn card does: the same file, other bytes; then it is mounted again.
        damaged = b"\xff" * path.stat().st_size
        path.write_bytes(damaged)
        losing.only_the_wal(path)
        refusal(log)
        assert log.append(LOOKUP, S, STATION) == 2
        assert log.news is not None
        assert log.news.endswith("damaged: it is no SQLite file. A new one was begun.")
    assert [entry_of(kept).why for kept in kept_in(path)] == [log.news, None]
    assert [each.read_bytes() for each in path.parent.glob("*.damaged")] == [damaged]


def test_a_path_that_cannot_be_looked_at_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, check=with_fields(found="file name too long")):
        rows(tmp_path / ("a" * 300) / "station.db", None, 1)


def test_a_text_that_a_flipped_bit_made_bytes_of_is_refused_in_a_sentence(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '')")
    tamper(path, "UPDATE rows SET wall = CAST(wall AS BLOB) WHERE seq = 14")
    with pytest.raises(LogError, check=with_fields(found=re.compile("row 14"))):
        rows(path, None, 1)
    with reading(path) as connection:
        fault = verify(connection).fault
    assert fault is not None
    assert "row 14" in fault.meaning
