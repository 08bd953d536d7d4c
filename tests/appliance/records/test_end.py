"""The end of a file of record, of a kind made up here: all or nothing goes in, and nothing into a file that is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from appliance.errors import NoFile, Replaced
from appliance.records.chain import GENESIS, ChainLink, chained
from appliance.records.files import identity
from appliance.records.rows import Chain, MarkedEnd, Verified, in_words, verify
from appliance.records.sqlite import Schema, create
from appliance.records.writer import HashChainWriter
from tests.appliance.records import losing
from tests.errors import with_fields

DIARY = Schema("a diary", 0x44494152, 1, ("CREATE TABLE rows (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, hash TEXT NOT NULL) STRICT",))
CHAIN = Chain(
    lambda connection, first: (
        ChainLink(seq, [seq, line], own)
        for seq, line, own in connection.execute("SELECT * FROM rows WHERE seq >= ? ORDER BY seq", (first,))
    ),
    lambda connection: MarkedEnd(*connection.execute("SELECT seq, hash FROM rows ORDER BY seq DESC").fetchone()),
    "the diarist",
)


class Diary(HashChainWriter):
    def write(self, *lines: str | None) -> None:
        seq, head = self.seq, self.head
        with self._committing("Look for it") as connection:
            for line in lines:
                seq, head = seq + 1, chained(head, [seq + 1, line])
                connection.execute("INSERT INTO rows VALUES (?, ?, ?)", (seq, line, head))
        self.seq, self.head = seq, head

    def verified(self, first: int = 1) -> Verified:
        return verify(self._connection, CHAIN, first)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "a" / "diary.db", DIARY, lambda connection: None)
    return tmp_path / "a" / "diary.db"


def test_the_end_goes_on_where_the_file_ends(path: Path) -> None:
    with closing(Diary(path)) as diary:
        assert (diary.seq, diary.head) == (0, GENESIS)
        diary.write("rain", "sun")
        head = diary.head
    with closing(Diary(path)) as diary:
        assert (diary.seq, diary.head, diary.file, diary.wal) == (2, head, identity(path), None)
        assert [diary.holds(0, "anything"), diary.holds(2, head), diary.holds(1, head), diary.holds(3, head)] == [True, True, False, False]
        diary.write("snow")
        assert diary.verified() == diary.verified(3) == Verified(3, diary.head)


def test_of_rows_that_go_together_none_goes_in_where_one_cannot(path: Path) -> None:
    with closing(Diary(path)) as diary, pytest.raises(sqlite3.IntegrityError):
        diary.write("rain", None)
    with closing(Diary(path)) as diary:
        assert diary.seq == 0


@pytest.mark.parametrize(
    "lose",
    [
        losing.deleted,
        losing.only_the_file,
        losing.only_the_wal,
        losing.moved_away,
        losing.another_program,
        losing.a_copy,
        losing.folder_gone,
    ],
)
def test_nothing_is_committed_into_a_file_that_is_another_one_by_now(path: Path, lose: Callable[[Path], None]) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain")
        lose(path)
        with pytest.raises(Replaced) as caught:
            diary.write("sun")
    assert (caught.value.where, caught.value.remedy) == (str(path), "Look for it")


def test_a_folder_is_refused_and_what_is_no_database_is_too(tmp_path: Path) -> None:
    with pytest.raises(NoFile, check=with_fields(where=str(tmp_path))):
        Diary(tmp_path)
    (tmp_path / "letter").write_bytes(losing.LETTER)
    with pytest.raises(sqlite3.DatabaseError):
        Diary(tmp_path / "letter")


def test_what_a_verification_found_is_said_in_sentences(path: Path) -> None:
    with closing(Diary(path)) as diary:
        diary.write("rain", "sun", "snow")
        assert in_words(diary.verified()) == (f"Whole: 3 rows; the hash of the last begins {diary.head[:16]}.",)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DELETE FROM rows WHERE seq = 2")
        other.commit()
    with closing(Diary(path)) as diary:
        head = chained(GENESIS, [1, "rain"])
        assert in_words(diary.verified()) == ("Broken: row 2 is missing.", f"Whole up to row 1, whose hash begins {head[:16]}.")
