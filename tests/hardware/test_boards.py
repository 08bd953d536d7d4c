import re
from pathlib import Path

import pytest

from appliance.errors import BoardError
from hardware.boards.board import Board, load_board, shipped_boards
from hardware.boards.kinds import BUTTONS, CLOCK, MAKES, STATION
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
    assert (board.id, board.kind, set(board.buttons), set(board.lamps)) == ("full", "full", set(BUTTONS), {"left", "right"})
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


PIN = "expected a GPIO number on the 40-pin header, 2 to 27, found"
PIN_KEYS = "gpio, note, part, wire, resistor, capacitor, pull_up, driver, diode"
CLOCKS = "left, right, centre, up, down, ok, key"
FULL = f"kind: expected the buttons {CLOCKS} on a full board, found no"
ELSEWHERE = "Rename it or take it out."
ONCE = "expected every pin once, found"
BOTH = "Give one of them another pin."
WRONG = [
    ("kind = 'full'\n[buttons]\n", "title: expected a text in quotes, found nothing. Add it."),
    (TWO.replace('"two-button"', '"huge"'), 'kind: expected "full", "two-button" or "station", found "huge". Correct it.'),
    (TWO.replace('"Club table 4"', "4"), "title: expected a text in quotes, found 4. Correct it."),
    (
        TWO + "[horn]\ngpio = 9\n",
        'expected one of the keys title, kind, buttons, lamps, buzzer, displays, power, parts, found "horn". Remove it.',
    ),
    (TWO + "pull = 'up'\n", f'buttons.right: expected one of the keys {PIN_KEYS}, found "pull". Did you mean pull_up?'),
    *((TWO.replace("gpio = 6", f"gpio = {pin}"), f"buttons.right.gpio: {PIN} {pin}. Correct it.") for pin in ("1", "28", "-3")),
    *((TWO.replace("gpio = 6", f"gpio = {pin}"), f"buttons.right.gpio: {PIN} {pin}. Correct it.") for pin in ('"GPIO6"', "6.0", "true")),
    (TWO + "[lamps.left]\ngpio = 6\n", f"{ONCE} GPIO6 (header pin 31) for both buttons.right and lamps.left. {BOTH}"),
    (TWO + "[power]\ngpio = 5\n", f"{ONCE} GPIO5 (header pin 29) for both buttons.left and power. {BOTH}"),
    (TWO + DISPLAYS.replace("14", "5"), f"{ONCE} GPIO5 (header pin 29) for both buttons.left and displays.left.tx. {BOTH}"),
    *(
        (
            TWO.replace(f"[buttons.{side}]", "[buttons.ok]"),
            f"kind: expected the buttons left, right on a two-button board, found no {side}. Add [buttons.{side}] with its gpio.",
        )
        for side in ("left", "right")
    ),
    (
        STAND.replace("buttons.adjudicate", "buttons.key"),
        "kind: expected the buttons adjudicate on a station board, found no adjudicate. Add [buttons.adjudicate] with its gpio.",
    ),
    (
        TWO + "[buttons.middle]\ngpio = 4\n",
        f"buttons.middle: expected only the names {CLOCKS} on a two-button board, found 'middle'. {ELSEWHERE}",
    ),
    (TWO + "[lamps.top]\ngpio = 9\n", f"lamps.top: expected only the names left, right on a two-button board, found 'top'. {ELSEWHERE}"),
    (
        STAND + "[buttons.left]\ngpio = 6\n",
        f"buttons.left: expected only the names adjudicate, key on a station board, found 'left'. {ELSEWHERE}",
    ),
    (
        STAND + "[lamps.right]\ngpio = 16\n",
        f"lamps.right: expected only the names adjudicate, acceptable, unacceptable on a station board, found 'right'. {ELSEWHERE}",
    ),
    (
        TWO + DISPLAYS.replace("displays.right", "displays.middle"),
        f"displays.middle: expected only the names left, right on a two-button board, found 'middle'. {ELSEWHERE}",
    ),
    ("lamps = 3\n" + TWO, "lamps: expected a table of pins, found 3. Correct it."),
    ("buzzer = 12\n" + TWO, "buzzer: expected a table with the key gpio, found 12. Correct it."),
    (STAND + "[buzzer]\ngpio = 12\n", "buzzer: expected none on a station board, which makes no sound, found one. Take it out."),
    (TWO + "[buzzer]\nnote = 'loud'\n", f"buzzer.gpio: {PIN} nothing. Add it."),
    (TWO + "wire = -1\n", "buttons.right.wire: expected a whole number of cm, 0 or more, found -1. Correct it."),
    (TWO + "resistor = '1k'\n", 'buttons.right.resistor: expected a whole number of ohms, 0 or more, found "1k". Correct it.'),
    (TWO + "capacitor = 0.1\n", "buttons.right.capacitor: expected a whole number of nF, 0 or more, found 0.1. Correct it."),
    (TWO + "part = 3\n", "buttons.right.part: expected a text in quotes, found 3. Correct it."),
    (
        TWO + DISPLAYS + "baud = 300\n",
        "displays.right.baud: expected a whole number of bits a second, 2400 to 115200, found 300. Correct it.",
    ),
    (TWO + DISPLAYS + "tx = 28\n", f"displays.right.tx: {PIN} 28. Correct it."),
    (
        TWO + DISPLAYS + "gpio = 8\n",
        'displays.right: expected one of the keys port, tx, baud, note, rx, sda, scl, part, wire, resistor, found "gpio". Remove it.',
    ),
    (TWO + DISPLAYS.replace('"/dev/ttyUSB0"', '""'), 'displays.right.port: expected the path of a port in quotes, found "". Correct it.'),
    (
        TWO + DISPLAYS.split("[displays.right]", maxsplit=1)[0],
        "displays: expected one for each player, found left alone. Add [displays.right] with its port, or take both out.",
    ),
    (
        TWO + DISPLAYS.replace("ttyUSB0", "ttyAMA0"),
        "displays: expected a port for each, found '/dev/ttyAMA0' for both. Give one of them its own.",
    ),
    (
        TWO + DISPLAYS + "sda = 23\n",
        (
            "displays.right: expected both lines of an I2C bus, and its port with an address, as in /dev/i2c-7@0x70, found sda 23, scl None, "
            "port '/dev/ttyUSB0'. Name sda, scl and such a port, and no tx."
        ),
    ),
    (TWO + DISPLAYS + "sda = 5\nscl = 24\n", f"{ONCE} GPIO5 (header pin 29) for both buttons.left and displays.sda. {BOTH}"),
    (STAND + DISPLAYS, "displays: expected none on a station board, found 'left'. Take it out."),
    (TWO + "[displays]\nleft = 3\n", "displays.left: expected a table with the key port, found 3. Correct it."),
    ("displays = 3\n" + TWO, "displays: expected a table of displays, found 3. Correct it."),
    (TWO + "[parts]\nsupply = 0\n", "parts.supply: expected a whole number, 1 or more, found 0. Correct it."),
    ("parts = 3\n" + TWO, "parts: expected a table of parts with how many of each, found 3. Correct it."),
    ("power = 3\n" + TWO, "power: expected a table with the key gpio, found 3. Correct it."),
    (
        "title = 'x'\nkind = = 3\n",
        "expected TOML in UTF-8, found a fault: Invalid value (at line 2, column 8): kind = = 3. Correct the line.",
    ),
    (
        TWO.replace("two-button", "full"),
        f'{FULL} centre, up, down, ok, key. Add [buttons.centre] with its gpio, or say kind = "two-button".',
    ),
    (
        STAND.replace("station", "full").replace("adjudicate", "left"),
        f"{FULL} right, centre, up, down, ok, key. Add [buttons.right] with its gpio.",
    ),
]


def refused(tmp_path: Path, text: str) -> str:
    path = own(tmp_path, text)
    with pytest.raises(BoardError) as caught:
        load_board(path)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")


def test_what_is_wrong_with_a_board_file_is_named_with_what_is_allowed(tmp_path: Path) -> None:
    for cell in each_cell(WRONG, lambda wrong: wrong[0]):
        with cell as (text, said):
            assert refused(tmp_path, text) == said
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
            said = refused(tmp_path, text)
            assert said.startswith(f"{key}: expected one of the parts ")
            assert one in said
            assert said.endswith(f", found {found!r}. Name one of these.")
