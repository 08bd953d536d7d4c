import errno
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import DamagedRecord, Diagnosis, DiskError, InUse, NoFile, NotOurs, RecordError, Replaced
from appliance.records.chain import GENESIS, chained, short
from appliance.records.files import belongs, beside, deny_others, identity, only_writer, require_file, set_aside
from appliance.records.rows import CHECKED_ROWS, FAULTS, MarkedEnd, RecordFile, RecordWriter, SlowestWrite, Verified, in_words
from appliance.records.sqlite import (
    Schema,
    append_only,
    begin,
    code,
    connect,
    create,
    describe_io_error,
    fault_of,
    fault_of_pages,
    open_read_only,
    quarantine,
)
from tests.appliance.records import losing
from tests.appliance.records.damage import tamper
from tests.appliance.records.refusing import bound_by_permissions, no_file_larger, open_folder
from tests.errors import with_fields
from tests.some import some

__all__ = ["open_folder"]
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
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert fault_of(path, NOTES, nothing_wrong) is None


def test_a_file_that_cannot_be_filled_or_is_missing_leaves_nothing_behind(tmp_path: Path) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        first_line(connection)
        raise OSError("the card was pulled")

    with pytest.raises(OSError, match="the card was pulled"):
        create(tmp_path / "notes.db", NOTES, fails)
    assert list(tmp_path.iterdir()) == []
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


def test_no_file_is_set_aside_onto_another_nor_onto_what_only_a_lost_one_left(tmp_path: Path) -> None:
    names = []
    for content in ("one", "two", "three"):
        (tmp_path / "notes.db").write_text(content)
        names.append(set_aside(tmp_path / "notes.db", NOW))
    assert [name.read_text() for name in names] == ["one", "two", "three"]
    lost = tmp_path / "log.db.2026-05-04T03-02-01Z.damaged-wal"
    lost.write_bytes(b"all that is left of a log")
    path = tmp_path / "log.db"
    path.write_bytes(b"another log")
    beside(path, "-wal").write_bytes(b"another WAL")
    assert set_aside(path, NOW).name == "log.db.2026-05-04T03-02-01Z.damaged.2"
    assert lost.read_bytes() == b"all that is left of a log"
    assert (tmp_path / "log.db.2026-05-04T03-02-01Z.damaged.2-wal").read_bytes() == b"another WAL"


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b""), "it is empty"),
    (lambda path: path.write_bytes(b"\0" * 4096), "it is not an SQLite file"),
    (lambda path: beside(path, "-lock").write_bytes(b"") + path.write_bytes(b"a letter to my aunt"), "it is not an SQLite file"),
    (lambda path: path.rename(beside(path, "-wal")), "the file is gone, its WAL is there"),
    (lambda path: rewritten(path, "PRAGMA user_version = 4"), "it is of version 4; this program writes version 3"),
    (lambda path: rewritten(path, "CREATE TABLE more (line TEXT)"), "its tables are not those of a notebook"),
    (lambda path: path.write_bytes(path.read_bytes()[:4096]), ""),
]


def rewritten(path: Path, statement: str) -> None:
    with closing(connect(path)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize(("harm", "reported"), DAMAGE)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, harm: Callable[[Path], object], reported: str) -> None:
    path = notebook(tmp_path / "notes.db")
    harm(path)
    found = some(fault_of(path, NOTES, nothing_wrong))
    assert reported in found


def test_a_sound_file_is_asked_what_its_own_program_knows_of_its_rows(tmp_path: Path) -> None:
    path = notebook(tmp_path / "notes.db")
    assert fault_of(path, NOTES, lambda connection: str(connection.execute("SELECT count(*) FROM notes").fetchone()[0])) == "1"
    path.write_bytes(b"")
    assert fault_of(path, NOTES, lambda connection: "never asked") == "it is empty"


def test_a_folder_can_be_no_file_and_a_missing_one_can_become_one(tmp_path: Path) -> None:
    for path, clause in ((tmp_path, "it is a folder"), (Path("/dev/null"), "it is not a regular file")):
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


def test_what_is_wrong_with_the_disk_or_the_lock_is_said_with_what_to_do(tmp_path: Path) -> None:
    assert describe_io_error(OSError(errno.ENOTDIR, "Not a directory")) == Diagnosis("not a directory", "Check the path and the disk")
    assert describe_io_error(OSError(errno.ENOSPC, "x")) == Diagnosis("the disk is full", "Free some space")
    replaced = Replaced("the file was replaced", expected="the same", remedy="Open it again")
    assert describe_io_error(replaced) == Diagnosis("the file was replaced", "Open it again")
    assert issubclass(Replaced, DiskError)
    assert code(sqlite3.ProgrammingError("by the module itself")) == 0
    path = notebook(tmp_path / "notes.db")
    with closing(connect(path)) as one, closing(connect(path)) as other:
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            other.execute("BEGIN IMMEDIATE")
    assert code(caught.value) == sqlite3.SQLITE_BUSY
    assert describe_io_error(caught.value) == Diagnosis("another program holds the file", "Close that program")


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


STRANGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b"a letter to my aunt"), "it is another kind of file than a notebook, and was left as it was"),
    (lambda path: rewritten(path, "PRAGMA application_id = 1"), "it is another program's database, and was left as it was"),
]


@pytest.mark.parametrize(("put", "reported"), STRANGE)
def test_somebody_elses_file_makes_no_room_and_nothing_is_left_beside_it(
    tmp_path: Path, put: Callable[[Path], object], reported: str
) -> None:
    path = notebook(tmp_path / "notes.db")
    put(path)
    before = path.read_bytes()
    with only_writer(path, application_id=NOTES.application_id) as held, pytest.raises(NotOurs) as caught:
        quarantine(path, NOTES, nothing_wrong)
    assert not held
    assert describe_io_error(caught.value) == Diagnosis(reported, "Move it to another place, or name another file in the settings")
    assert [each.name for each in tmp_path.iterdir()] == ["notes.db"]
    assert path.read_bytes() == before


def test_a_new_file_may_be_read_by_whom_its_kind_lets_from_the_first_moment_and_so_may_what_sqlite_keeps_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    modes: list[int] = []

    def looked_at(connection: sqlite3.Connection) -> None:
        modes.extend(each.stat().st_mode & 0o777 for each in tmp_path.iterdir())
        first_line(connection)

    create(path, NOTES, looked_at)
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
def test_a_file_of_record_and_all_beside_it_are_known_by_any_name_and_no_other_is(tmp_path: Path, suffix: str) -> None:
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
    (tmp_path / "there.csv").touch()
    for name in ("there.csv", "not there.csv", "notes.db.csv", "notes.db.2026-05-04T03-02-01Z.damaged"):
        assert not belongs(tmp_path / name, path)


INDEXED = Schema(
    "an indexed notebook", 0x4E4F5449, 1, ("CREATE TABLE notes (line TEXT NOT NULL) STRICT", "CREATE INDEX by_line ON notes (line)")
)


def many_lines(connection: sqlite3.Connection) -> None:
    connection.executemany("INSERT INTO notes VALUES (?)", [(f"line {number:05}",) for number in range(2_000)])


