from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.errors import Finding, State
from hardware import electrics
from hardware.boards.board import Board, DisplaySpec, PinSpec, load_board, shipped_boards
from hardware.boards.parts import of_sorts, parts
from hardware.boards.pis import load_pi, pi_ids
from hardware.electrics import check, contact_milliamps, edge_delays, pin_milliamps, pressed_volts
from rules import contact as contacts
from rules.contact import MS
from tests.cells import each_cell

BUTTON = PinSpec(5, "", part="arcade-button-60mm", wire=30, resistor=330, capacitor=10, pull_up=2700)
LAMP = PinSpec(16, "", part="arcade-lamp-5v", wire=30, resistor=1000, driver="bc337-40")
LED = PinSpec(16, "", part="led-5mm-red", wire=30, resistor=220)
BUZZER = PinSpec(12, "", part="piezo-buzzer-5v", wire=20, resistor=1000, driver="bc337-40")
COIL = replace(BUZZER, part="magnetic-buzzer-5v")
LEFT = DisplaySpec("/dev/ttyAMA0", 14, part="serial-7-segment", wire=30, resistor=330)
RIGHT = DisplaySpec("/dev/ttyUSB0", 8, part="serial-7-segment", wire=30, resistor=330)


def board(
    lamps: dict[str, PinSpec] | None = None,
    buzzer: PinSpec | None = None,
    displays: dict[str, DisplaySpec] | None = None,
    **button: Any,
) -> Board:
    buttons = {"left": replace(BUTTON, **button), "right": replace(BUTTON, gpio=6)}
    return Board("T", "two-button", buttons, lamps or {}, buzzer, displays or {}, parts={"polyfuse": 1}, id="t")


def lit(spec: PinSpec, **changed: Any) -> Board:
    return board({"left": replace(spec, **changed)})


def shown(**changed: Any) -> Board:
    return board(displays={"left": LEFT, "right": replace(RIGHT, **changed)})


def wrong(one: Board, pi: str = "4") -> list[Finding]:
    return [finding for finding in check(one, load_pi(pi)) if finding.state is State.FAIL]


def said(one: Board, pi: str = "4") -> list[str]:
    return [f"{finding.name}: {finding.found}" for finding in check(one, load_pi(pi)) if finding.state is not State.OK]


@pytest.mark.parametrize("name", shipped_boards())
def test_no_shipped_board_has_a_fault_on_any_pi_and_the_power_buttons_bus_is_noted(name: str) -> None:
    for cell in each_cell(pi_ids()):
        with cell as pi:
            assert wrong(load_board(name), pi) == []
    assert "power: GPIO3 (header pin 5) is also a pin of I2C: leave that turned off in config.txt" in said(load_board(name))


def test_a_sound_board_is_all_well_and_says_what_its_pins_and_its_supply_give() -> None:
    findings = tuple(check(lit(LAMP), load_pi("4")))
    assert {finding.state for finding in findings} == {State.OK}
    found = {finding.name: finding.found for finding in findings}
    assert found["pins"].startswith("3 of the header's 40 in use, none twice")
    assert found["current of the pins"] == "2.6 mA with everything lit, of 50 mA"
    assert found["current at 5 V"].startswith("20 mA from the header and 0 mA for the panel, of the 1500 mA")
    assert "solder a 2 x 20 pin header in" in next(check(board(), load_pi("zero-2-w"))).found


SOUND = [
    board({"left": LAMP, "right": replace(LED, gpio=26)}, BUZZER),
    board(buzzer=replace(COIL, diode="1n4148")),
    board(gpio=3, pull_up=0),
    board(wire=80),
    board(wire=50, resistor=0, capacitor=0),
    board(wire=300),
    lit(LAMP, resistor=180),
    replace(board(), power=replace(BUTTON, gpio=3, resistor=330)),
    board(displays={"left": replace(LEFT, port="/dev/ttyUSB0", tx=12), "right": RIGHT}),
]


def test_what_is_right_is_not_found_fault_with() -> None:
    for cell in each_cell(SOUND):
        with cell as one:
            assert wrong(one) == []
    assert said(board(wire=80)) == said(board(wire=300)) == []


