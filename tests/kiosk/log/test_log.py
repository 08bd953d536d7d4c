"""The log in use: rows are committed when ``append`` returns, in order whatever the wall clock does, and can be read meanwhile."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.clocks import Clocks, Stamp
from appliance.errors import InUse
from appliance.records.sqlite import connect
from game.challenge_log.entry import Entry, Kind
from game.challenge_log.reading import DoorRefusals, entry_of, rows
from game.challenge_log.row import LONGEST_STATION
from kiosk.log.log import open_log
from tests.errors import with_fields
from tests.kiosk.log.making import CLOCKS, LOOKUP, STATION, S, at_table, kept_in, tables_in, written


def test_a_log_is_begun_where_there_is_none_with_its_folders(tmp_path: Path) -> None:
    with open_log(tmp_path / "a" / "b" / "station.db") as log:
        assert (log.trouble, log.news) == (None, None)
    assert kept_in(tmp_path / "a" / "b" / "station.db") == []


def test_a_row_is_in_the_file_when_append_returns_with_all_that_was_said(tmp_path: Path) -> None:
    with open_log(tmp_path / "station.db", CLOCKS) as log:
        assert log.append(LOOKUP, 7 * S, STATION) == 1
        # Another connection sees it: it is committed.
        (kept,) = kept_in(log.path)
    assert entry_of(kept) == LOOKUP
    assert kept.row.stamp == Stamp(7 * S, "boot", "2026-07-03T10:00:00.000+00:00")
    assert (kept.row.station, kept.row.table, kept.row.kind) == (STATION, 12, "lookup")


def test_a_log_that_is_whole_goes_on_with_the_next_row(path: Path) -> None:
    with open_log(path) as log:
        assert log.append(at_table(15), S, STATION) == 15
        assert log.news is None
    assert tables_in(path) == list(range(1, 16))


def test_the_file_is_in_wal_mode_and_every_commit_is_synced(path: Path) -> None:
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE rows SET table_number = 3",
        "DELETE FROM rows WHERE seq = 14",
        "INSERT INTO rows SELECT 5, kind, mono, boot, wall, station, table_number, body, hash FROM rows WHERE seq = 5",
        "INSERT OR REPLACE INTO rows SELECT 5, kind, mono, boot, wall, station, table_number, body, hash FROM rows WHERE seq = 5",
        "INSERT INTO rows VALUES (15, 'x', 'not a number', '', '', '', 1, '', '')",
    ],
)
def test_rows_can_be_neither_changed_nor_removed_nor_put_between(path: Path, change: str) -> None:
    with closing(connect(path)) as connection, pytest.raises(sqlite3.Error):
        connection.execute(change)
    assert len(kept_in(path)) == 14


def test_the_wall_clock_set_back_an_hour_changes_neither_order_nor_chain(tmp_path: Path) -> None:
    walls = iter(["2026-07-03T10:00:00+00:00", "2026-07-03T09:00:00+00:00", "2026-07-03T09:00:01+00:00"])
    with open_log(tmp_path / "station.db", replace(CLOCKS, wall=lambda: next(walls))) as log:
        for table in (1, 2, 3):
            log.append(at_table(table), table * S, STATION)
    kept = kept_in(log.path)
    assert [each.row.table for each in kept] == [1, 2, 3]
    assert [each.row.stamp.mono for each in kept] == [S, 2 * S, 3 * S]
    assert kept[0].row.stamp.wall > kept[1].row.stamp.wall
    with open_log(log.path) as again:
        assert again.news is None


def test_a_second_station_is_turned_away_and_may_come_when_the_first_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "station.db"
    with open_log(path), pytest.raises(InUse, check=with_fields(where=str(path), expected="a log that no other station writes to")):
        open_log(path)
    with open_log(path) as log:
        assert log.append(LOOKUP, S, STATION) == 1


def test_rows_are_read_newest_first_page_by_page_while_the_station_writes(path: Path) -> None:
    with open_log(path) as log:
        assert [kept.seq for kept in rows(path, None, 5)] == [14, 13, 12, 11, 10]
        log.append(at_table(15), S, STATION)
        assert [kept.seq for kept in rows(path, 10, 5)] == [9, 8, 7, 6, 5]
        assert [kept.seq for kept in rows(path, 3, 5)] == [2, 1]
        assert [kept.seq for kept in rows(path, None, 2)] == [15, 14]
        assert rows(path, 1, 5) == ()


def test_wrong_pins_are_counted_since_the_door_was_last_opened_and_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "station.db"
    refused, opened = Entry(Kind.DOOR_REFUSED), Entry(Kind.DOOR_OPENED)
    with open_log(path, CLOCKS) as log:
        assert log.door_refusals() == DoorRefusals(0, None)
        for at, entry in enumerate([refused, refused, opened, refused, LOOKUP, refused, LOOKUP]):
            log.append(entry, at * S, STATION)
    with open_log(path) as log:
        assert log.door_refusals() == DoorRefusals(2, Stamp(5 * S, "boot", CLOCKS.wall()))
        log.append(opened, 9 * S, STATION)
        assert log.door_refusals() == DoorRefusals(0, None)


def test_a_stations_name_without_end_or_with_half_a_character_costs_no_row(tmp_path: Path) -> None:
    with open_log(tmp_path / "station.db", CLOCKS) as log:
        log.append(LOOKUP, S, "x" * 10_000)
        log.append(LOOKUP, S, "\udcff")
    assert [kept.row.station for kept in kept_in(log.path)] == ["x" * (LONGEST_STATION - 1) + "…", "\\udcff"]


def test_the_machines_own_clocks_are_read_where_no_others_are_given(tmp_path: Path) -> None:
    with open_log(tmp_path / "station.db") as log:
        log.append(LOOKUP, S, STATION)
    (kept,) = kept_in(log.path)
    assert kept.row.stamp.boot == Clocks().boot()
    assert kept.row.stamp.wall.endswith("+00:00")


def test_a_long_log_is_opened_by_its_end(tmp_path: Path) -> None:
    path = written(tmp_path / "station.db", 2100)
    with open_log(path) as log:
        assert (log.trouble, log.news) == (None, None)
        assert log.append(LOOKUP, S, STATION) == 2101