def test_damage_where_no_row_lies_is_found_too(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    create(path, INDEXED, many_lines)
    assert fault_of(path, INDEXED, fault_of_pages) is None
    with closing(open_read_only(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'by_line'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))
    with closing(open_read_only(path)) as connection:
        assert len(connection.execute("SELECT line FROM notes NOT INDEXED").fetchall()) == 2_000
    assert fault_of(path, INDEXED, fault_of_pages) is not None


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


def test_a_new_file_is_pressed_to_the_disk_before_it_has_its_name_and_then_its_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, pressed = tmp_path / "notes.db", []
    press = os.fsync

    def recorded(descriptor: int) -> None:
        pressed.append((Path(f"/proc/self/fd/{descriptor}").readlink().name, path.exists()))
        press(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    create(path, NOTES, lambda connection: None)
    assert pressed == [("notes.db.new", False), (tmp_path.name, True)]


HOLDER = """
import sys
from pathlib import Path
from appliance.records.files import only_writer
with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert some(process.stdout).readline() == "held\n"
    return process


def test_a_second_program_is_turned_away_until_the_first_is_gone_and_no_lock_is_needed_where_none_can_be_made(tmp_path: Path) -> None:
    process = holder(tmp_path / "log.db")
    with pytest.raises(InUse) as caught, only_writer(tmp_path / "log.db", "a log of our own", "Close the other one"):
        pass
    process.communicate()
    where, expected = f"{tmp_path / 'log.db'}", "a log of our own"
    assert str(caught.value) == f"{where}: expected {expected}, found that it is in use by process {process.pid}. Close the other one."
    # The lock is gone with a program that was killed, and none is needed where none can be made.
    process = holder(tmp_path / "journal.db")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with only_writer(tmp_path / "journal.db"):
        assert (tmp_path / "journal.db-lock").read_text() == f"{os.getpid()}\n"
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with only_writer(in_the_way / "journal.db"):
        assert in_the_way.read_text() == ""


FIELDS = st.lists(st.none() | st.integers() | st.text(max_size=8), max_size=5)


def test_a_row_has_the_hash_that_it_had_when_the_first_journals_were_written() -> None:
    # sha256sum of 64 zeros, a line's end and [1,"event",null]
    assert chained(GENESIS, [1, "event", None]) == "6cab856d525833a0d36363a86d6a650fa4c33647121c8bfc50c0b14d3d3eebaf"
    assert short(GENESIS) == "0000000000000000"


@given(FIELDS, FIELDS)
def test_a_row_hangs_on_the_row_before_it_and_has_the_hash_of_no_other(one: list[object], other: list[object]) -> None:
    assert (chained(GENESIS, one) == chained(GENESIS, other)) is (one == other)
    assert chained(chained(GENESIS, one), other) != chained(GENESIS, other)


class Line(Struct, frozen=True):
    line: str | None


TABLES = (
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE mark (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
    *append_only("the diary"),
)
DIARY = RecordFile(Schema("a diary", 0x44494152, 1, TABLES), Line, MarkedEnd, program="the diarist", command="diary")


class Diary(RecordWriter[Line, MarkedEnd]):
    _remedy = "Look for it"

    def __init__(self, path: Path) -> None:
        super().__init__(path, DIARY)
        self.lost: list[bool] = []

    def write(self, *lines: str | None) -> None:
        self._append(list(map(Line, lines)), MarkedEnd)

    def _found(self, connection: sqlite3.Connection, lost: bool) -> None:  # noqa: ARG002 - a diary reads nothing
        self.lost.append(lost)


def verified(path: Path, first: int = 1) -> Verified:
    with DIARY.reading(path) as connection:
        return DIARY.verify(connection, first)


def lines(path: Path) -> list[str | None]:
    with DIARY.reading(path) as connection:
        return [kept.row.line for kept in DIARY.rows_from(connection, 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a" / "diary.db"


def test_the_end_goes_on_where_the_file_ends_and_of_rows_that_go_together_none_goes_in_where_one_cannot(path: Path) -> None:
    with closing(Diary(path)) as diary:
        assert (diary.opened() and diary.seq, diary.head) == (0, GENESIS)
        diary.write("rain", "sun")
        head = diary.head
    with closing(Diary(path)) as diary:
        assert (diary.opened() and diary.seq, diary.head, diary.mark) == (2, head, MarkedEnd(2, head))
        diary.write("snow")
        assert verified(path) == verified(path, 3) == Verified(3, diary.head)
        with pytest.raises(sqlite3.IntegrityError):
            diary.write("hail", None)
        diary.close()
        diary.write("wind")
        assert (diary.seq, diary.lost) == (4, [False, False])
    assert lines(path) == ["rain", "sun", "snow", "wind"]


LOSSES = [losing.deleted, losing.only_the_file, losing.moved_away, losing.folder_gone, losing.another_program, losing.a_copy]


@pytest.mark.parametrize(("lose", "rows"), [*((lose, ["snow"]) for lose in LOSSES), (losing.only_the_wal, ["rain", "snow"])])
def test_nothing_is_committed_into_a_file_that_is_another_one_by_now_and_the_next_opening_says_whether_rows_are_lost(
    path: Path, lose: Callable[[Path], None], rows: list[str]
) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain")
        lose(path)
        with pytest.raises(Replaced) as caught:
            diary.write("sun")
        diary.close()
        assert (caught.value.where, caught.value.remedy) == (str(path), "Look for it")
        diary.write("snow")
        assert diary.lost == [False, rows == ["snow"]]
        assert lines(path) == rows
        assert verified(path) == Verified(len(rows), diary.head)


def test_another_file_of_as_many_rows_is_another(path: Path) -> None:
    with closing(Diary(path.with_name("other.db"))) as other:
        other.write("hail", "wind")
    with closing(Diary(path)) as diary:
        diary.write("rain", "sun")
        diary.close()
        path.with_name("other.db").rename(path)
        diary.write("snow")
        assert diary.lost == [False, True]
    assert lines(path) == ["hail", "wind", "snow"]


def test_a_file_that_is_refused_is_read_only_where_that_is_asked_for(path: Path) -> None:
    refusing = replace(DIARY, refusal=lambda _: RecordError(expected="ink", found="pencil"))
    Diary(path).ready()
    with refusing.reading(path, refused=True):
        pass
    with pytest.raises(RecordError, check=with_fields(where=str(path), expected="ink")), refusing.reading(path):
        pass
    assert str(refusing.fault_of(path)) == "expected ink, found pencil"


def test_a_file_damaged_meanwhile_is_renamed_and_stands_as_such_until_rows_are_in_the_new_one(path: Path) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain")
        diary.close()
        path.write_bytes(b"")
        diary.opened()
        assert diary.lost == [False, True]
        assert some(diary.aside).fault == "it is empty"
        diary.close()
        diary.opened()
        assert some(diary.aside).path.read_bytes() == b""
        diary.write("sun")
        assert diary.aside is None
    assert lines(path) == ["sun"]


def test_a_folder_and_another_programs_file_are_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(NoFile, check=with_fields(where=str(tmp_path))):
        Diary(tmp_path).opened()
    (tmp_path / "letter").write_bytes(losing.LETTER)
    notebook(tmp_path / "notes.db")
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    for name in ("letter", "notes.db"):
        with pytest.raises(NotOurs) as caught:
            Diary(tmp_path / name).opened()
        assert caught.value.remedy == "Move it to another place, or name another file in the settings"
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before


CHANGES = (
    "UPDATE rows SET line = 'hail'",
    "DELETE FROM rows WHERE seq = 2",
    "INSERT INTO rows SELECT 2, line, hash FROM rows WHERE seq = 2",
    "INSERT OR REPLACE INTO rows SELECT 2, line, hash FROM rows WHERE seq = 2",
    "INSERT INTO rows VALUES (3, 7.5, NULL)",
)


@pytest.mark.parametrize("change", CHANGES)
def test_rows_can_be_neither_changed_nor_removed_nor_put_between(path: Path, change: str) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain", "sun")
    with pytest.raises(sqlite3.Error):
        rewritten(path, change)
    assert verified(path) == Verified(2, diary.head)


def test_a_file_is_checked_by_its_end(path: Path) -> None:
    with closing(Diary(path)) as diary:
        diary.write(*["rain"] * (CHECKED_ROWS + 9))
    tamper(path, "UPDATE rows SET line = 'sun' WHERE seq = 8")
    assert DIARY.fault_of(path) is None
    tamper(path, "UPDATE rows SET line = 'sun' WHERE seq = 9")
    assert some(DIARY.fault_of(path)).startswith("row 9 is not what was written")


@pytest.mark.parametrize("room", [0, 20, 4096])
def test_a_sound_file_on_a_disk_without_room_is_not_set_aside_and_goes_on_when_there_is_room(path: Path, room: int) -> None:
    with closing(Diary(path)) as diary:
        diary.write(*["rain"] * 99)
    with closing(Diary(path)) as diary:
        with no_file_larger(room), pytest.raises(FAULTS):
            diary.opened()
        diary.write("sun")
    assert len(lines(path)) == 100
    assert list(path.parent.glob("*.damaged*")) == []


def test_in_a_read_only_folder_a_file_can_be_read_and_not_written_to(open_folder: Path) -> None:
    path = open_folder / "diary.db"
    with closing(Diary(path)) as diary:
        diary.write("rain")
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with bound_by_permissions(), closing(Diary(path)) as diary:
        assert lines(path) == ["rain"]
        with pytest.raises(sqlite3.OperationalError) as caught:
            diary.write("sun")
        assert describe_io_error(caught.value).problem == "the disk or the file is read-only"
    open_folder.chmod(0o755)


def test_a_path_that_cannot_be_looked_at_and_a_text_that_a_flipped_bit_made_bytes_of_are_refused_in_a_sentence(path: Path) -> None:
    with pytest.raises(RecordError, check=with_fields(found="file name too long")):
        lines(path.parents[1] / ("a" * 300) / "diary.db")
    with closing(Diary(path)) as diary:
        diary.write("rain", "sun")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '')")
    tamper(path, "UPDATE rows SET line = CAST(line AS BLOB) WHERE seq = 2")
    with pytest.raises(DamagedRecord, match="row 2"):
        lines(path)
    assert "row 2" in some(verified(path).fault)


def test_what_a_verification_found_is_said_in_sentences(path: Path) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain", "sun", "snow")
        assert in_words(verified(path)) == (f"Whole: 3 rows; the hash of the last begins {diary.head[:16]}.",)
    head = chained(GENESIS, [1, "rain"])
    for sql, said in (
        (
            "UPDATE mark SET seq = 2",
            ("Broken: the durable mark was changed.", f"Whole up to row 3, whose hash begins {diary.head[:16]}."),
        ),
        ("DELETE FROM rows WHERE seq = 2", ("Broken: row 2 is missing.", f"Whole up to row 1, whose hash begins {head[:16]}.")),
    ):
        tamper(path, sql)
        assert in_words(verified(path)) == said


@pytest.mark.parametrize(
    ("marked", "said"), [(4, "row 4 is missing: the durable mark knows of them"), (2, "rows from 3 on were put in without the diarist")]
)
def test_one_row_less_or_more_than_the_mark_knows_is_told(path: Path, marked: int, said: str) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain", "sun", "snow")
    with closing(connect(path)) as connection:
        DIARY.write_mark(connection, MarkedEnd(marked, diary.head))
    assert some(verified(path).fault).startswith(said)


def test_a_write_counts_while_it_lasts_and_after_it_has_failed_and_a_quicker_one_changes_nothing() -> None:
    now = 0
    slowest = SlowestWrite(lambda: now)
    seen = [slowest.ns]
    for until in (7, 10):
        with suppress(OSError), slowest.measured():
            now = until
            seen.append(slowest.ns)
            raise OSError
        seen.append(slowest.ns)
    assert seen == [0, 7, 7, 7, 7]