BASE = "ohm between GPIO16 (header pin 36) and the transistor's base, found"
BEFORE = "expected a resistor of 81 ohm or more before the led on GPIO16 (header pin 36) (at most 16 mA), found"
LARGE = replace(LED, resistor=110)
WRONG: list[tuple[Any, ...]] = [
    (
        board(resistor=1000),
        "expected a press to pull GPIO5 (header pin 29) below 0.8 V, found 0.9 V: its 1000 ohm work against a pull-up of 2562 ohm",
        "Take 330 ohm in series, or a greater pull-up.",
    ),
    (board(pull_up=1000), "pull-up of 980 ohm"),
    (replace(board(), power=replace(BUTTON, gpio=3, pull_up=0, resistor=1000)), "work against a pull-up of 1737 ohm"),
    (
        board(pull_up=0),
        "expected 1 mA or more through the closed contact, which keep it free of oxide, found 0.07 mA: 330 ohm and a pull-up of 50000 ohm",
        "Set resistor = 330, capacitor = 10, pull_up = 2700; or name a part with gold contacts, whose data allow less.",
    ),
    (board(pull_up=0, part=""), "found 0.07 mA"),
    (
        board(capacitor=1000),
        "expected a press to be seen within 100 us and a release within 1000 us, found 565 us and 2076 us: 330 ohm, 1000 nF and a pull-up of 2562 ohm",
        "Set resistor = 330",
    ),
    (
        board(resistor=0, capacitor=10),
        "expected a resistor between the contact and its 10 nF, found none",
        "Put 330 ohm in series: resistor = 330.",
    ),
    (
        board(wire=300, capacitor=0),
        "expected a resistor, a capacitor and a pull-up on a wire of 300 cm, found 330 ohm, 0 nF and 2700 ohm",
        "resistor = 330, capacitor = 10, pull_up = 2700",
    ),
    (
        lit(LAMP, gpio=7),
        "expected a pin that is pulled down at reset, found GPIO7 (header pin 26), which is pulled up: it glows or sounds while the Pi starts",
        "Take one of GPIO 9 to 27.",
    ),
    (
        lit(LAMP, driver="", resistor=0),
        "where a pin feeds it, found LED lamp 5 V for an arcade button of 5 V and 20 mA on GPIO16 (header pin 36)",
        'Let a transistor switch it: driver = "bc337-40", resistor = 1000.',
    ),
    (
        lit(LAMP, part="arcade-lamp-12v"),
        "expected a part of 5 V, as the header gives, found LED lamp 12 V for an arcade button of 12 V. Take the one of 5 V.",
    ),
    *(
        (lit(LAMP, resistor=ohms), f"expected 162 to 2600 {BASE} {found}. Take 1000 ohm: resistor = 1000.")
        for ohms, found in ((0, "none"), (100, "100"), (10000, "10000"))
    ),
    (
        board(buzzer=COIL),
        "expected a diode across the coil of Magnetic buzzer 5 V, sounds by itself, found none",
        'Put one across it, its ring to 5 V: diode = "1n4148".',
    ),
    (lit(LED, resistor=0), f"{BEFORE} none. Take 220 ohm: resistor = 220."),
    (lit(LED, resistor=68), f"{BEFORE} 68. Take 220 ohm: resistor = 220."),
    (
        lit(LED, driver="bc337-40"),
        "expected a led on its resistor alone, found the driver bc337-40. Take the driver out, or name a lamp of 5 V.",
    ),
    (
        board({str(pin): replace(LARGE, gpio=pin) for pin in (16, 26, 12, 13, 17)}),
        "expected at most 50 mA from all pins of a Raspberry Pi 4 (B, 400) together, found 59.1 mA",
        "Give the lamps greater resistors, or let transistors switch them.",
    ),
    (
        shown(rx=9),
        "3.3 V on GPIO9 (header pin 21), found the TX of Serial 7-segment module, 4 digits, which gives 5 V and kills the pin",
        "Leave the module's TX free and take rx out: nothing listens to it.",
    ),
    (
        shown(part="ht16k33-module"),
        "expected an address on an I2C bus, as /dev/i2c-7@0x70 for LED module HT16K33, 4 digits, found /dev/ttyUSB0",
    ),
    (
        replace(shown(), buttons={"left": replace(BUTTON, gpio=9)}),
        "expected GPIO9 (header pin 21) free, which UART4 takes with GPIO8, found buttons.left on it",
        "Give buttons.left another pin, or hang the display on a USB adaptor.",
    ),
]


def test_what_cannot_work_or_would_break_is_refused_with_its_figures_and_what_to_do() -> None:
    for cell in each_cell(WRONG, lambda wrong: wrong[1]):
        with cell as (one, *reported):
            fault = wrong(one)[0]
            assert [each for each in reported if each not in f"{fault.found}. {fault.fix}"] == []
    # The pin of a Pi 5 gives less, and a Pi 3 has no UART on GPIO 12.
    assert f"expected 217 to 2600 {BASE}" in wrong(lit(LAMP, resistor=180), "5")[0].found
    assert "a port for each on a Raspberry Pi 3 (B, B+, A+), found /dev/ttyUSB0 for both" in wrong(SOUND[-1], "3")[0].found


