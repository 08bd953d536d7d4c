"""A file of record of a kind made up here: it comes into being whole or not at all, and what is wrong with one is found."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.errors import Diagnosis, DiskError, NoFile, Replaced
from appliance.records.fault import fault_of
from appliance.records.files import beside, identity, require_file, set_aside
from appliance.records.sqlite import Schema, begin, code, connect, create, describe_io_error, open_read_only
from tests.errors import with_fields

NOTES = Schema("a notebook", application_id=0x4E4F5445, version=3, tables=("CREATE TABLE notes (line TEXT NOT NULL) STRICT",))
NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def first_line(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO notes VALUES ('first')")


def nothing_wrong(connection: sqlite3.Connection) -> str | None:
    return None


def notebook(path: Path) -> Path:
    create(path, NOTES, first_line)
    return path


def test_a_new_file_has_its_tables_its_first_line_and_keeps_what_is_committed(tmp_path: Path) -> None:
    path = notebook(tmp_path / "new folder" / "notes.db")
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO notes VALUES ('second')")
    with closing(open_read_only(path)) as connection:
        assert connection.execute("SELECT line FROM notes").fetchall() == [("first",), ("second",)]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert fault_of(path, NOTES, nothing_wrong) is None


def test_a_file_that_could_not_be_filled_leaves_nothing_behind(tmp_path: Path) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        first_line(connection)
        raise OSError("the card was pulled")

    with pytest.raises(OSError, match="the card was pulled"):
        create(tmp_path / "notes.db", NOTES, fails)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_missing_is_not_made_by_opening_it(tmp_path: Path) -> None:
    for opening in (connect, open_read_only):
        with pytest.raises(sqlite3.OperationalError):
            opening(tmp_path / "notes.db")
    assert list(tmp_path.iterdir()) == []


def test_what_a_lost_file_left_beside_it_is_set_aside_before_a_new_one_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    beside(path, "-wal").write_bytes(b"pages of another file")
    begin(path, NOTES, first_line, NOW)
    assert (tmp_path / "notes.db.2026-05-04T03-02-01Z.damaged-wal").read_bytes() == b"pages of another file"
    assert fault_of(path, NOTES, nothing_wrong) is None


def test_no_file_is_set_aside_onto_another(tmp_path: Path) -> None:
    names = []
    for content in ("one", "two", "three"):
        (tmp_path / "notes.db").write_text(content)
        names.append(set_aside(tmp_path / "notes.db", NOW))
    assert [name.read_text() for name in names] == ["one", "two", "three"]


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b""), "it is empty"),
    (lambda path: path.write_bytes(b"\0" * 4096), "it is no SQLite file"),
    (lambda path: beside(path, "-lock").write_bytes(b"") + path.write_bytes(b"a letter to my aunt"), "it is no SQLite file"),
    (lambda path: path.rename(beside(path, "-wal")), "the file is gone, its WAL is there"),
    (lambda path: rewritten(path, "PRAGMA user_version = 4"), "it is of version 4; this program writes version 3"),
    (lambda path: rewritten(path, "CREATE TABLE more (line TEXT)"), "its tables are not those of a notebook"),
    (lambda path: path.write_bytes(path.read_bytes()[:4096]), ""),
]


def rewritten(path: Path, statement: str) -> None:
    with closing(connect(path)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize(("harm", "told"), DAMAGE)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, harm: Callable[[Path], object], told: str) -> None:
    path = notebook(tmp_path / "notes.db")
    harm(path)
    found = fault_of(path, NOTES, nothing_wrong)
    assert found is not None
    assert told in found


def test_a_sound_file_is_asked_what_its_own_program_knows_of_its_rows(tmp_path: Path) -> None:
    path = notebook(tmp_path / "notes.db")
    assert fault_of(path, NOTES, lambda connection: str(connection.execute("SELECT count(*) FROM notes").fetchone()[0])) == "1"
    path.write_bytes(b"")
    assert fault_of(path, NOTES, lambda connection: "never asked") == "it is empty"


def test_a_folder_can_be_no_file_and_a_missing_one_can_become_one(tmp_path: Path) -> None:
    for path, clause in ((tmp_path, "it is a folder"), (Path("/dev/null"), "it is no regular file")):
        with pytest.raises(NoFile) as caught:
            require_file(path, "a notebook")
        assert (caught.value.clause, caught.value.where) == (clause, str(path))
    require_file(tmp_path / "notes.db", "a notebook")
    assert fault_of(tmp_path / "notes.db", NOTES, nothing_wrong) is None
    with pytest.raises(NoFile, check=with_fields(where=str(tmp_path))):
        fault_of(tmp_path, NOTES, nothing_wrong)


def test_a_file_put_in_anothers_place_is_another_file(tmp_path: Path) -> None:
    path, other = notebook(tmp_path / "notes.db"), notebook(tmp_path / "other.db")
    before = identity(path)
    assert before == identity(path)
    other.rename(path)
    assert identity(path) not in (before, None)
    path.unlink()
    assert identity(path) is None


def test_a_locked_file_is_told_to_be_held_by_another_program(tmp_path: Path) -> None:
    path = notebook(tmp_path / "notes.db")
    with closing(connect(path)) as one, closing(connect(path)) as other:
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            other.execute("BEGIN IMMEDIATE")
    assert code(caught.value) == sqlite3.SQLITE_BUSY
    assert describe_io_error(caught.value) == Diagnosis("another program holds the file", "Close that program")


def test_an_error_of_the_disk_says_what_to_do_and_one_of_ours_says_what_it_says() -> None:
    assert describe_io_error(OSError(errno.ENOTDIR, "Not a directory")) == Diagnosis("not a directory", "Check the path and the disk")
    assert describe_io_error(OSError(errno.ENOSPC, "x")) == Diagnosis("the disk is full", "Free some space")
    replaced = Replaced("the file was replaced", expected="the same", remedy="Open it again")
    assert describe_io_error(replaced) == Diagnosis("the file was replaced", "Open it again")
    assert issubclass(Replaced, DiskError)
    assert code(sqlite3.ProgrammingError("by the module itself")) == 0


@pytest.mark.needs_root
def test_what_root_creates_belongs_to_the_owner_of_the_folder_also_beside_it(tmp_path: Path) -> None:
    owner = 12_345
    os.chown(tmp_path, owner, owner)
    with closing(connect(notebook(tmp_path / "notes.db"))) as connection:
        connection.execute("INSERT INTO notes VALUES ('second')")
        # The WAL and its index too: another user's program goes on with them.
        assert {path.name: path.stat().st_uid for path in tmp_path.iterdir()} == {
            "notes.db": owner,
            "notes.db-wal": owner,
            "notes.db-shm": owner,
        }
