"""Opening: a new journal is begun, a whole one is used, and what the disk refuses is said."""

from pathlib import Path

from firmware.journal.recovery import recover
from firmware.journal.store import OpenedJournal, open_journal
from firmware.journal.writer import JournalWriter
from game.journal.row import GameStamp, Kind, row_of
from rules.rulebooks import load_rulebook
from tests.appliance.records.refusing import bound_by_permissions
from tests.firmware.journal.short_game import S, play, rows_whole


def test_a_new_journal_is_begun_where_there_is_none_with_its_folders(tmp_path: Path) -> None:
    opened = open_journal(tmp_path / "a" / "b" / "journal.db")
    assert opened == OpenedJournal(tmp_path / "a" / "b" / "journal.db")
    assert rows_whole(opened.path) == 0
    assert recover(opened.path, load_rulebook) is None


def test_a_whole_journal_is_left_as_it_is(path: Path) -> None:
    before = path.read_bytes()
    assert open_journal(path) == OpenedJournal(path)
    assert path.read_bytes() == before


def test_a_folder_in_place_of_the_file_is_said_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    opened = open_journal(tmp_path / "journal.db")
    assert opened.set_aside is None
    assert opened.trouble is not None
    assert "not being recorded" in opened.trouble.problem
    assert (tmp_path / "journal.db").is_dir()


def test_a_read_only_folder_is_said_and_the_journal_in_it_can_still_be_read(open_folder: Path) -> None:
    path = open_folder / "journal.db"
    play(path)
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with bound_by_permissions():
        assert rows_whole(path) == 14
        writer = JournalWriter(path, lambda progress: None)
        writer.mark(GameStamp(14 * S, 14 * S, "boot", "later"))
        assert not writer.close(30)
        assert open_journal(open_folder / "other.db").trouble is not None
    open_folder.chmod(0o755)


def test_the_journal_can_be_read_while_the_clock_writes_to_it(path: Path) -> None:
    writer = JournalWriter(path, lambda progress: None)
    writer.put([row_of(Kind.NOTE, 1, GameStamp(14 * S, 0, "boot", ""), {"text": "spike"})])
    assert rows_whole(path) in (14, 15)
    assert writer.close(30)
    assert rows_whole(path) == 15
