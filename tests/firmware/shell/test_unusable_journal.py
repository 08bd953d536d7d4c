"""A journal that is damaged, cannot be written or is held by another program: the game goes on, and the screen says what is lacking."""

import sqlite3
from pathlib import Path

import pytest

from firmware.journal.writer import Progress
from game.journal.row import Kind
from tests.firmware.shell.rig import BEGAN, PATIENCE_S, Hand, Rig, Step, ns, rig, rows_in
from tests.firmware.shell.whole_game import UNTIL, whole_game


def test_a_damaged_journal_is_set_aside_and_said_until_the_game_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"not a journal")
    (tmp_path / "journal.db-lock").touch()
    with rig(monkeypatch, path) as table:
        table.play(table.press("5", "right"), until="10")
        (aside,) = tmp_path.glob("*.damaged")
        assert table.face("4").notices == (
            f"The journal cannot be used (it is no SQLite file) and is kept as {aside.name}; a new one was begun",
        )
        assert table.face("9").notices == ()
    assert aside.read_bytes() == b"not a journal"
    assert [kept.row.number for kept in rows_in(path) if kept.row.kind == Kind.EVENT] == [1, 2]


def _wait_until_written(table: Rig, at: str) -> list[Step]:
    """Return the step of waiting until the writer's thread says that all is well."""

    def do() -> None:
        well = False
        while not well:
            assert table.screen.woken.wait(PATIENCE_S)
            table.screen.woken.clear()
            heard = table.loop.inbox.wait(0)
            well = any(isinstance(item, Progress) and item.trouble is None for item in heard)
            for item in heard:
                table.loop.inbox.put(item)

    return [(table.at(at), do)]


def test_a_journal_that_cannot_be_written_stops_no_game_and_holds_all_of_it_once_it_can(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "card"
    folder.write_text("no folder yet")
    path = folder / "journal.db"
    with rig(monkeypatch, path) as table:
        table.play(
            table.press("5", "right"),
            table.press("15.5", "left"),
            [(table.at("20"), folder.unlink)],
            _wait_until_written(table, "21"),
            table.press("30", "centre"),
            until="40",
        )
        (notice,) = table.face("19").notices
        assert notice.startswith(f"The game is not being recorded: {path}: ")
        assert table.face("29").notices == ()
        # It is said at the next stop, however short it was.
        (notice,) = table.face("39").notices
        assert notice.startswith("Recording was interrupted and goes on")
        assert table.used() == (ns("10.5"), ns("14.5"))
    assert [kept.row.at - BEGAN for kept in rows_in(path) if kept.row.kind == Kind.EVENT] == [0, ns("5"), ns("15.5"), ns("30")]


def test_a_journal_that_another_program_held_at_the_start_numbers_the_new_game_after_the_old_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path) as table:
        table.play(whole_game(table), until=UNTIL, cut=True)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    with rig(monkeypatch, path, Hand(BEGAN + ns("3600"), boot="second boot")) as table:
        table.play([(table.at("2"), holder.close)], _wait_until_written(table, "3"), until="4")
    games = [kept.row.game for kept in rows_in(path) if kept.row.number == 1]
    assert games == [1, 2]
