import re
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from appliance.errors import BoardError, PiUnknown
from faults.errors import TileclockError
from hardware import boards
from hardware.boards.board import CLOCK, STATION, DisplaySpec, load_board, shipped_boards
from hardware.boards.hookup import COLOURS, Supply, adaptors, hookups, supplies
from hardware.boards.parts import GROUNDS, HEADER, of_sorts, ohms, on_hole, parts
from hardware.boards.pis import display_port, load_pi, pi_ids, this_pi
from hardware.electrics import check
from hardware.pinout import pinout, report
from tests.cells import each_cell
from tests.errors import with_fields


def test_the_header_table_agrees_with_gpiozeros_own_on_a_40_pin_board() -> None:
    header = MockFactory(revision="c03114").board_info.headers["J8"]
    theirs = {int(pin.name.removeprefix("GPIO")): pin.number for pin in header.pins.values() if pin.name.startswith("GPIO")}
    assert {gpio: HEADER[gpio] for gpio in HEADER} == {gpio: hole for gpio, hole in theirs.items() if gpio >= 2}
    assert tuple(sorted(pin.number for pin in header.pins.values() if pin.name == "GND")) == GROUNDS


@pytest.mark.parametrize("name", shipped_boards())
def test_everything_wired_is_there_once_with_a_colour_and_a_ground_hole_that_the_boards_note_names(name: str) -> None:
    board = load_board(name)
    there = hookups(board)
    assert [each.gpio for each in there] == [gpio for _, gpio in board.wired()]
    assert len({each.colour for each in there}) == len(there) <= len(COLOURS)
    assert all(on_hole(each.hole) == f"GPIO{each.gpio}" for each in there)
    for each in hookups(load_board(name)):
        assert each.ground in GROUNDS
        assert str(each.ground) in each.spec.note


@pytest.mark.parametrize("pi_id", pi_ids())
def test_a_display_is_either_on_the_header_or_on_an_adaptor(pi_id: str) -> None:
    board, pi = load_board("two-display"), load_pi(pi_id)
    on_header = {each.user.removeprefix("displays.") for each in hookups(board, pi) if each.how == "serial"}
    beside = {name for name, _ in adaptors(board, pi)}
    assert on_header | beside == {"left", "right"}
    assert not on_header & beside


@pytest.mark.parametrize("name", shipped_boards())
def test_a_wire_has_one_colour_whichever_pi_it_is_on(name: str) -> None:
    colours = {each.user: each.colour for each in hookups(load_board(name))}
    for pi_id in pi_ids():
        assert {each.user: each.colour for each in hookups(load_board(name), load_pi(pi_id))}.items() <= colours.items()


def test_things_are_called_what_people_call_them_and_what_stands_before_ground_is_told_in_its_order() -> None:
    assert [each.title for each in hookups(load_board("full"))] == [
        *("left button", "right button", "centre button", "up button", "down button", "OK button"),
        *("key switch", "left lamp", "right lamp", "buzzer", "power button"),
    ]
    ways = {each.user: each.way for each in hookups(load_board("station"))}
    assert ways["buttons.adjudicate"] == "330 Ω, 10 nF to ground, 2.7 kΩ to 3.3 V, Arcade button 60 mm, domed, with holder for a lamp"
    assert ways["lamps.adjudicate"] == "1 kΩ, NPN transistor BC337-40, LED lamp 5 V for an arcade button"
    assert ways["lamps.acceptable"] == "220 Ω, LED 5 mm, green"


def test_every_part_can_be_ordered_of_any_supplier_and_has_a_price_range() -> None:
    for cell in each_cell(list(parts())):
        with cell as name:
            part = parts()[name]
            assert part.name
            assert len(part.order) > 10
            assert 0 < part.eur[0] <= part.eur[1]
    for cell in each_cell(["http", "www", ".com", "amazon", "adafruit", "sparkfun", "mouser", "digikey", "farnell", "reichelt"]):
        with cell as word:
            assert not [name for name, part in parts().items() if word in (part.order + part.name).lower()]


@pytest.mark.parametrize("name", of_sorts("lamp", "buzzer", "display", "led"))
def test_what_takes_current_has_the_figures_that_the_check_calculates_with(name: str) -> None:
    part = parts()[name]
    assert part.milliamps > 0
    assert 1.5 < part.forward < 3.3 if name in of_sorts("led") else part.volts > 0
    assert name not in of_sorts("display") or 0.3 <= part.input_high <= 0.7


