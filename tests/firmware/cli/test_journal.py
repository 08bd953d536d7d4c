"""``tileclock journal``: list, show, export, verify, and what each says when there is nothing to read."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from firmware.journal.store import open_journal
from firmware.journal.writer import JournalWriter
from game import events as ev
from game.journal import row as rows
from game.journal.row import GameStamp, NoJournal, NoSuchGame, rows_of
from game.record import Record, accept, begin, take_back
from game.script import read_lines
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from tests.errors import refused

MS = 1_000_000
S = 1000 * MS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = open_journal(tmp_path / "journal.db").path
    writer = JournalWriter(path, lambda progress: None)
    old: Record | None = None
    new = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), 5 * S)
    for step in range(6):
        at = 5 * S + 61_234 * MS * step
        writer.put(rows_of(old, new, 1, GameStamp(at, at, "boot", f"2026-07-03T10:0{step}:00Z")))
        old = new
        new = _moved(new, step, at + 61_234 * MS)
    again = accept(old, ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 400 * S) if old is not None else new
    writer.put(rows_of(old, again, 2, GameStamp(400 * S, 400 * S, "boot", "2026-07-03T11:00:00Z")))
    assert writer.close(30)
    return path


def _moved(record: Record, step: int, at: int) -> Record:
    if step == 1:
        return accept(record, ev.Press(Side.LEFT), at)
    if step == 2:
        return take_back(record, 3, (ev.Neutralise("chord"), record.at))
    if step == 3:
        return accept(record, ev.Adjust(Side.LEFT, -S // 2, ev.When.NOW, "spoke"), at)
    if step == 4:
        return accept(record, ev.End("score agreed"), at)
    return accept(record, ev.Press(Side.RIGHT), at) if step == 0 else record


def _run(path: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["journal", *words, "--journal", str(path)])


def test_list_shows_each_game_with_its_rulebook_end_and_readings(path: Path) -> None:
    done = _run(path, "list")
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first.split() == ["1", "2026-07-03T10:00:00Z", "naspa-2017", "over:", "score", "agreed", "left", "23:59,", "right", "25:00"]
    assert second.split() == ["2", "2026-07-03T11:00:00Z", "club", "ready", "left", "25:00,", "right", "25:00"]


def test_show_tells_every_row_with_its_time_and_a_directors_change_with_before_and_after(path: Path) -> None:
    done = _run(path, "show", "1")
    assert done.exit_code == 0
    assert "1:01.234  2026-07-03T10:01:00Z     2  press right" in done.stdout
    assert "2:02.468  2026-07-03T10:03:00Z     3  neutralise reason chord" in done.stdout
    assert "adjust left seconds: -0.5 now reason spoke" in done.stdout
    assert "before: neutral (chord); left 23:59, penalty 0, points 0, right 25:00" in done.stdout


def test_show_without_a_number_shows_the_last_game(path: Path) -> None:
    assert "new_game club" in _run(path, "show").stdout


def test_export_writes_a_script_of_one_game_or_of_all_in_order(path: Path, tmp_path: Path) -> None:
    whole = _run(path, "export")
    assert whole.exit_code == 0
    lines = [line.command for line in read_lines((row.encode() for row in whole.stdout.splitlines()), "export", load_rulebook)]
    assert sum(isinstance(said, ev.NewGame) for said in lines) == 2
    out = tmp_path / "one.jsonl"
    assert _run(path, "export", "1", "-o", str(out)).exit_code == 0
    assert whole.stdout.startswith(out.read_text())
    assert [each.name for each in tmp_path.glob("*one*")] == ["one.jsonl"]


def test_an_export_that_cannot_be_written_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    done = _run(path, "export", "-o", str(tmp_path / "nowhere" / "x.jsonl"))
    refused(done, remedy=re.compile("Choose another place"))
    (tmp_path / "folder").mkdir()
    done = _run(path, "export", "-o", str(tmp_path / "folder"))
    assert done.exit_code == 2
    assert sorted(each.name for each in tmp_path.iterdir() if "journal.db" not in each.name) == ["folder"]


def test_verify_gives_the_count_and_the_head_to_note_down(path: Path) -> None:
    done = _run(path, "verify")
    assert done.exit_code == 0
    assert done.stdout.startswith("Whole: 7 rows; the hash of the last begins ")


def test_verify_names_the_first_row_that_was_changed_and_exits_with_1(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER rows_stay")
        connection.execute("UPDATE rows SET at = at - 1 WHERE seq = 3")
    done = _run(path, "verify")
    assert done.exit_code == 1
    assert "row 3 is not what was written" in done.stdout
    assert "Whole up to row 2" in done.stdout


def test_verify_notices_rows_missing_in_the_middle_and_at_the_end(path: Path) -> None:
    for seq, said in ((7, "row 7 is missing: the durable mark knows"), (4, "row 4 is missing")):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("DROP TRIGGER IF EXISTS rows_are_kept")
            connection.execute("DELETE FROM rows WHERE seq = ?", (seq,))
        done = _run(path, "verify")
        assert (done.exit_code, said in done.stdout) == (1, True)


def test_verify_of_a_journal_of_which_nothing_is_left_exits_with_1_and_of_another_file_with_2(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"\0" * 5000)
    assert _run(tmp_path / "x.db", "verify").exit_code == 1
    (tmp_path / "x.db").write_bytes(b"Dear director, " * 100)
    done = _run(tmp_path / "x.db", "verify")
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        done.stderr
        == f"tileclock: {tmp_path / 'x.db'}: expected a journal, found that it is another kind of file, or another program's. Check the path.\n"
    )


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-lock"])
def test_an_export_onto_the_journal_itself_or_what_is_kept_with_it_is_refused_by_whatever_name(
    path: Path, tmp_path: Path, suffix: str
) -> None:
    own = path.with_name(path.name + suffix)
    own.touch()
    before = path.read_bytes()
    (tmp_path / "link.jsonl").symlink_to(own)
    (tmp_path / "hard.jsonl").hardlink_to(own)
    for name in (own, tmp_path / "link.jsonl", tmp_path / "hard.jsonl"):
        done = _run(path, "export", "-o", str(name))
        assert done.stdout == ""
        refused(done, where=str(name), found="the journal itself, or one of its files")
    assert path.read_bytes() == before


@pytest.mark.parametrize("verb", ["list", "show", "export", "verify"])
def test_a_missing_journal_is_a_sentence_and_exit_2(tmp_path: Path, verb: str) -> None:
    done = _run(tmp_path / "none.db", verb)
    assert isinstance(refused(done, where=str(tmp_path / "none.db"), found="no such file"), NoJournal)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", ["list", "show", "export"])
def test_a_damaged_journal_and_a_folder_are_sentences_and_exit_2(tmp_path: Path, verb: str) -> None:
    (tmp_path / "x.db").write_bytes(b"hello" * 5000)
    for path in (tmp_path / "x.db", tmp_path):
        done = _run(path, verb)
        refused(done, where=str(path))


def test_an_unknown_game_is_a_sentence_that_says_which_there_are(path: Path) -> None:
    done = _run(path, "show", "9")
    assert isinstance(refused(done, expected="game 9", found="the games 1 to 2"), NoSuchGame)


@pytest.mark.parametrize("verb", ["list", "show", "export"])
def test_a_tampered_journal_is_read_with_a_warning(path: Path, verb: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER rows_stay")
        connection.execute("UPDATE rows SET wall = 'never' WHERE seq = 3")
    done = _run(path, verb)
    assert (done.exit_code, done.stderr.count("\n"), "row 3 is not what was written" in done.stderr) == (0, 1, True)


def test_an_empty_path_is_refused() -> None:
    done = CliRunner().invoke(main, ["journal", "list", "--journal", ""])
    assert (done.exit_code, "found an empty text" in done.stderr) == (2, True)


def test_an_export_carries_a_rulebook_of_the_directors_own_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "club"\nid = "own"\ntitle = "Own"\nsummary = "For a test."\n', encoding="utf-8")
    then = own.read_text(encoding="utf-8")
    path = open_journal(tmp_path / "own.db").path
    writer = JournalWriter(path, lambda progress: None)
    writer.put(rows_of(None, begin(ev.NewGame(load_rulebook(str(own)), str(own), BySide(None, None)), 0), 1, GameStamp(0, 0, "boot", "")))
    assert writer.close(30)
    own.write_text("changed since", encoding="utf-8")
    (tmp_path / "out").mkdir()
    script = tmp_path / "out" / "game.jsonl"
    assert _run(path, "export", "-o", str(script)).exit_code == 0
    assert (tmp_path / "out" / "game.jsonl.rulebook-1.toml").read_text(encoding="utf-8") == then
    assert '"rulebook": "game.jsonl.rulebook-1.toml"' in script.read_text(encoding="utf-8")
    monkeypatch.chdir("/")
    replayed = CliRunner().invoke(main, ["replay", str(script), "--strict"])
    assert (replayed.exit_code, replayed.stdout.count("\n")) == (0, 1)
    assert "// title" in _run(path, "export").stdout


def test_show_marks_what_was_replaced_and_what_was_taken_back(path: Path) -> None:
    assert "(replaced below)" in _run(path, "show", "1").stdout


def test_rows_that_were_kept_without_a_date_say_so_and_stay_in_order(tmp_path: Path) -> None:
    path = open_journal(tmp_path / "undated.db").path
    writer = JournalWriter(path, lambda progress: None)
    writer.put(
        rows_of(
            None,
            begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 5 * S),
            1,
            GameStamp(0, 0, "boot", "1970-01-01T00:00:12Z"),
        )
    )
    assert writer.close(30)
    for verb in ("list", "show"):
        assert "1970-01-01T00:00:12Z (date not set)  " in _run(path, verb).stdout


@pytest.mark.parametrize("command", ["list", "show", "export", "verify"])
def test_a_journal_of_another_edition_is_refused_with_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str) -> None:
    path = open_journal(tmp_path / "journal.db").path
    writer = JournalWriter(path, lambda progress: None)
    with monkeypatch.context() as patch:
        patch.setattr(rows, "format_event", lambda event, by=None: {"do": "new_game", "rulebook": "naspa-2017"})
        new_game = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), 0)
        writer.put(rows.rows_of(None, new_game, 1, GameStamp(0, 0, "boot", "2026-07-03T10:00:00Z")))
    assert writer.close(30)
    done = _run(path, command)
    assert (done.exit_code, done.stdout) == (2, "")
    sentence = "new_game: edition: expected 4, found none: this file was written for another edition of the events"
    assert done.stderr == f"tileclock: {path}: {sentence}.\n"
