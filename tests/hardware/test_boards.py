"""Boards: the shipped ones and a director's own, what each may have, and what is said of a bad one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from appliance.errors import BoardError
from faults.errors import TileclockError
from hardware.boards.board import load_board, shipped_boards
from hardware.boards.kinds import BUTTONS, CLOCK, MAKES, STATION, Appliance
from tests.cells import each_cell
from tests.errors import with_fields

TWO = """
title = "Club table 4"
kind = "two-button"
[buttons.left]
gpio = 5
[buttons.right]
gpio = 6
"""

DISPLAYS = """
[displays.left]
port = "/dev/ttyAMA0"
tx = 14
[displays.right]
port = "/dev/ttyUSB0"
"""

STAND = """
title = "Station by the door"
kind = "station"
[buttons.adjudicate]
gpio = 5
"""


def refused(tmp_path: Path, text: str) -> str:
    """Return what is said of a board file with that text."""
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        load_board(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


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


def test_the_station_board_has_the_adjudication_button_the_directors_key_and_three_lamps() -> None:
    board = load_board("station", STATION)
    assert (board.id, board.kind, board.buzzer) == ("station", "station", None)
    assert set(board.buttons) == {"adjudicate", "key"}
    assert set(board.lamps) == {"adjudicate", "acceptable", "unacceptable"}


def test_the_stations_buttons_are_pulled_up_from_reset_and_its_lamps_down() -> None:
    board = load_board("station")
    assert all(pin.gpio <= 8 for pin in board.buttons.values())
    assert all(pin.gpio >= 9 for pin in board.lamps.values())


def test_a_station_needs_no_more_than_the_adjudication_button(tmp_path: Path) -> None:
    path = tmp_path / "door.toml"
    path.write_text(STAND, encoding="utf-8")
    board = load_board(path, STATION)
    assert (list(board.buttons), dict(board.lamps)) == (["adjudicate"], {})


@pytest.mark.parametrize(
    ("file", "appliance", "said"),
    [
        (
            STAND,
            CLOCK,
            "table clock (full, two-button), found 'station'. Name a shipped board (full, two-button, two-display), or a file of that kind.",
        ),
        (TWO, STATION, "challenge station (station), found 'two-button'. Name a shipped board (station), or a file of that kind."),
    ],
)
def test_the_board_of_one_appliance_is_refused_on_the_other(tmp_path: Path, file: str, appliance: Appliance, said: str) -> None:
    path = tmp_path / "other.toml"
    path.write_text(file, encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        load_board(path, appliance)
    assert str(caught.value) == f"{path}: kind: expected the board of a {said}"


def test_an_unknown_board_is_answered_with_the_boards_of_that_appliance() -> None:
    with pytest.raises(BoardError, check=with_fields(expected=re.compile("station"), found="'huge'")):
        load_board("huge", STATION)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (STAND + "[buttons.left]\ngpio = 6\n", "buttons.left: expected only the names adjudicate, key on a station board, found 'left'"),
        (
            STAND + "[lamps.right]\ngpio = 16\n",
            "lamps.right: expected only the names adjudicate, acceptable, unacceptable on a station board, found 'right'",
        ),
        (
            TWO + "[buttons.adjudicate]\ngpio = 4\n",
            "buttons.adjudicate: expected only the names left, right, centre, up, down, ok, key on a two-button board, found 'adjudicate'",
        ),
        (
            TWO.replace("two-button", "full") + "[lamps.acceptable]\ngpio = 16\n",
            "lamps.acceptable: expected only the names left, right on a full board, found 'acceptable'",
        ),
    ],
)
def test_a_name_of_the_other_appliance_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert refused(tmp_path, text) == f"{said}. Rename it or take it out."


def test_a_station_board_with_a_buzzer_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, STAND + "[buzzer]\ngpio = 12\n")
    assert said == "buzzer: expected none on a station board, which makes no sound, found one. Take it out."


def test_a_station_board_without_its_button_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, STAND.replace("buttons.adjudicate", "buttons.key"))
    assert said == (
        "kind: expected the buttons adjudicate on a station board, found no adjudicate. Add [buttons.adjudicate] with its gpio."
    )


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
