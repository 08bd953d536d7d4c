"""A board file with something wrong in it: each fault is named with what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import BoardError
from hardware.boards.board import load_board
from tests.cells import each_cell
from tests.errors import with_fields
from tests.hardware.board_files import DISPLAYS, TWO, refused

PIN_KEYS = "gpio, note, part, wire, resistor, capacitor, pull_up, driver, diode"


def test_a_pin_used_twice_names_the_pin_its_hole_and_both_users(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + "[lamps.left]\ngpio = 6\n")
    assert (
        said == "expected every pin once, found GPIO6 (header pin 31) for both buttons.right and lamps.left. Give one of them another pin."
    )


def test_an_unknown_button_is_named_with_those_that_are_allowed(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO + "[buttons.middle]\ngpio = 4\n")
    allowed = "left, right, centre, up, down, ok, key"
    assert said == f"buttons.middle: expected only the names {allowed} on a two-button board, found 'middle'. Rename it or take it out."


@pytest.mark.parametrize("gpio", ["0", "1", "28", "-3"])
def test_a_pin_that_is_not_on_the_header_is_refused_with_the_range(tmp_path: Path, gpio: str) -> None:
    said = refused(tmp_path, TWO.replace("gpio = 6", f"gpio = {gpio}"))
    assert said == f"buttons.right.gpio: expected a GPIO number on the 40-pin header, 2 to 27, found {gpio}. Correct it."


@pytest.mark.parametrize("value", ['"GPIO6"', "6.0", "true"])
def test_a_pin_that_is_not_a_whole_number_is_refused(tmp_path: Path, value: str) -> None:
    said = refused(tmp_path, TWO.replace("gpio = 6", f"gpio = {value}"))
    assert said.startswith("buttons.right.gpio: expected a GPIO number on the 40-pin header, 2 to 27, found ")


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_board_without_a_players_button_is_refused(tmp_path: Path, side: str) -> None:
    said = refused(tmp_path, TWO.replace(f"[buttons.{side}]", "[buttons.ok]"))
    assert said == f"kind: expected the buttons left, right on a two-button board, found no {side}. Add [buttons.{side}] with its gpio."


def test_a_full_board_that_lacks_buttons_is_told_of_the_other_kind(tmp_path: Path) -> None:
    said = refused(tmp_path, TWO.replace("two-button", "full"))
    assert "found no centre, up, down, ok, key. Add [buttons.centre] with its gpio, " in said
    assert said.endswith('or say kind = "two-button".')


def test_a_full_board_that_lacks_a_players_button_is_not_sent_to_the_other_kind(tmp_path: Path) -> None:
    said = refused(tmp_path, 'title = "x"\nkind = "full"\n[buttons.left]\ngpio = 5\n')
    assert "two-button" not in said


WRONG = [
    ("kind = 'full'\n[buttons]\n", "title: expected a text in quotes, found nothing. Add it."),
    (TWO.replace('"two-button"', '"huge"'), 'kind: expected "full", "two-button" or "station", found "huge". Correct it.'),
    (TWO.replace('"Club table 4"', "4"), "title: expected a text in quotes, found 4. Correct it."),
    (
        TWO + "[horn]\ngpio = 9\n",
        'expected one of the keys title, kind, buttons, lamps, buzzer, displays, power, parts, found "horn". Remove it.',
    ),
    (TWO + "pull = 'up'\n", f'buttons.right: expected one of the keys {PIN_KEYS}, found "pull". Did you mean pull_up?'),
    (
        TWO + "[lamps.top]\ngpio = 9\n",
        "lamps.top: expected only the names left, right on a two-button board, found 'top'. Rename it or take it out.",
    ),
    ("lamps = 3\n" + TWO, "lamps: expected a table of pins, found 3. Correct it."),
    ("buzzer = 12\n" + TWO, "buzzer: expected a table with the key gpio, found 12. Correct it."),
    (TWO + "wire = -1\n", "buttons.right.wire: expected a whole number of cm, 0 or more, found -1. Correct it."),
    (TWO + "resistor = '1k'\n", 'buttons.right.resistor: expected a whole number of ohms, 0 or more, found "1k". Correct it.'),
    (TWO + "capacitor = 0.1\n", "buttons.right.capacitor: expected a whole number of nF, 0 or more, found 0.1. Correct it."),
    (TWO + "part = 3\n", "buttons.right.part: expected a text in quotes, found 3. Correct it."),
    (
        TWO + DISPLAYS + "baud = 300\n",
        "displays.right.baud: expected a whole number of bits a second, 2400 to 115200, found 300. Correct it.",
    ),
    (TWO + DISPLAYS + "tx = 28\n", "displays.right.tx: expected a GPIO number on the 40-pin header, 2 to 27, found 28. Correct it."),
    (
        TWO + DISPLAYS + "gpio = 8\n",
        'displays.right: expected one of the keys port, tx, rx, baud, note, part, wire, resistor, found "gpio". Remove it.',
    ),
    (
        TWO + DISPLAYS.replace('"/dev/ttyUSB0"', '""'),
        'displays.right.port: expected the path of a serial port in quotes, found "". Correct it.',
    ),
    (TWO + "[displays]\nleft = 3\n", "displays.left: expected a table with the key port, found 3. Correct it."),
    ("displays = 3\n" + TWO, "displays: expected a table of displays, found 3. Correct it."),
    (TWO + "[parts]\nsupply = 0\n", "parts.supply: expected a whole number, 1 or more, found 0. Correct it."),
    ("parts = 3\n" + TWO, "parts: expected a table of parts with how many of each, found 3. Correct it."),
    ("power = 3\n" + TWO, "power: expected a table with the key gpio, found 3. Correct it."),
    (TWO + "[buzzer]\nnote = 'loud'\n", "buzzer.gpio: expected a GPIO number on the 40-pin header, 2 to 27, found nothing. Add it."),
]


def test_a_value_that_is_wrong_is_named_with_what_is_allowed(tmp_path: Path) -> None:
    for cell in each_cell(WRONG, lambda wrong: wrong[0]):
        with cell as (text, said):
            assert refused(tmp_path, text) == said


PARTS = [
    (TWO + "part = 'lever'\n", "buttons.right.part", "arcade-button-60mm", "lever"),
    (TWO + "part = 'led-5mm-red'\n", "buttons.right.part", "key-switch-19mm", "led-5mm-red"),
    (TWO + "[lamps.left]\ngpio = 16\npart = 'arcade-button-60mm'\n", "lamps.left.part", "arcade-lamp-5v", "arcade-button-60mm"),
    (TWO + "[lamps.left]\ngpio = 16\ndriver = 'resistor'\n", "lamps.left.driver", "bc337-40", "resistor"),
    (TWO + "[buzzer]\ngpio = 12\ndiode = 'bc337-40'\n", "buzzer.diode", "1n4148", "bc337-40"),
    (TWO + "[power]\ngpio = 3\npart = 'bc337-40'\n", "power.part", "push-button-16mm", "bc337-40"),
    (TWO + DISPLAYS + "part = 'panel-7in'\n", "displays.right.part", "serial-7-segment", "panel-7in"),
    (TWO + "[parts]\ngold = 1\n", "parts.gold", "raspberry-pi", "gold"),
]


def test_a_part_that_nobody_knows_or_that_cannot_stand_there_is_refused_with_those_that_can(tmp_path: Path) -> None:
    for cell in each_cell(PARTS):
        with cell as (text, key, one, found):
            said = refused(tmp_path, text)
            assert said.startswith(f"{key}: expected one of the parts ")
            assert one in said
            assert said.endswith(f", found {found!r}. Name one of these.")


def test_a_file_that_is_not_toml_is_told_where(tmp_path: Path) -> None:
    assert "line 2" in refused(tmp_path, "title = 'x'\nkind = = 3\n")


def test_a_file_that_is_not_utf_8_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(b'title = "caf\xe9"\n')
    with pytest.raises(BoardError, check=with_fields(where=str(path), expected="TOML in UTF-8")):
        load_board(path)