@pytest.mark.parametrize("name", shipped_boards())
def test_every_contact_of_a_shipped_board_carries_a_milliamp_on_any_pi_even_without_the_pins_own_pull_up(name: str) -> None:
    shipped = load_board(name)
    for cell in each_cell(pi_ids()):
        with cell as pi:
            for pin in (*shipped.buttons.values(), *filter(None, [shipped.power])):
                weak = replace(load_pi(pi), pull_ohms=10**9)
                assert contact_milliamps(pin, load_pi(pi)) >= contact_milliamps(pin, weak) >= 1.0
                assert pressed_volts(pin, load_pi(pi)) < 0.6


def test_the_panel_counts_and_a_pi_5_with_a_small_supply_and_a_zero_are_told_what_their_sockets_give() -> None:
    (line,) = (line for line in said(load_board("station"), "5") if line.startswith("current over USB"))
    assert "with a supply of 3 A the sockets of a Raspberry Pi 5 give 600 mA together, and the panel takes 650 mA" in line
    assert any("Raspberry Pi Zero 2 W give 500 mA together" in line for line in said(load_board("full"), "zero-2-w"))
    assert not any("over USB" in line for line in [*said(load_board("full"), "4"), *said(load_board("two-display"), "5")])
    (fault,) = wrong(replace(load_board("full"), parts={"panel-7in": 2, "polyfuse": 1}), "3")
    assert fault.found.endswith("found 1250 mA: 50 from the header, 1200 for the panel")


def test_the_fuse_carries_what_hangs_behind_it_in_a_warm_case() -> None:
    lamps = {str(number): replace(LAMP, gpio=9 + number % 18) for number in range(16)}
    assert "expected at most 300 mA through Polyfuse 0.5 A in a warm case, found 320 mA" in [fault.found for fault in wrong(board(lamps))]


def test_a_spike_of_two_milliseconds_stays_a_spike_and_a_press_of_five_a_press_behind_the_slowest_capacitor_allowed() -> None:
    assert [round(each, 1) for each in edge_delays(load_board("full").buttons["left"], load_pi("4"))] == [5.6, 20.8]
    us = MS // 1_000
    assert 2 * MS + electrics._LATE_US * us <= contacts.PRESS_NS < 5 * MS - electrics._DELAY_US * us


def test_more_lamps_than_the_supply_has_current_for_are_refused() -> None:
    lamps = {str(number): replace(LAMP, gpio=9 + number % 18, resistor=10_000_000) for number in range(60)}
    (fault,) = [fault for fault in wrong(board(lamps), "3") if fault.name == "current at 5 V"]
    assert (
        fault.found
        == "expected at most 1100 mA beside the Raspberry Pi 3 (B, B+, A+) itself (5.1 V, 2.5 A, micro USB), found 1200 mA: 1200 from the header, 0 for the panel"
    )
    assert fault.fix == "Give the lamps a 5 V supply of their own, its ground joined to the Pi's."


BUS = "leave that turned off in config.txt"
NOTED: list[tuple[Board, str]] = [
    (
        replace(board({"left": LAMP}), parts={}),
        "fuse: a short of the 5 V wire would burn it: put a polyfuse of 0.5 A between the header and the wires",
    ),
    *(
        (board(gpio=gpio, resistor=0), f"is also a pin of {bus}: {BUS}")
        for gpio, bus in ((4, "1-Wire"), (2, "I2C"), (10, "SPI"), (15, "the serial port and its console"), (18, "digital audio"))
    ),
    (
        board({"left": replace(LAMP, part="", driver="", resistor=0)}, displays={"left": LEFT, "right": replace(RIGHT, part="")}),
        "parts: the board names no part for lamps.left, displays.right: what they take and bear is not checked",
    ),
    (
        board(gpio=23, pull_up=0),
        "buttons at reset: pulled down until the program sets its own pull-up, so they read as held while the Pi starts: left on GPIO23",
    ),
    (
        board(wire=80, capacitor=0),
        "buttons.left: its wire of 80 cm picks up sparks and radio: twist it with a ground wire of its own, and put 330",
    ),
    (lit(LED, resistor=4700), "lamps.left: 0.3 mA through 4700 ohm: hardly seen in a lit hall; 220 ohm are usual"),
    (shown(resistor=0), "displays.right: 330 ohm in series with its line would protect the Pi from a short: resistor = 330"),
    (
        board(displays={side: replace(display, wire=80, resistor=0) for side, display in load_board("two-display-i2c").displays.items()}),
        "displays.right: its wires of 80 cm are long for an I2C bus: bring the modules nearer to the Pi",
    ),
    (shown(wire=300), "wire of 300 cm is long for 3.3 V: twist it with ground, or put a USB adaptor beside the module"),
]


