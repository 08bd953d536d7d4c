"""The writer against real failures of the disk: nothing blocks, nothing raises, nothing is lost, and all is said."""

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from appliance.records.sqlite import connect
from firmware.journal.store import open_journal
from firmware.journal.writer import JournalWriter, Progress
from game.journal.reading import read_mark, reading, rows_from, verify
from game.journal.row import GameStamp, Kind, Row, row_of
from tests.appliance.records.refusing import no_file_larger

LIMIT_S = 30


def _note(at: int, size: int = 10) -> Row:
    return row_of(Kind.NOTE, 1, _stamp(at), {"text": "x" * size})


def _stamp(at: int) -> GameStamp:
    return GameStamp(at, at + 100, "boot", "2026-01-01T00:00:00Z")


class Written:
    def __init__(self, path: Path) -> None:
        self.said: queue.Queue[Progress] = queue.Queue()
        self.writer = JournalWriter(path, self.said.put, first_pause_s=0.001, longest_pause_s=0.01)

    def until(self, wanted: Callable[[Progress], bool]) -> Progress:
        while not wanted(progress := self.said.get(timeout=LIMIT_S)):
            pass
        return progress


@contextmanager
def writing(path: Path) -> Iterator[Written]:
    written = Written(path)
    try:
        yield written
    finally:
        written.writer.close(LIMIT_S)


def _texts(path: Path) -> list[int]:
    with reading(path) as connection:
        assert verify(connection).fault is None
        return [kept.row.at for kept in rows_from(connection, 1)]


def test_what_was_put_is_on_the_disk_in_order_and_the_writer_says_how_far_it_got(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with writing(path) as written:
        for at in range(200):
            written.writer.put([_note(at)])
        written.writer.mark(_stamp(500))
        progress = written.until(lambda said: said.seq == 200 and said.at == 500)
        assert progress.trouble is None
        assert _texts(path) == list(range(200))
    with reading(path) as connection:
        mark = read_mark(connection)
    assert mark is not None
    assert (mark.stamp, mark.seq) == (_stamp(500), 200)


def test_the_file_is_in_wal_mode_and_the_writer_syncs_every_commit(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_rows_can_be_neither_changed_nor_deleted(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with writing(path) as written:
        written.writer.put([_note(1)])
        written.until(lambda said: said.seq == 1)
    with closing(connect(path)) as connection:
        for order in ("UPDATE rows SET at = 2", "DELETE FROM rows", "REPLACE INTO rows SELECT * FROM rows"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(order)


def test_while_another_program_holds_the_file_rows_wait_and_are_written_when_it_lets_go(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with writing(path) as written:
        written.until(lambda said: said.seq == 0)
        with closing(connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            written.writer.put([_note(1)])
            trouble = written.until(lambda said: said.trouble is not None)
            assert trouble.trouble is not None
            assert "The game is not being recorded" in trouble.trouble.problem
            assert "another program holds the file" in trouble.trouble.problem
            written.writer.put([_note(2)])
            other.execute("ROLLBACK")
        written.until(lambda said: said.trouble is None and said.seq == 2)
    assert _texts(path) == [1, 2]


def test_a_disk_that_takes_no_more_is_said_once_and_everything_is_written_when_there_is_room(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with writing(path) as written:
        written.until(lambda said: said.seq == 0)
        with no_file_larger(64 * 1024):
            for at in range(100):
                written.writer.put([_note(at, 4000)])
            trouble = written.until(lambda said: said.trouble is not None)
        assert trouble.seq < 100
        written.until(lambda said: said.trouble is None and said.seq == 100)
    assert _texts(path) == list(range(100))


def test_a_folder_in_place_of_the_file_is_trouble_and_the_journal_begins_once_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.mkdir()
    with writing(path) as written:
        written.until(lambda said: said.trouble is not None)
        written.writer.put([_note(7)])
        path.rmdir()
        written.until(lambda said: said.seq == 1)
    assert _texts(path) == [7]


def test_a_missing_folder_that_cannot_be_made_is_trouble_said_a_single_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with writing(tmp_path / "file" / "journal.db") as written:
        written.writer.put([_note(1)])
        first = written.until(lambda said: said.trouble is not None)
        # Tries go on (every 10 ms at the most); the next thing it says is that it could write.
        (tmp_path / "file").unlink()
        second = written.said.get(timeout=LIMIT_S)
        assert (first.trouble is None, second.trouble, second.seq) == (False, None, 1)


def test_close_writes_what_is_left_and_says_so(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    writer = JournalWriter(path, lambda progress: None)
    for at in range(50):
        writer.put([_note(at)])
    assert writer.close(LIMIT_S)
    assert _texts(path) == list(range(50))
    writer.put([_note(51)])
    assert _texts(path) == list(range(50))


def test_close_gives_up_when_nothing_can_be_written_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    writer = JournalWriter(tmp_path / "journal.db", lambda progress: None)
    writer.put([_note(1)])
    assert not writer.close(LIMIT_S)


def test_rows_that_were_put_together_are_committed_together(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    seen: list[int] = []
    done = threading.Event()

    def progress(said: Progress) -> None:
        seen.append(said.seq)
        if said.seq == 300:
            done.set()

    writer = JournalWriter(path, progress)
    for at in range(100):
        writer.put([_note(at), _note(at), _note(at)])
    assert done.wait(LIMIT_S)
    assert writer.close(LIMIT_S)
    assert all(seq % 3 == 0 for seq in seen)


OVERFLOWS = GameStamp(2**63, 0, "boot", "2026-01-01T00:00:00Z")
"""What SQLite has no room for: an error of the program's own, not of the disk."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # its traceback is for the log
def test_a_writer_that_an_error_of_the_program_ends_says_that_nothing_is_recorded_any_more(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    with writing(path) as written:
        written.writer.put([_note(1)])
        written.until(lambda said: said.seq == 1)
        written.writer.mark(OVERFLOWS)
        said = written.until(lambda said: said.trouble is not None)
        assert str(said.trouble) == f"The game is not being recorded: {path}: the program failed at it. Start the clock again."
        assert not written.writer.close(LIMIT_S)
    assert _texts(path) == [1]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # its traceback is for the log
def test_a_listener_that_raises_is_not_taken_for_a_disk_that_failed(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "journal.db").path
    said: queue.Queue[Progress] = queue.Queue()

    def listen(progress: Progress) -> None:
        said.put(progress)
        if progress.seq == 1 and progress.trouble is None:
            raise OSError("nobody listens")

    writer = JournalWriter(path, listen)
    writer.put([_note(1)])
    while (progress := said.get(timeout=LIMIT_S)).trouble is None:
        pass
    assert (progress.seq, "the program failed" in str(progress.trouble)) == (1, True)
    assert not writer.close(LIMIT_S)
    assert _texts(path) == [1]
