"""Edges that a flood has swallowed: the lines are read again, and the game goes on from what is true of the buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero import GPIOZeroError

from game.journal.row import decode
from tests.firmware.shell.rig import Rig, Step, ns, rig, rows_in


def unheard(table: Rig, monkeypatch: pytest.MonkeyPatch, seconds: str, button: str, *, down: bool) -> list[Step]:
    """Return the step of a button that moves, of which no edge comes."""
    pin = table.board.factory.pin(table.board.board.buttons[button].name)

    def move() -> None:
        with monkeypatch.context() as deaf:
            deaf.setattr(pin, "_call_when_changed", lambda: None)
            (table.board.down if down else table.board.up)(button, table.at(seconds))

    return [(table.at(seconds), move)]


def noted(path: Path) -> list[str]:
    return [lost for kept in rows_in(path) if (lost := decode(kept.row.body).get("edges_lost")) is not None]


def test_a_press_of_which_every_edge_was_lost_counts_from_when_its_line_was_first_seen_low(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        lost = [
            *unheard(table, monkeypatch, "10.2", "left", down=True),
            *unheard(table, monkeypatch, "12.2", "left", down=False),
        ]
        table.play(table.press("5", "right"), lost, table.press("20", "centre"), until="21")
        # Seen at the next turn of the loop, for the reading that changes once a second.
        assert table.used() == (ns("6"), ns("9"))
    assert noted(tmp_path / "journal.db") == ["1", "2"]


def test_a_release_that_was_lost_does_not_leave_the_button_stuck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        down = [(table.at("8"), lambda: table.board.down("left", table.at("8")))]
        up = unheard(table, monkeypatch, "8.01", "left", down=False)
        table.play(
            table.press("5", "right"),
            down,
            up,
            table.press("15", "right"),
            table.press("20", "left"),
            table.press("25", "centre"),
            until="26",
        )
        assert table.used() == (ns("3") + ns("5"), ns("7") + ns("5"))
    assert noted(tmp_path / "journal.db") == ["1"]


def test_a_quiet_clock_is_not_woken_to_read_its_lines_and_a_press_asks_for_one_look(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "up"), until="3600")
        woken = [asked for asked in table.screen.asked if asked is not None]
        assert len(woken) <= 4
        assert table.screen.asked[-1] is None
    assert noted(tmp_path / "journal.db") == []


def test_lines_that_can_no_longer_be_read_are_given_up_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(_pin: object) -> bool:
        raise GPIOZeroError("gone")

    with rig(monkeypatch, tmp_path / "journal.db") as table, monkeypatch.context() as broken:
        fail: list[Step] = [
            (table.at("7"), lambda: broken.setattr("gpiozero.pins.mock.MockPin._get_state", fails)),
            (table.at("10"), broken.undo),
        ]
        table.play(table.press("5", "right"), fail, table.press("20", "centre"), until="21")
        assert table.used() == (ns("15"), 0)
    given_up = [decode(kept.row.body).get("given_up") for kept in rows_in(tmp_path / "journal.db")]
    assert given_up.count("looking at the buttons again") == 1
