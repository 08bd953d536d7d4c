"""A mark that is later than promised is said on the screen while it is so, kept in the journal, and makes the next promise longer."""

import sqlite3
from pathlib import Path

import pytest

from firmware.journal.store import MIN_NS
from game.journal.reading import read_mark, reading
from game.journal.row import Kind, decode
from tests.firmware.shell.rig import Rig, Step, ns, rig, rows_in

LATE = "RECORDING IS LATE: "


def _held(table: Rig, path: Path, seconds: str, until: str) -> list[Step]:
    """Return the steps of another program that holds the journal for so long: the clock's time goes on, its commits do not."""
    held = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    settled = table.screen.settled

    def hold() -> None:
        held.execute("BEGIN IMMEDIATE")
        table.screen.settled = lambda: True

    def release() -> None:
        held.execute("ROLLBACK")
        held.close()
        table.screen.settled = settled

    return [(table.at(seconds), hold), (table.at(until), release)]


def test_marks_that_come_late_are_said_and_kept_and_widen_what_a_power_cut_would_state(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    with rig(monkeypatch, path) as table:
        steps = _held(table, path, "10.5", "14.2")
        table.play(table.press("5", "right"), steps, until="20", cut=True)
        # The mark of 10 s and a promise of a second more: until 12 s nobody has to know.
        assert not any(notice.startswith(LATE) for notice in table.face("11.9").notices)
        assert any(notice.startswith(LATE) for notice in table.face("13.9").notices)
        assert table.face("16").notices == ()
    late = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]
    assert [body.keys() for body in late] == [{"marks_late_s"}]
    with reading(path) as connection:
        mark = read_mark(connection)
    assert mark is not None
    # Due at 11 s or so, through at 14: the next promises are twice that, but for what is forgotten.
    assert mark.commit_ns > 2 * ns("2.5")
    assert mark.commit_ns > MIN_NS


def test_a_clock_that_stands_is_never_late(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "right"), table.press("8", "centre"), table.press("600", "right"), until="605", cut=True)
        assert not any(notice.startswith(LATE) for _, face in table.screen.faces for notice in face.notices)
