"""Who may read the log: its owner and group, from the first moment, and after an upgrade from a version that let everybody."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from appliance.records.files import beside
from game.challenge_log.row import LogError
from kiosk.log.export import export_csv
from kiosk.log.log import open_log
from kiosk.log.log_files import CHOICES
from kiosk.shell import choices
from tests.errors import with_fields
from tests.kiosk.log.making import LOOKUP, STATION, S, written


def _modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in folder.iterdir()}


def _opened_to_all(path: Path) -> None:
    """Make the log one that an earlier version wrote, with choices, while another program reads it."""
    choices.write(choices.beside(path), {})
    for each in path.parent.iterdir():
        each.chmod(0o644)


def test_a_new_log_and_all_that_is_kept_or_exported_is_nothing_to_others(tmp_path: Path) -> None:
    with open_log(tmp_path / "station.db") as log:
        log.append(LOOKUP, S, STATION)
        choices.write(choices.beside(log.path), {})
        export_csv(log.path, tmp_path / "log.csv")
        names = ["log.csv", "station.db", "station.db-chosen.json", "station.db-lock", "station.db-shm", "station.db-wal"]
        assert _modes(tmp_path) == dict.fromkeys(names, 0o640)


def test_a_log_that_everybody_could_read_is_theirs_no_longer_once_the_station_has_opened_it(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        # A reader keeps WAL and shared memory there.
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM rows").fetchone()
        _opened_to_all(path)
        with open_log(path) as log:
            log.append(LOOKUP, S, STATION)
            modes = _modes(path.parent)
    assert {"station.db-wal", "station.db-shm", f"station.db{CHOICES}"} <= modes.keys()
    assert set(modes.values()) == {0o640}


def test_a_damaged_log_is_set_aside_for_the_director_alone(path: Path) -> None:
    _opened_to_all(path)
    path.write_bytes(path.read_bytes()[:9000])
    open_log(path).close()
    (aside,) = path.parent.glob("*.damaged")
    assert aside.stat().st_mode & 0o777 == 0o640


def test_choices_that_a_power_cut_left_half_written_give_nobody_rights(path: Path) -> None:
    kept = choices.beside(path)
    beside(kept, ".new").touch(0o666)
    choices.write(kept, {})
    assert kept.stat().st_mode & 0o777 == 0o640


def test_whoever_wants_less_rights_yet_has_them(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        written(tmp_path / "station.db", 1)
        export_csv(tmp_path / "station.db", tmp_path / "log.csv")
    finally:
        os.umask(before)
    assert set(_modes(tmp_path).values()) == {0o600}


def test_the_export_of_the_desk_never_takes_the_logs_own_place(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(LogError, check=with_fields(found=re.compile("the log itself"))):
        export_csv(path, path)
    assert path.read_bytes() == before
