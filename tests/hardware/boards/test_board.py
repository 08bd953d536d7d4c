"""The shipped boards and a director's own: what each has, and how one is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from appliance.errors import BoardError
from faults.errors import TileclockError
from hardware.boards.board import load_board, shipped_boards
from hardware.boards.kinds import BUTTONS, CLOCK, MAKES, STATION
from tests.errors import with_fields
from tests.hardware.board_files import TWO, refused


def test_the_shipped_boards_are_three_for_a_clock_and_one_for_a_station() -> None:
    assert shipped_boards() == ("full", "station", "two-button", "two-display")
    assert shipped_boards(CLOCK) == ("full", "two-button", "two-display")
    assert shipped_boards(STATION) == ("station",)


@pytest.mark.parametrize("board_id", shipped_boards())
def test_every_shipped_board_uses_each_pin_once_and_keeps_off_the_pins_that_others_need(board_id: str) -> None:
    pins = [pin.gpio for _, pin in load_board(board_id).pins()]
    assert len(set(pins)) == len(pins)
    i2c, spi, serial, sound = {2, 3}, {7, 8, 9, 10, 11}, {14, 15}, {18, 19, 20, 21}
    assert not set(pins) & (i2c | spi | serial | sound)


@pytest.mark.parametrize("board_id", shipped_boards())
def test_every_pin_of_a_shipped_board_has_a_note_that_names_its_hole_rightly(board_id: str) -> None:
    for user, pin in load_board(board_id).pins():
        hole = int(str(pin).removesuffix(")").rsplit(" ", 1)[1])
        assert pin.note.startswith(f"header pin {hole},"), user


def test_the_full_board_has_all_seven_buttons_two_lamps_and_a_buzzer() -> None:
    board = load_board("full")
    assert (board.id, board.kind) == ("full", "full")
    assert set(board.buttons) == set(BUTTONS)
    assert set(board.lamps) == {"left", "right"}
    assert board.buzzer is not None


def test_every_kind_of_board_belongs_to_one_appliance_and_may_have_all_it_needs() -> None:
    assert sorted(CLOCK.kinds + STATION.kinds) == sorted(MAKES)
    assert all(set(make.needed) <= set(make.buttons) for make in MAKES.values())


def test_the_two_button_board_is_wired_as_that_part_of_the_full_one() -> None:
    full, two = load_board("full"), load_board("two-button")
    assert {name: pin.gpio for name, pin in two.buttons.items()} == {name: full.buttons[name].gpio for name in ("left", "right")}
    assert {name: pin.gpio for name, pin in two.lamps.items()} == {name: pin.gpio for name, pin in full.lamps.items()}


def test_a_directors_own_board_works_by_its_path_with_neither_lamps_nor_buzzer(tmp_path: Path) -> None:
    path = tmp_path / "table-4.toml"
    path.write_text(TWO, encoding="utf-8")
    for given in (path, str(path)):
        board = load_board(given)
        assert (board.id, board.title, dict(board.lamps), board.buzzer) == ("table-4", "Club table 4", {}, None)


def test_a_two_button_board_may_have_a_centre_bar_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "bar.toml"
    path.write_text(TWO + "[buttons.centre]\ngpio = 4\n", encoding="utf-8")
    assert load_board(path).buttons["centre"].gpio == 4


def test_the_power_button_is_a_pin_like_any_other_but_nobody_opens_it(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + "[power]\ngpio = 5\n")
    assert said.startswith("expected every pin once, found GPIO5 (header pin 29) for both buttons.left and power. ")
    full = load_board("full")
    assert full.power is not None
    assert full.power.gpio == 3
    assert "power" not in dict(full.pins())


def test_a_board_that_is_not_there_is_answered_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(BoardError, check=with_fields(found="no such file or directory", remedy=re.compile("full, two-button"))):
        load_board(tmp_path / "none.toml", CLOCK)
    with pytest.raises(BoardError, check=with_fields(expected=re.compile("full, two-button, two-display"), found="'huge'")):
        load_board("huge", CLOCK)


def test_a_board_error_is_caught_as_ours_and_as_a_bad_value() -> None:
    assert issubclass(BoardError, TileclockError)
    assert issubclass(BoardError, ValueError)
