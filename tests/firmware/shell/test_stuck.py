"""A button that is down when the clock starts."""

from pathlib import Path

import pytest

from firmware.core.game import Phase
from firmware.journal.body import decode
from firmware.journal.row import Kind
from tests.firmware.shell.rig import rig, rows_in


def test_a_button_stuck_down_at_the_start_is_no_press_and_is_said_until_it_is_free(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left"]) as table:
        freed = table.at("20")
        table.play([(freed, lambda: table.board.up("left", freed))], table.press("30", "right"), table.press("40", "left"), until="50")
        assert table.face("10").phase is Phase.READY
        assert table.face("10").notices == ("LEFT button is stuck down: free it",)
        assert table.face("21").notices == ()
        assert table.face("31").phase is Phase.RUNNING
        assert table.used() == (10_000_000_000, 0)
    notes = [decode(kept.row.body) for kept in rows_in(table.path) if kept.row.kind == Kind.NOTE]
    assert notes == [{"stuck": "left"}]


def test_the_bounce_of_a_stuck_button_that_comes_free_is_no_press(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left"]) as table:
        freed = table.at("20")
        chatter = [freed, freed + 5_000_000, freed + 12_000_000]
        table.play([(freed, lambda: table.board.bounce("left", chatter))], until="30")
        assert table.face("29").phase is Phase.READY


def test_a_game_can_be_played_with_the_other_button_while_one_is_stuck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db", stuck=["left"]) as table:
        table.play(table.press("5", "right"), table.press("15.5", "centre"), until="20")
        assert table.used() == (10_500_000_000, 0)
