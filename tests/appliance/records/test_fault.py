"""Is a file of record whole? Damage is found wherever it lies, and a sound file that cannot be looked at just now is no damaged one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from appliance.records.fault import fault_of, quarantine
from appliance.records.files import beside, identity
from appliance.records.sqlite import Schema, code, connect, create, open_read_only
from tests.appliance.records.refusing import bound_by_permissions, open_folder

__all__ = ["open_folder"]

NOTES = Schema("a notebook", application_id=0x4E4F5445, version=3, tables=("CREATE TABLE notes (line TEXT NOT NULL) STRICT",))
INDEXED = Schema(
    "an indexed notebook", 0x4E4F5449, 1, ("CREATE TABLE notes (line TEXT NOT NULL) STRICT", "CREATE INDEX by_line ON notes (line)")
)


def nothing_wrong(connection: sqlite3.Connection) -> str | None:
    return None


def notebook(path: Path) -> Path:
    create(path, NOTES, lambda connection: None)
    return path


def many_lines(connection: sqlite3.Connection) -> None:
    connection.executemany("INSERT INTO notes VALUES (?)", [(f"line {number:05}",) for number in range(2_000)])


def all_lines(connection: sqlite3.Connection) -> str | None:
    """Look at every row, as a program does that knows them."""
    return None if len(connection.execute("SELECT line FROM notes NOT INDEXED").fetchall()) == 2_000 else "lines are missing"


def test_damage_where_no_row_lies_is_found_too(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    create(path, INDEXED, many_lines)
    assert fault_of(path, INDEXED, all_lines) is None
    with closing(open_read_only(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'by_line'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))
    with closing(open_read_only(path)) as connection:
        assert all_lines(connection) is None
    assert fault_of(path, INDEXED, all_lines) is not None


def test_a_sound_file_that_another_program_holds_for_itself_is_not_taken_for_a_damaged_one(tmp_path: Path) -> None:
    path = notebook(tmp_path / "notes.db")
    with closing(connect(path)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("INSERT INTO notes VALUES ('second')")
        before = identity(path)
        with pytest.raises(sqlite3.OperationalError) as caught:
            quarantine(path, NOTES, nothing_wrong)
        assert code(caught.value) == sqlite3.SQLITE_BUSY
        assert identity(path) == before
    assert quarantine(path, NOTES, nothing_wrong) is None


def test_a_sound_file_that_cannot_be_opened_just_now_is_not_taken_for_a_damaged_one(open_folder: Path) -> None:
    path = notebook(open_folder / "kept" / "notes.db")
    with closing(connect(path)) as writer:
        # A program that was killed left its WAL; a reader needs an index of it beside the file, and may not make one in this folder.
        writer.execute("INSERT INTO notes VALUES ('second')")
        kept = {suffix: beside(path, suffix).read_bytes() for suffix in ("", "-wal")}
    for suffix, content in kept.items():
        beside(path, suffix).write_bytes(content)
        beside(path, suffix).chmod(0o644)
    path.parent.chmod(0o555)
    try:
        with bound_by_permissions(), pytest.raises(sqlite3.OperationalError) as caught:
            quarantine(path, NOTES, nothing_wrong)
    finally:
        path.parent.chmod(0o755)
    assert code(caught.value) == sqlite3.SQLITE_CANTOPEN
    assert sorted(each.name for each in path.parent.iterdir()) == ["notes.db", "notes.db-wal"]
    assert quarantine(path, NOTES, nothing_wrong) is None
