import re
from pathlib import Path

import pytest

from appliance.errors import BoardError
from hardware.boards.board import ASKING, BUTTONS, CLOCK, MAKES, STATION, Board, load_board, shipped_boards
from tests.cells import each_cell
from tests.errors import with_fields

TWO = 'title = "Club table 4"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n'
DISPLAYS = '[displays.left]\nport = "/dev/ttyAMA0"\ntx = 14\n[displays.right]\nport = "/dev/ttyUSB0"\n'
STAND = 'title = "Station by the door"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n'
each_board = pytest.mark.parametrize("board", [load_board(each) for each in shipped_boards()], ids=shipped_boards())


def own(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table-4.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_boards_are_four_for_a_clock_and_one_for_a_station() -> None:
    assert shipped_boards() == ("full", "station", "two-button", "two-display", "two-display-i2c")
    assert shipped_boards(CLOCK) == ("full", "two-button", "two-display", "two-display-i2c")
    assert shipped_boards(STATION) == ("station",)
    assert sorted(CLOCK.kinds + STATION.kinds) == sorted(MAKES)
    assert all(set(make.needed) <= set(make.buttons) for make in MAKES.values())


@each_board
def test_every_shipped_board_uses_each_pin_once_keeps_off_those_that_others_need_and_names_each_hole_rightly(board: Board) -> None:
    pins = [pin.gpio for _, pin in board.pins()]
    assert len(set(pins)) == len(pins)
    i2c, spi, serial, sound = {2, 3}, {7, 8, 9, 10, 11}, {14, 15}, {18, 19, 20, 21}
    assert not set(pins) & (i2c | spi | serial | sound)
    for user, pin in board.pins():
        hole = int(str(pin).removesuffix(")").rsplit(" ", 1)[1])
        assert pin.note.startswith(f"header pin {hole},"), user


def test_the_full_board_has_all_seven_buttons_two_lamps_a_buzzer_and_a_power_button_that_nobody_opens() -> None:
    board = load_board("full")
    assert (board.id, board.kind, set(board.buttons), set(board.lamps)) == ("full", "full", {*BUTTONS} - {*ASKING}, {"left", "right"})
    assert board.buzzer is not None
    assert board.power is not None
    assert board.power.gpio == 3
    assert "power" not in dict(board.pins())
    assert not board.displays


def test_the_smaller_boards_are_wired_as_that_part_of_the_full_one() -> None:
    full, two, with_displays = load_board("full"), load_board("two-button"), load_board("two-display", CLOCK)
    assert {name: pin.gpio for name, pin in two.buttons.items()} == {name: full.buttons[name].gpio for name in ("left", "right")}
    assert {name: pin.gpio for name, pin in two.lamps.items()} == {name: pin.gpio for name, pin in full.lamps.items()}
    assert (with_displays.kind, with_displays.buttons, with_displays.lamps) == (two.kind, two.buttons, two.lamps)
    assert {name: display.tx for name, display in with_displays.displays.items()} == {"left": 14, "right": 8}
    assert not two.displays
    on_i2c = load_board("two-display-i2c", CLOCK)
    assert (on_i2c.kind, on_i2c.buttons, on_i2c.lamps, on_i2c.power) == (two.kind, two.buttons, two.lamps, two.power)
    assert list(on_i2c.bus()) == [("displays.sda", 23), ("displays.scl", 24)]
    assert {display.overlay for display in on_i2c.displays.values()} == {"dtoverlay=i2c-gpio,bus=7,i2c_gpio_sda=23,i2c_gpio_scl=24"}


def test_the_station_board_has_its_buttons_on_pins_that_are_pulled_up_from_reset_and_its_lamps_on_others() -> None:
    board = load_board("station", STATION)
    assert (board.id, board.kind, board.buzzer, dict(board.displays)) == ("station", "station", None, {})
    assert (set(board.buttons), set(board.lamps)) == ({"adjudicate", "key"}, {"adjudicate", "acceptable", "unacceptable"})
    assert all(pin.gpio <= 8 for pin in board.buttons.values())
    assert all(pin.gpio >= 9 for pin in board.lamps.values())


def test_a_directors_own_board_works_by_its_path_and_may_have_little_or_more_than_its_kind_needs(tmp_path: Path) -> None:
    path = own(tmp_path, TWO)
    for given in (path, str(path)):
        board = load_board(given)
        assert (board.id, board.title, dict(board.lamps), board.buzzer) == ("table-4", "Club table 4", {}, None)
    assert load_board(own(tmp_path, TWO + "[buttons.centre]\ngpio = 4\n")).buttons["centre"].gpio == 4
    station = load_board(own(tmp_path, STAND), STATION)
    assert (list(station.buttons), dict(station.lamps)) == (["adjudicate"], {})
    buttons = "".join(f"[buttons.{name}]\ngpio = {pin.gpio}\n" for name, pin in load_board("full").buttons.items())
    full = load_board(own(tmp_path, f'title = "x"\nkind = "full"\n{buttons}{DISPLAYS}'), CLOCK)
    assert set(full.displays) == {"left", "right"}


def test_displays_are_read_with_their_port_their_pin_and_their_speed(tmp_path: Path) -> None:
    board = load_board(own(tmp_path, TWO + DISPLAYS))
    read = {name: (display.port, display.tx, display.baud) for name, display in board.displays.items()}
    assert read == {"left": ("/dev/ttyAMA0", 14, 9600), "right": ("/dev/ttyUSB0", None, 9600)}
    assert [user for user, _ in board.wired()] == ["buttons.left", "buttons.right", "displays.left.tx"]
    assert [user for user, _ in board.pins()] == ["buttons.left", "buttons.right"]


def test_a_board_that_is_not_there_or_of_the_other_appliance_is_answered_with_those_that_can_be_had(tmp_path: Path) -> None:
    for name, appliance, expected, found, remedy in (
        (tmp_path / "none.toml", CLOCK, "", "no such file or directory", "full, two-button"),
        ("huge", CLOCK, "full, two-button, two-display, two-display-i2c", "'huge'", ""),
        ("huge", STATION, "station", "'huge'", ""),
        (
            own(tmp_path, STAND),
            CLOCK,
            r"board of a table clock \(full, two-button\)",
            "'station'",
            r"\(full, two-button, two-display, two-display-i2c\), or a",
        ),
    ):
        with pytest.raises(BoardError, check=with_fields(expected=re.compile(expected), found=found, remedy=re.compile(remedy))):
            load_board(name, appliance)
    with pytest.raises(BoardError, check=with_fields(where=f"{own(tmp_path, TWO)}: kind", found="'two-button'")) as caught:
        load_board(own(tmp_path, TWO), STATION)
    assert "the board of a challenge station (station), found 'two-button'. Name a shipped board (station), or a" in str(caught.value)


PIN = "a GPIO number on the 40-pin header, 2 to 27"
CLOCKS = "left, right, centre, up, down, ok, key"
WRONG = [
    # The file, where the fault is, what was expected, what was found.
    ("kind = 'full'\n[buttons]\n", "title", "a text in quotes", "nothing"),
    (TWO.replace('"two-button"', '"huge"'), "kind", '"full", "two-button" or "station"', '"huge"'),
    (TWO.replace('"Club table 4"', "4"), "title", "a text in quotes", "4"),
    (TWO + "[horn]\ngpio = 9\n", "", "one of the keys title", '"horn"'),
    (TWO + "pull = 'up'\n", "buttons.right", "one of the keys gpio", '"pull"'),
    *((TWO.replace("gpio = 6", f"gpio = {pin}"), "buttons.right.gpio", PIN, pin) for pin in ("1", "28", "-3", '"GPIO6"', "6.0", "true")),
    (TWO + "[lamps.left]\ngpio = 6\n", "", "every pin once", "GPIO6 (header pin 31) for both buttons.right and lamps.left"),
    (TWO + "[power]\ngpio = 5\n", "", "every pin once", "GPIO5 (header pin 29) for both buttons.left and power"),
    (TWO + DISPLAYS.replace("14", "5"), "", "every pin once", "GPIO5 (header pin 29) for both buttons.left and displays.left.tx"),
    *(
        (TWO.replace(f"[buttons.{side}]", "[buttons.ok]"), "kind", "left, right on a two-button board", f"no {side}")
        for side in ("left", "right")
    ),
    (STAND.replace("buttons.adjudicate", "buttons.key"), "kind", "the buttons adjudicate on a station board", "no adjudicate"),
    (
        TWO + "[buttons.middle]\ngpio = 4\n",
        "buttons.middle",
        f"only the names {CLOCKS}, ask_left, ask_right on a two-button board",
        "'middle'",
    ),
    (TWO + "[lamps.top]\ngpio = 9\n", "lamps.top", "only the names left, right on a two-button board", "'top'"),
    (STAND + "[buttons.left]\ngpio = 6\n", "buttons.left", "only the names adjudicate, key on a station board", "'left'"),
    (STAND + "[lamps.right]\ngpio = 16\n", "lamps.right", "only the names adjudicate, acceptable, unacceptable", "'right'"),
    (TWO + DISPLAYS.replace("displays.right", "displays.middle"), "displays.middle", "only the names left, right", "'middle'"),
    ("lamps = 3\n" + TWO, "lamps", "a table of pins", "3"),
    ("buzzer = 12\n" + TWO, "buzzer", "a table with the key gpio", "12"),
    (STAND + "[buzzer]\ngpio = 12\n", "buzzer", "none on a station board, which makes no sound", "one"),
    (TWO + "[buzzer]\nnote = 'loud'\n", "buzzer.gpio", PIN, "nothing"),
    (TWO + "wire = -1\n", "buttons.right.wire", "a whole number of cm, 0 or more", "-1"),
    (TWO + "resistor = '1k'\n", "buttons.right.resistor", "a whole number of ohms, 0 or more", '"1k"'),
    (TWO + "capacitor = 0.1\n", "buttons.right.capacitor", "a whole number of nF, 0 or more", "0.1"),
    (TWO + "part = 3\n", "buttons.right.part", "a text in quotes", "3"),
    (TWO + DISPLAYS + "baud = 300\n", "displays.right.baud", "a whole number of bits a second, 2400 to 115200", "300"),
    (TWO + DISPLAYS + "tx = 28\n", "displays.right.tx", PIN, "28"),
    (TWO + DISPLAYS + "gpio = 8\n", "displays.right", "one of the keys port", '"gpio"'),
    (TWO + DISPLAYS.replace('"/dev/ttyUSB0"', '""'), "displays.right.port", "the path of a port in quotes", '""'),
    (TWO + DISPLAYS.split("[displays.right]", maxsplit=1)[0], "displays", "one for each player", "left alone"),
    (TWO + DISPLAYS.replace("ttyUSB0", "ttyAMA0"), "displays", "a port for each", "'/dev/ttyAMA0' for both"),
    (TWO + DISPLAYS + "sda = 23\n", "displays.right", "both lines of an I2C bus", "sda 23, scl None, port '/dev/ttyUSB0'"),
    (TWO + DISPLAYS + "sda = 5\nscl = 24\n", "", "every pin once", "GPIO5 (header pin 29) for both buttons.left and displays.sda"),
    (STAND + DISPLAYS, "displays", "none on a station board", "'left'"),
    (TWO + "[displays]\nleft = 3\n", "displays.left", "a table with the key port", "3"),
    ("displays = 3\n" + TWO, "displays", "a table of displays", "3"),
    (TWO + "[parts]\nsupply = 0\n", "parts.supply", "a whole number, 1 or more", "0"),
    ("parts = 3\n" + TWO, "parts", "a table of parts with how many of each", "3"),
    ("power = 3\n" + TWO, "power", "a table with the key gpio", "3"),
    ("title = 'x'\nkind = = 3\n", "", "TOML in UTF-8", "a fault: Invalid value (at line 2, column 8): kind = = 3"),
    (TWO.replace("two-button", "full"), "kind", f"the buttons {CLOCKS} on a full board", "no centre, up, down, ok, key"),
    (STAND.replace("station", "full").replace("adjudicate", "left"), "kind", "on a full board", "no right, centre, up, down, ok, key"),
]


def refused(tmp_path: Path, text: str) -> BoardError:
    path = own(tmp_path, text)
    with pytest.raises(BoardError) as caught:
        load_board(path)
    assert caught.value.where.startswith(str(path))
    caught.value.where = caught.value.where.removeprefix(f"{path}").removeprefix(": ")
    return caught.value


def test_what_is_wrong_with_a_board_file_is_named_with_what_is_allowed(tmp_path: Path) -> None:
    for cell in each_cell(WRONG, lambda wrong: wrong[0]):
        with cell as (text, where, expected, found):
            error = refused(tmp_path, text)
            assert (error.where, error.found) == (where, found)
            assert error.expected.startswith(expected) or error.expected.endswith(expected)
    for text, more in ((TWO.replace("two-button", "full"), True), (STAND.replace("station", "full").replace("adjudicate", "left"), False)):
        assert refused(tmp_path, text).remedy.endswith(', or say kind = "two-button"') is more
    (tmp_path / "latin.toml").write_bytes(b'title = "caf\xe9"\n')
    with pytest.raises(BoardError, check=with_fields(where=str(tmp_path / "latin.toml"), expected="TOML in UTF-8")):
        load_board(tmp_path / "latin.toml")


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
            error = refused(tmp_path, text)
            assert (error.where, error.found) == (key, repr(found))
            assert error.expected.startswith("one of the parts ")
            assert one in error.expected