@pytest.mark.parametrize(("value", "said"), [(220, "220 Ω"), (1000, "1 kΩ"), (4700, "4.7 kΩ"), (10_000, "10 kΩ")])
def test_a_resistors_value_is_said_as_it_is_printed_on_the_bag(value: int, said: str) -> None:
    assert ohms(value) == said


RIGHT = DisplaySpec("/dev/ttyUSB0", 8)


@pytest.mark.parametrize("pi_id", pi_ids())
def test_every_pi_gives_3_3_v_is_pulled_up_on_gpio_0_to_8_alone_and_has_uarts_with_pins_of_their_own(pi_id: str) -> None:
    pi = load_pi(pi_id)
    assert (pi.id, pi.volts, pi.header_pins) == (pi_id, 3.3, 40)
    assert pi.pulled_up == set(range(9))
    assert set(pi.sources.split()) <= set("abcdefg")
    uarts = load_pi(pi_id).uarts
    pins = [pin for uart in uarts for pin in (uart.tx, uart.rx)]
    assert len(set(pins)) == len(pins)
    assert set(pins) <= set(HEADER)
    assert len({uart.device for uart in uarts}) == len(uarts)
    assert all(uart.rx == uart.tx + 1 for uart in uarts)


def test_gpio_14_sends_at_ttyama0_on_every_pi() -> None:
    found = [load_pi(pi_id).uart(14) for pi_id in pi_ids()]
    assert [uart.device for uart in found if uart is not None] == ["/dev/ttyAMA0"] * 4


@pytest.mark.parametrize(("pi_id", "revision"), [("3", "a02082"), ("4", "c03111"), ("5", "c04170"), ("zero-2-w", "902120")])
def test_gpiozero_knows_the_same_header_and_the_same_fixed_pull_ups(pi_id: str, revision: str) -> None:
    board = MockFactory(revision=revision).board_info
    header = board.headers["J8"]
    assert len(header.pins) == load_pi(pi_id).header_pins
    fixed = {int(pin.name.removeprefix("GPIO")) for pin in header.pins.values() if pin.name.startswith("GPIO") and pin.pull == "up"}
    assert set(load_pi(pi_id).fixed_pull_ups) == fixed - {0, 1}


@pytest.mark.parametrize(
    ("pi_id", "port"),
    [("3", "/dev/ttyUSB0"), ("4", "/dev/ttyAMA4"), ("5", "/dev/ttyAMA3"), ("zero-2-w", "/dev/ttyUSB0"), (None, "/dev/ttyUSB0")],
)
def test_a_display_uses_the_uart_of_its_pin_or_off_a_pi_and_without_a_pin_its_port(pi_id: str | None, port: str) -> None:
    assert display_port(RIGHT, load_pi(pi_id) if pi_id else None) == port
    assert display_port(DisplaySpec("/dev/ttyUSB1"), load_pi("4")) == "/dev/ttyUSB1"


@pytest.mark.parametrize(
    ("model", "pi_id"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "3"),
        ("Raspberry Pi 4 Model B Rev 1.4", "4"),
        ("Raspberry Pi 400 Rev 1.0", "4"),
        ("Raspberry Pi 5 Model B Rev 1.0", "5"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "zero-2-w"),
        *((other, None) for other in ("Raspberry Pi Zero W Rev 1.1", "Radxa ROCK 4C+", "\xff")),
    ],
)
def test_the_device_trees_name_tells_which_known_pi_this_is(tmp_path: Path, model: str, pi_id: str | None) -> None:
    (tmp_path / "model").write_bytes(model.encode("latin-1") + b"\0")
    found = this_pi(tmp_path / "model")
    assert (found and found.id) == pi_id
    assert this_pi(tmp_path / "none") is None


def test_an_unknown_pi_is_answered_with_those_that_are_known() -> None:
    with pytest.raises(PiUnknown, check=with_fields(expected=re.compile("3, 4, 5, zero-2-w"), found="'2'")):
        load_pi("2")
    assert issubclass(PiUnknown, TileclockError)


def _lines(name: str, pi_id: str = "4") -> list[str]:
    board, pi = load_board(name), load_pi(pi_id)
    return list(pinout(board, pi, tuple(check(board, pi))))


