"""A data partition that is full when the clock starts: the game is played and shown all the same, the screen says why nothing is kept, and all is kept once there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.journal.row import Kind
from tests.appliance.records.refusing import no_file_larger
from tests.firmware.shell.processes import said_in
from tests.firmware.shell.rig import PATIENCE_S, ns, rig, rows_in
from tests.processes import until

pytestmark = pytest.mark.waits(20)


def test_on_a_disk_that_is_full_from_the_start_the_screen_says_so_and_the_times_are_right_to_the_nanosecond(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with no_file_larger(0), rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "right"), table.press("15.5", "left"), table.press("30", "centre"), until="40")
        for at in ("1", "10", "39"):
            assert table.face(at).notices[0].startswith("The game is not being recorded: ")
            assert "Traceback" not in table.face(at).notices[0]
        assert table.used() == (ns("10.5"), ns("14.5"))


def test_a_disk_that_fills_up_in_a_game_is_said_at_once_and_nothing_of_the_game_is_lost_once_there_is_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        until(lambda: len(said_in(table.path)) == 1)
        with no_file_larger(0):
            table.play(table.press("5", "right"), [(table.at("9"), lambda: table.screen.woken.wait(PATIENCE_S))], until="10", cut=True)
            assert table.face("9.5").notices[0].startswith("The game is not being recorded: ")
        table.play(table.press("15.5", "left"), table.press("30", "centre"), until="40")
        assert table.used() == (ns("10.5"), ns("14.5"))
    assert [kept.row.kind for kept in rows_in(table.path)].count(Kind.EVENT) == 4
