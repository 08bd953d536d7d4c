"""The journal's file deleted or replaced while the clock runs: it is said, and the game can be brought back from the new file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.journal.recovery import recover
from firmware.journal.store import open_journal
from firmware.journal.writer import Progress
from game import events as ev
from game.journal.reading import games, reading, verify
from game.journal.row import GameStamp, rows_of
from game.record import Record, accept, begin
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from tests.appliance.records import losing
from tests.firmware.journal.short_game import S, play, rows_whole
from tests.firmware.journal.test_writer import Written, writing


def _another_journal(path: Path) -> None:
    other = path.with_name("other.db")
    play(other)
    other.replace(path)


def _stamp(at: int) -> GameStamp:
    return GameStamp(at, at, "boot", "2026-07-03T10:00:00Z")


def _begun(written: Written) -> Record:
    new = begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 0)
    written.writer.put(rows_of(None, new, 1, _stamp(0)))
    return _pressed(written, new, 1)


def _pressed(written: Written, old: Record, turn: int) -> Record:
    new = accept(old, ev.Press(Side.LEFT if turn % 2 else Side.RIGHT), turn * S)
    written.writer.put(rows_of(old, new, 1, _stamp(turn * S)))
    return new


def _replaced(said: Progress) -> bool:
    return said.trouble is not None and "deleted or replaced while the program ran" in said.trouble.problem


LOSSES = [
    losing.deleted,
    losing.only_the_file,
    losing.only_the_wal,
    losing.moved_away,
    losing.another_program,
    _another_journal,
    losing.a_copy,
    losing.folder_gone,
]


@pytest.mark.parametrize("lose", LOSSES)
def test_a_file_lost_while_the_clock_runs_is_said_and_the_whole_game_can_be_brought_back(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = open_journal(tmp_path / "a" / "journal.db").path
    with writing(path) as written:
        record = _begun(written)
        written.until(lambda said: said.at == S)
        lose(path)
        record = _pressed(written, record, 2)
        assert str(path) in str(written.until(_replaced).trouble)
        written.until(lambda said: said.trouble is None and said.at == 2 * S)
        record = _pressed(written, record, 3)
        written.until(lambda said: said.at == 3 * S)
    rows_whole(path)
    recovered = recover(path, load_rulebook)
    assert recovered is not None
    assert recovered.refused == ()
    assert recovered.record is not None
    assert recovered.record.game == record.game
    assert recovered.last_at == 3 * S


def test_a_game_that_an_earlier_program_began_is_written_anew_as_well(path: Path) -> None:
    recovered = recover(path, load_rulebook)
    assert recovered is not None
    assert recovered.record is not None
    with writing(path) as written:
        written.until(lambda said: said.seq == 14)
        record = _pressed(written, recovered.record, 15)
        written.until(lambda said: said.at == 15 * S)
        losing.deleted(path)
        record = _pressed(written, record, 16)
        written.until(lambda said: said.at == 16 * S and said.trouble is None)
    again = recover(path, load_rulebook)
    assert again is not None
    assert again.record is not None
    assert (again.record.game, again.refused) == (record.game, ())


def test_the_mark_of_a_running_clock_is_enough_to_notice(path: Path) -> None:
    with writing(path) as written:
        written.writer.mark(_stamp(20 * S))
        written.until(lambda said: said.at == 20 * S)
        losing.deleted(path)
        written.writer.mark(_stamp(21 * S))
        written.until(_replaced)
        written.until(lambda said: said.trouble is None and said.at == 21 * S)
    again = recover(path, load_rulebook)
    assert again is not None
    assert (again.last_at, again.refused) == (21 * S, ())


def test_a_foreign_file_is_set_aside_as_at_the_opening_and_a_whole_journal_keeps_its_games(tmp_path: Path) -> None:
    for lose, known in ((losing.another_program, (1,)), (_another_journal, (1, 2))):
        path = open_journal(tmp_path / lose.__name__ / "journal.db").path
        with writing(path) as written:
            record = _begun(written)
            written.until(lambda said: said.at == S)
            lose(path)
            _pressed(written, record, 2)
            written.until(lambda said: said.trouble is None and said.at == 2 * S)
        with reading(path) as connection:
            assert (games(connection), verify(connection).fault) == (known, None)
    aside = list((tmp_path / "another_program").glob("*.damaged*"))
    assert [each.read_bytes() for each in aside if not each.name.endswith(("-wal", "-shm"))] == [losing.LETTER]


def test_a_folder_a_device_and_a_failed_beginning_are_said_and_leave_nothing_behind(tmp_path: Path) -> None:
    assert "it is a folder. Name a file in it." in str(open_journal(tmp_path).trouble)
    assert "it is no regular file. Name a regular file." in str(open_journal(Path("/dev/null")).trouble)
    (tmp_path / "journal.db.new-wal").mkdir()
    assert open_journal(tmp_path / "journal.db").trouble is not None
    assert [each.name for each in tmp_path.iterdir()] == ["journal.db.new-wal"]
