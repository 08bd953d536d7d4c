"""Boards with a display for each player: their ports, their pins, and the boards that may have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from tests.hardware.board_files import DISPLAYS, STAND, TWO, refused


def test_displays_are_read_with_their_port_their_pin_and_their_speed(tmp_path: Path) -> None:
    path = tmp_path / "led.toml"
    path.write_text(TWO + DISPLAYS, encoding="utf-8")
    board = load_board(path)
    assert {name: (display.port, display.tx, display.baud) for name, display in board.displays.items()} == {
        "left": ("/dev/ttyAMA0", 14, 9600),
        "right": ("/dev/ttyUSB0", None, 9600),
    }
    assert [user for user, _ in board.wired()] == ["buttons.left", "buttons.right", "displays.left.tx"]
    assert [user for user, _ in board.pins()] == ["buttons.left", "buttons.right"]


@pytest.mark.parametrize("name", ["full", "station", "two-button"])
def test_a_board_with_a_screen_has_no_displays(name: str) -> None:
    assert dict(load_board(name).displays) == {}


def test_the_two_display_board_is_the_two_button_board_with_a_display_for_each_player() -> None:
    two, with_displays = load_board("two-button"), load_board("two-display", CLOCK)
    assert (with_displays.kind, with_displays.buttons, with_displays.lamps) == (two.kind, two.buttons, two.lamps)
    assert {name: display.tx for name, display in with_displays.displays.items()} == {"left": 14, "right": 8}


def test_a_full_board_may_have_displays_too(tmp_path: Path) -> None:
    path = tmp_path / "led.toml"
    buttons = "".join(f"[buttons.{name}]\ngpio = {pin.gpio}\n" for name, pin in load_board("full").buttons.items())
    path.write_text(f'title = "x"\nkind = "full"\n{buttons}{DISPLAYS}', encoding="utf-8")
    assert set(load_board(path, CLOCK).displays) == {"left", "right"}


def test_one_display_alone_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + DISPLAYS.split("[displays.right]", maxsplit=1)[0])
    assert said == "displays: expected one for each player, found left alone. Add [displays.right] with its port, or take both out."


def test_two_displays_on_one_port_are_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + DISPLAYS.replace("ttyUSB0", "ttyAMA0"))
    assert said == "displays: expected a port for each, found '/dev/ttyAMA0' for both. Give one of them its own."


def test_a_display_on_a_buttons_pin_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + DISPLAYS.replace("tx = 14", "tx = 5"))
    assert said == (
        "expected every pin once, found GPIO5 (header pin 29) for both buttons.left and displays.left.tx. Give one of them another pin."
    )


def test_a_stations_board_with_displays_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, STAND + DISPLAYS)
    assert said == "displays: expected none on a station board, found 'left'. Take it out."


def test_a_display_that_faces_nobody_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + DISPLAYS.replace("displays.right", "displays.middle"))
    assert said == "displays.middle: expected only the names left, right on a two-button board, found 'middle'. Rename it or take it out."