@pytest.mark.parametrize("name", shipped_boards())
def test_all_forty_holes_are_shown_two_a_line_with_what_they_are(name: str) -> None:
    header = _lines(name)[2:22]
    for row, line in enumerate(header):
        odd, even = 2 * row + 1, 2 * row + 2
        assert f"{on_hole(odd)}  {odd:2}  {even:2}  {on_hole(even)}" in line


@pytest.mark.parametrize("name", shipped_boards())
def test_everything_stands_beside_its_hole_and_in_the_list_of_wires(name: str) -> None:
    for cell in each_cell(pi_ids()):
        with cell as pi_id:
            lines = _lines(name, pi_id)
            for each in hookups(load_board(name), load_pi(pi_id)):
                (row,) = [line for line in lines[2:22] if f"{each.title}, {each.colour}" in line]
                assert f"GPIO{each.gpio}" in row
                assert f"{each.hole}" in row
                assert any(line.startswith(each.title) and line.endswith(each.way) for line in lines[23:])


def test_a_display_on_an_adaptor_is_told_with_its_port_and_not_shown_on_the_header() -> None:
    lines = _lines("two-display", "zero-2-w")
    assert "right display: on a USB adaptor at /dev/ttyUSB*, not on the header" in lines
    assert not any("right display" in line for line in lines[2:22])


def test_a_power_button_is_on_the_pads_of_a_pi_that_has_them_and_its_pin_stays_free() -> None:
    lines = _lines("full", "5")
    assert (
        "power button: on the two pads J2 on the Pi itself, between the battery's socket and the board's edge, not on the header" in lines
    )
    assert [line for line in lines if "power button" in line or "GPIO3 (" in line] == [next(line for line in lines if "J2" in line)]
    assert any("power button, cream" in line for line in _lines("full", "4")[2:22])


def test_a_power_button_that_cannot_start_its_pi_is_refused(tmp_path: Path) -> None:
    shipped = (Path(boards.__file__).parent / "shipped" / "two-button.toml").read_text(encoding="utf-8")
    (tmp_path / "moved.toml").write_text(shipped.replace("gpio = 3\n", "gpio = 17\n"), encoding="utf-8")
    lines, sound = report(str(tmp_path / "moved.toml"), "4", CLOCK)
    assert not sound
    assert "expected GPIO3, which alone starts a Pi that is off, found GPIO17 (header pin 11)" in " ".join(lines)
    assert report(str(tmp_path / "moved.toml"), "5", CLOCK)[1]


def test_the_supply_wires_are_listed_with_the_fuse_and_what_they_feed() -> None:
    def rows(*wanted: str) -> list[str]:
        return [" ".join(line.split()) for line in _lines(*wanted)[23:] if line.startswith(("5 V", "3.3 V"))]

    assert rows("full") == ["5 V 4 red Polyfuse 0.5 A, to left lamp, right lamp, buzzer", "3.3 V 1 to the pull-ups"]
    assert rows("two-display-i2c")[-1] == "3.3 V 1 lime to the pull-ups and both displays"
    assert "right display" in rows("two-display", "4")[0]
    assert "right display" not in rows("two-display", "zero-2-w")[0]
    bare = replace(load_board("full"), parts={})
    assert Supply("5 V", 2, "red", "to left lamp, right lamp, buzzer") in supplies(bare)


def test_what_is_piped_is_plain_of_a_bearable_width_and_ends_with_the_check() -> None:
    assert all(len(line) <= 160 and "\x1b" not in line for line in _lines("full"))
    assert _lines("full")[-1] == "Nothing failed."


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_narrow_terminal_gets_narrow_lines_with_nothing_left_out(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = "".join("".join(_lines("two-button")[1:]).split())
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in _lines("two-button")[1:]]
    assert all(len(line) <= width for line in lines)
    assert sorted("".join("".join(lines).split())) == sorted(wide)


def test_off_a_pi_it_is_said_for_which_one_it_was_reckoned_and_a_bad_board_is_an_error() -> None:
    lines, sound = report("full", None, CLOCK)
    assert lines[0] == "This is not a known Pi: checked for a Raspberry Pi 4 (B, 400). Name another with --pi."
    assert sound
    lines, sound = report("station", "5", STATION)
    assert lines[0] == "Challenge station: adjudication button, director's key, verdict lamps, on a Raspberry Pi 5"
    with pytest.raises(BoardError):
        report("station", "4", CLOCK)
    with pytest.raises(PiUnknown):
        report("full", "6", CLOCK)