def test_what_works_but_could_be_better_is_noted() -> None:
    for cell in each_cell(NOTED, lambda noted: noted[1]):
        with cell as (one, found):
            assert [line for line in said(one) if found in line]
    for pi in ("3", "zero-2-w"):
        (line,) = said(shown(), pi)
        assert line.endswith("has no UART that sends on GPIO8: hang this display on a USB adaptor of 3.3 V, at /dev/ttyUSB0")
    for gpio in (5, 6, 7, 8):
        assert not any("at reset" in line for line in said(board(gpio=gpio, pull_up=0)))


def test_a_display_is_told_its_uart_its_device_and_how_to_turn_it_on() -> None:
    for cell in each_cell(
        [
            (shown(), "4", "UART4 (PL011) at /dev/ttyAMA4, 9600 baud; config.txt: dtoverlay=uart4"),
            (shown(), "5", "UART3 (PL011) at /dev/ttyAMA3, 9600 baud; config.txt: dtoverlay=uart3-pi5"),
            (shown(tx=None), "4", "on an adaptor at /dev/ttyUSB0, 9600 baud"),
        ]
    ):
        with cell as (one, pi, found):
            assert found in [finding.found for finding in check(one, load_pi(pi)) if finding.name == "displays.right"]


ON_I2C = load_board("two-display-i2c")
FIGURES: list[tuple[Any, ...]] = [
    (
        lit(LED),
        "led-5mm-red",
        {"forward": 3.4},
        "expected a led of less than 3.3 V, found 3.4 V. Take a red, yellow or green one of about 2 V.",
    ),
    (
        lit(LAMP),
        "bc337-40",
        {"milliamps": 15},
        "expected at most 15 mA through NPN transistor BC337-40, found 20 mA. Use a smaller lamp, or a ready-made driver board.",
    ),
    (
        shown(),
        "serial-7-segment",
        {"input_high": 0.7},
        "expected an input that reads 3.3 V as high, found Serial 7-segment module, 4 digits, which at up to 5.36 V needs 3.75 V",
        "Feed the module with 3.3 V, or put a level shifter of the 74HCT type between.",
    ),
    (
        ON_I2C,
        "ht16k33-module",
        {"volts": 5.0},
        "expected an input that reads 3.3 V as high, found LED module HT16K33, 4 digits, which at up to 5.36 V needs 3.75 V",
    ),
    (
        ON_I2C,
        "ht16k33-module",
        {"milliamps": 130},
        "expected at most 250 mA from the header's 3.3 V, found 260 mA. Feed the displays from a regulator of their own",
    ),
]


def test_another_figure_in_a_parts_data_sheet_is_reckoned_with(monkeypatch: pytest.MonkeyPatch) -> None:
    for cell in each_cell(FIGURES):
        with cell as (one, part, changed, *reported), monkeypatch.context() as sheet:
            sheet.setattr(
                "hardware.electrics.parts", lambda part=part, changed=changed: {**parts(), part: replace(parts()[part], **changed)}
            )
            fault = wrong(one)[0]
            assert [each for each in reported if each not in f"{fault.found}. {fault.fix}"] == []


@given(
    gpio=st.integers(2, 27),
    resistor=st.integers(0, 10**6),
    capacitor=st.integers(0, 10**4),
    pull_up=st.integers(0, 10**6),
    wire=st.integers(0, 10**4),
)
def test_whatever_a_file_says_of_a_button_each_fault_has_a_sentence_of_what_was_expected_and_found(**button: Any) -> None:
    for fault in wrong(board(**button), "5"):
        assert fault.found.startswith("expected ")
        assert ", found " in fault.found
        assert fault.fix.endswith(".")


@given(
    part=st.sampled_from(of_sorts("lamp", "led", "buzzer")),
    driver=st.sampled_from(["", *of_sorts("transistor")]),
    resistor=st.integers(0, 10**6),
    gpio=st.integers(2, 27),
    pi=st.sampled_from(pi_ids()),
)
def test_what_the_check_lets_pass_never_takes_more_of_a_pin_than_it_gives(gpio: int, pi: str, **more: Any) -> None:
    spec = PinSpec(gpio, "", **more)
    if not wrong(board({"left": spec}), pi):
        assert 0 < pin_milliamps(spec, load_pi(pi)) <= load_pi(pi).pin_milliamps
        assert gpio >= 9
