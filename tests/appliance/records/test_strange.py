"""Somebody else's file is left alone; what is kept beside a file of record is known by any name, and read by nobody it is not for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.errors import Diagnosis, NotOurs
from appliance.records.fault import quarantine
from appliance.records.files import belongs, beside, deny_others, only_writer
from appliance.records.sqlite import connect, create, describe_io_error
from tests.appliance.records.test_sqlite import NOTES, first_line, notebook, nothing_wrong, rewritten

STRANGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b"a letter to my aunt"), "it is another kind of file than a notebook, and was left as it was"),
    (lambda path: rewritten(path, "PRAGMA application_id = 1"), "it is another program's database, and was left as it was"),
]


@pytest.mark.parametrize(("put", "told"), STRANGE)
def test_somebody_elses_file_makes_no_room_and_nothing_is_left_beside_it(tmp_path: Path, put: Callable[[Path], object], told: str) -> None:
    path = notebook(tmp_path / "notes.db")
    put(path)
    before = path.read_bytes()
    with only_writer(path, application_id=NOTES.application_id) as held, pytest.raises(NotOurs) as caught:
        quarantine(path, NOTES, nothing_wrong)
    assert not held
    assert describe_io_error(caught.value) == Diagnosis(told, "Move it to another place, or name another file in the settings")
    assert [each.name for each in tmp_path.iterdir()] == ["notes.db"]
    assert path.read_bytes() == before


def test_a_new_file_may_be_read_by_whom_its_kind_lets_from_the_first_moment_and_so_may_what_sqlite_keeps_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    modes: list[int] = []

    def looked_at(connection: sqlite3.Connection) -> None:
        modes.extend(each.stat().st_mode & 0o777 for each in tmp_path.iterdir())
        first_line(connection)

    create(path, replace(NOTES, mode=0o640), looked_at)
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO notes VALUES ('second')")
        modes.extend(each.stat().st_mode & 0o777 for each in tmp_path.iterdir())
    assert len(modes) > 4
    assert set(modes) == {0o640}


def test_rights_of_others_are_taken_from_files_alone(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.touch(0o664)
    folder.mkdir(0o755)
    for path in (file, folder, Path("/dev/null"), tmp_path / "nothing"):
        deny_others(path)
    assert [path.stat().st_mode & 0o007 for path in (file, folder, Path("/dev/null"))] == [0, 5, 6]


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal", "-lock", ".new"])
def test_a_file_of_record_and_all_beside_it_are_known_by_any_name(tmp_path: Path, suffix: str) -> None:
    path = notebook(tmp_path / "notes.db")
    own = beside(path, suffix)
    assert belongs(own, path)
    own.touch()
    (tmp_path / "link").symlink_to(own)
    (tmp_path / "hard").hardlink_to(own)
    (tmp_path / "folder").symlink_to(tmp_path)
    names = (
        own,
        tmp_path / "link",
        tmp_path / "hard",
        tmp_path / "folder" / own.name,
        tmp_path / "folder" / ".." / tmp_path.name / own.name,
    )
    assert [name for name in names if not belongs(name, path)] == []
    # SQLite's own stand beside what a link leads to.
    linked = tmp_path / "elsewhere.db"
    linked.symlink_to(path)
    assert belongs(own, linked)
    assert belongs(beside(linked, suffix), linked)


def test_any_other_file_belongs_to_no_file_of_record(tmp_path: Path) -> None:
    path = notebook(tmp_path / "notes.db")
    (tmp_path / "there.csv").touch()
    for name in ("there.csv", "not there.csv", "notes.db.csv", "notes.db.2026-05-04T03-02-01Z.damaged"):
        assert not belongs(tmp_path / name, path)
