"""A sound board of few parts, and what the check says of it once something is changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.finding import Finding, State
from hardware.boards.board import Board, DisplaySpec, PinSpec, load_board, shipped_boards
from hardware.boards.parts import of_sorts, parts
from hardware.boards.pis import load_pi, pi_ids
from hardware.electrics import check, pin_milliamps
from tests.cells import each_cell

BUTTON = PinSpec(5, "", part="arcade-button-60mm", wire=30, resistor=1000)
LAMP = PinSpec(16, "", part="arcade-lamp-5v", wire=30, resistor=1000, driver="bc337-40")
LED = PinSpec(16, "", part="led-5mm-red", wire=30, resistor=220)
BUZZER = PinSpec(12, "", part="piezo-buzzer-5v", wire=20, resistor=1000, driver="bc337-40")
LEFT = DisplaySpec("/dev/ttyAMA0", 14, part="serial-7-segment", wire=30, resistor=330)
RIGHT = DisplaySpec("/dev/ttyUSB0", 8, part="serial-7-segment", wire=30, resistor=330)


def board(
    lamps: Mapping[str, PinSpec] | None = None,
    buzzer: PinSpec | None = None,
    displays: Mapping[str, DisplaySpec] | None = None,
    **button: Any,
) -> Board:
    """Return a two-button board, its left button changed by ``button``."""
    buttons = {"left": dataclasses.replace(BUTTON, **button), "right": dataclasses.replace(BUTTON, gpio=6)}
    return Board("t", "T", "two-button", buttons, lamps or {}, buzzer, displays or {})


def wrong(one: Board, pi: str = "4") -> list[Finding]:
    """Return the failures that the check finds."""
    return [finding for finding in check(one, load_pi(pi)) if finding.state is State.FAIL]


def said(one: Board, pi: str = "4") -> list[str]:
    """Return the failures and notes as ``name: found``."""
    return [f"{finding.name}: {finding.found}" for finding in check(one, load_pi(pi)) if finding.state is not State.OK]


@pytest.mark.parametrize("name", shipped_boards())
def test_no_shipped_board_has_a_fault_on_any_pi(name: str) -> None:
    for cell in each_cell(pi_ids()):
        with cell as pi:
            assert wrong(load_board(name), pi) == []


def test_a_sound_board_is_all_well_and_says_what_its_pins_and_its_supply_give() -> None:
    findings = check(board({"left": LAMP}), load_pi("4"))
    assert {finding.state for finding in findings} == {State.OK}
    found = {finding.name: finding.found for finding in findings}
    assert found["pins"].startswith("3 of the header's 40 in use, none twice")
    assert found["current of the pins"] == "2.6 mA with everything lit, of 50 mA"
    assert found["current at 5 V"].startswith("20 mA from the header, of the 1500 mA")


def test_a_zero_2_w_is_told_that_its_header_is_bare() -> None:
    assert "solder a 2 x 20 pin header in" in check(board(), load_pi("zero-2-w"))[0].found


@pytest.mark.parametrize(
    ("gpio", "bus"), [(4, "1-Wire"), (2, "I2C"), (10, "SPI"), (15, "the serial port and its console"), (18, "digital audio")]
)
def test_a_pin_that_a_bus_may_take_is_noted_with_the_bus(gpio: int, bus: str) -> None:
    assert any(f"is also a pin of {bus}: leave that turned off in config.txt" in line for line in said(board(gpio=gpio, resistor=0)))


@pytest.mark.parametrize("name", shipped_boards())
def test_the_power_buttons_bus_is_noted_on_every_shipped_board(name: str) -> None:
    assert "power: GPIO3 (header pin 5) is also a pin of I2C: leave that turned off in config.txt" in said(load_board(name))


def test_what_the_board_names_no_part_for_is_noted_and_not_guessed_at() -> None:
    bare = board(
        {"left": dataclasses.replace(LAMP, part="", driver="", resistor=0)},
        displays={"left": LEFT, "right": dataclasses.replace(RIGHT, part="")},
    )
    assert said(bare) == ["parts: the board names no part for lamps.left, displays.right: what they take and bear is not checked"]


def test_leds_that_are_each_sound_are_too_much_for_all_pins_together() -> None:
    pins = (16, 26, 12, 13, 17)
    lamps = {str(pin): dataclasses.replace(LAMP, gpio=pin, part="led-5mm-red", driver="", resistor=110) for pin in pins}
    (fault,) = wrong(board(lamps))
    assert fault.found == "expected at most 50 mA from all pins of a Raspberry Pi 4 (B, 400) together, found 59.1 mA"
    assert fault.fix == "Give the lamps greater resistors, or let transistors switch them."


def test_more_lamps_than_the_supply_has_current_for_are_refused() -> None:
    lamps = {str(number): dataclasses.replace(LAMP, gpio=9 + number % 18, resistor=10_000_000) for number in range(60)}
    faults = [fault for fault in wrong(board(lamps), "3") if fault.name == "current at 5 V"]
    assert [fault.found for fault in faults] == [
        "expected at most 1100 mA beside the Raspberry Pi 3 (B, B+, A+) itself (5.1 V, 2.5 A, micro USB), found 1200 mA"
    ]
    assert faults[0].fix == "Give the lamps a 5 V supply of their own, its ground joined to the Pi's."


def test_the_power_button_is_checked_like_any_button() -> None:
    faults = wrong(dataclasses.replace(board(), power=dataclasses.replace(BUTTON, gpio=3)))
    assert [fault.name for fault in faults] == ["power"]
    assert "stand against a pull-up of 1737 ohm" in faults[0].found
    assert wrong(dataclasses.replace(board(), power=dataclasses.replace(BUTTON, gpio=3, resistor=330))) == []


def test_a_button_on_a_pin_that_is_pulled_down_at_reset_is_noted() -> None:
    assert said(board(gpio=23)) == [
        "buttons at reset: pulled down until the program sets its own pull-up, so they read as held while the Pi starts: left on GPIO23"
    ]


@pytest.mark.parametrize("gpio", [5, 6, 7, 8])
def test_a_button_on_a_pin_that_is_pulled_up_at_reset_is_not(gpio: int) -> None:
    assert not any("at reset" in line for line in said(board(gpio=gpio)))


def test_a_resistor_too_great_for_its_pull_up_is_refused_since_no_press_would_read_low() -> None:
    (fault,) = wrong(board(resistor=22_000))
    assert fault.found == (
        "expected a press to pull GPIO5 (header pin 29) below 0.8 V, found 1.0 V: its 22000 ohm stand against a pull-up of 50000 ohm"
    )
    assert fault.fix == "Take 1000 ohm in series, or a greater pull-up."


def test_the_resistors_that_are_soldered_to_gpio_2_and_3_are_reckoned_with() -> None:
    assert "1.2 V" in wrong(board(gpio=3))[0].found
    assert wrong(board(gpio=3, resistor=330)) == []


def test_a_pull_up_on_the_strip_board_is_reckoned_with() -> None:
    assert wrong(board(pull_up=10_000)) == []
    assert "pull-up of 980 ohm" in wrong(board(pull_up=1000))[0].found


def test_a_capacitor_that_would_delay_the_instant_of_a_press_is_refused() -> None:
    (fault,) = wrong(board(capacitor=1000))
    assert fault.found == "expected a press to be seen within 100 us, found 1000 us: 1000 ohm with 1000 nF"
    assert fault.fix == "Take 1000 ohm and 10 nF."


def test_a_capacitor_that_the_bare_contact_shorts_is_refused() -> None:
    (fault,) = wrong(board(resistor=0, capacitor=10))
    assert fault.found.startswith("expected a resistor between the contact and its 10 nF, found none")
    assert fault.fix == "Put 1000 ohm in series: resistor = 1000."


def test_a_longer_wire_without_resistor_and_capacitor_is_advised_on() -> None:
    (line,) = said(board(wire=80))
    assert line.startswith(
        "buttons.left: its wire of 80 cm picks up sparks and radio: twist it with a ground wire of its own, and put 1000 ohm in series"
    )
    assert said(board(wire=80, capacitor=10)) == []
    assert said(board(wire=50, resistor=0)) == []


def test_a_long_wire_is_refused_until_it_has_all_three() -> None:
    (fault,) = wrong(board(wire=300, capacitor=10))
    assert fault.found == "expected a resistor, a capacitor and a pull-up on a wire of 300 cm, found 1000 ohm, 10 nF and 0 ohm"
    assert "resistor = 1000, capacitor = 10, pull_up = 10000" in fault.fix
    assert said(board(wire=300, capacitor=10, pull_up=10_000)) == []


@given(
    gpio=st.integers(2, 27),
    resistor=st.integers(0, 10**6),
    capacitor=st.integers(0, 10**4),
    pull_up=st.integers(0, 10**6),
    wire=st.integers(0, 10**4),
)
def test_whatever_a_file_says_of_a_button_each_fault_has_a_sentence_of_what_was_expected_and_found(
    gpio: int, resistor: int, capacitor: int, pull_up: int, wire: int
) -> None:
    for fault in wrong(board(gpio=gpio, resistor=resistor, capacitor=capacitor, pull_up=pull_up, wire=wire), "5"):
        assert fault.found.startswith("expected ")
        assert ", found " in fault.found
        assert fault.fix.endswith(".")


def _of(spec: PinSpec, pi: str = "4", **changed: Any) -> list[tuple[str, str]]:
    return [(fault.found, fault.fix) for fault in wrong(board({"left": dataclasses.replace(spec, **changed)}), pi)]


def test_a_lamp_by_a_transistor_a_led_by_its_resistor_and_a_piezo_buzzer_are_sound() -> None:
    assert wrong(board({"left": LAMP, "right": dataclasses.replace(LED, gpio=26)}, BUZZER)) == []


def test_a_lamp_on_a_pin_that_is_pulled_up_at_reset_is_refused_since_it_would_glow() -> None:
    ((found, fix),) = _of(LAMP, gpio=7)[:1]
    assert found == (
        "expected a pin that is pulled down at reset, found GPIO7 (header pin 26), which is pulled up: it glows or sounds while the Pi starts"
    )
    assert fix == "Take one of GPIO 9 to 27."


def test_a_lamp_of_5_v_on_a_bare_pin_is_refused() -> None:
    assert _of(LAMP, driver="", resistor=0) == [
        (
            "expected at most 3.3 V and 16 mA where a pin feeds it, found LED lamp 5 V for an arcade button of 5 V and 20 mA on GPIO16 (header pin 36)",
            'Let a transistor switch it: driver = "bc337-40", resistor = 1000.',
        )
    ]


def test_a_lamp_of_12_v_is_refused_since_the_header_gives_5() -> None:
    assert _of(LAMP, part="arcade-lamp-12v") == [
        ("expected a part of 5 V, as the header gives, found LED lamp 12 V for an arcade button of 12 V", "Take the one of 5 V.")
    ]


@pytest.mark.parametrize(("ohms", "shown"), [(0, "none"), (100, "100"), (10_000, "10000")])
def test_a_base_resistor_that_is_missing_too_small_or_too_great_is_refused_with_the_range(ohms: int, shown: str) -> None:
    assert _of(LAMP, resistor=ohms) == [
        (
            f"expected 162 to 2600 ohm between GPIO16 (header pin 36) and the transistor's base, found {shown}",
            "Take 1000 ohm: resistor = 1000.",
        )
    ]


def test_the_pin_of_a_pi_5_gives_less_so_its_base_resistor_is_greater() -> None:
    assert _of(LAMP, "4", resistor=180) == []
    assert _of(LAMP, "5", resistor=180)[0][0].startswith("expected 217 to 2600 ohm")


def test_a_coil_without_a_diode_is_refused_and_with_one_it_is_sound() -> None:
    coil = dataclasses.replace(BUZZER, part="magnetic-buzzer-5v")
    (fault,) = wrong(board(buzzer=coil))
    assert fault.found.startswith("expected a diode across the coil of Magnetic buzzer 5 V, sounds by itself, found none")
    assert fault.fix == 'Put one across it, its ring to 5 V: diode = "1n4148".'
    assert wrong(board(buzzer=dataclasses.replace(coil, diode="1n4148"))) == []


@pytest.mark.parametrize(("ohms", "shown"), [(0, "none"), (68, "68")])
def test_a_led_without_enough_of_a_resistor_is_refused_with_the_least(ohms: int, shown: str) -> None:
    assert _of(LED, resistor=ohms) == [
        (
            f"expected a resistor of 81 ohm or more before the led on GPIO16 (header pin 36) (at most 16 mA), found {shown}",
            "Take 220 ohm: resistor = 220.",
        )
    ]


def test_a_led_that_would_hardly_be_seen_is_noted() -> None:
    assert said(board({"left": dataclasses.replace(LED, resistor=4700)})) == [
        "lamps.left: 0.3 mA through 4700 ohm: hardly seen in a lit hall; 220 ohm are usual"
    ]


def test_a_led_with_a_transistor_is_refused_since_nothing_would_limit_its_current() -> None:
    assert _of(LED, driver="bc337-40") == [
        ("expected a led on its resistor alone, found the driver bc337-40", "Take the driver out, or name a lamp of 5 V.")
    ]


def _parts_with(monkeypatch: pytest.MonkeyPatch, name: str, **changed: Any) -> None:
    """Let the check read another figure in the part's data sheet."""
    monkeypatch.setattr("hardware.electrics.parts", lambda: {**parts(), name: dataclasses.replace(parts()[name], **changed)})


def test_a_led_that_needs_more_than_a_pin_gives_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _parts_with(monkeypatch, "led-5mm-red", forward=3.4)
    assert _of(LED) == [("expected a led of less than 3.3 V, found 3.4 V", "Take a red, yellow or green one of about 2 V.")]


def test_a_lamp_that_is_too_much_for_the_transistor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _parts_with(monkeypatch, "bc337-40", milliamps=15)
    assert _of(LAMP) == [
        ("expected at most 15 mA through NPN transistor BC337-40, found 20 mA", "Use a smaller lamp, or a ready-made driver board.")
    ]


@given(
    part=st.sampled_from(of_sorts("lamp", "led", "buzzer")),
    driver=st.sampled_from(["", *of_sorts("transistor")]),
    resistor=st.integers(0, 10**6),
    gpio=st.integers(2, 27),
    pi=st.sampled_from(pi_ids()),
)
def test_what_the_check_lets_pass_never_takes_more_of_a_pin_than_it_gives(
    part: str, driver: str, resistor: int, gpio: int, pi: str
) -> None:
    spec = PinSpec(gpio, "", part=part, driver=driver, resistor=resistor)
    if not wrong(board({"left": spec}), pi):
        assert 0 < pin_milliamps(spec, load_pi(pi)) <= load_pi(pi).pin_milliamps
        assert gpio >= 9


def _with(**changed: Any) -> Any:
    return board(displays={"left": LEFT, "right": dataclasses.replace(RIGHT, **changed)})


@pytest.mark.parametrize(
    ("pi", "found"),
    [
        ("4", "UART4 (PL011) at /dev/ttyAMA4, 9600 baud; config.txt: dtoverlay=uart4"),
        ("5", "UART3 (PL011) at /dev/ttyAMA3, 9600 baud; config.txt: dtoverlay=uart3-pi5"),
    ],
)
def test_a_display_on_the_header_is_told_its_uart_its_device_and_how_to_turn_it_on(pi: str, found: str) -> None:
    assert found in [finding.found for finding in check(_with(), load_pi(pi)) if finding.name == "displays.right"]


@pytest.mark.parametrize("pi", ["3", "zero-2-w"])
def test_a_pi_without_a_uart_on_that_pin_is_sent_to_the_adaptor(pi: str) -> None:
    (line,) = said(_with(), pi)
    assert line.endswith("has no UART that sends on GPIO8: hang this display on a USB adaptor of 3.3 V, at /dev/ttyUSB0")


def test_a_display_that_hangs_on_an_adaptor_everywhere_is_well() -> None:
    found = [finding.found for finding in check(_with(tx=None), load_pi("4")) if finding.name == "displays.right"]
    assert found == ["on an adaptor at /dev/ttyUSB0, 9600 baud"]


def test_a_5_v_modules_tx_on_a_pin_is_refused() -> None:
    (fault,) = wrong(_with(rx=9))
    assert fault.found == (
        "expected at most 3.3 V on GPIO9 (header pin 21), found the TX of Serial 7-segment module, 4 digits, which gives 5 V and kills the pin"
    )
    assert fault.fix == "Leave the module's TX free and take rx out: nothing listens to it."


def test_a_button_on_the_pin_that_a_uart_takes_to_receive_is_refused() -> None:
    taken = dataclasses.replace(_with(), lamps={}, buttons={"left": dataclasses.replace(board().buttons["left"], gpio=9)})
    (fault,) = wrong(taken)
    assert fault.found == "expected GPIO9 (header pin 21) free, which UART4 takes with GPIO8, found buttons.left on it"
    assert fault.fix == "Give buttons.left another pin, or hang the display on a USB adaptor."


def test_two_displays_that_come_to_one_port_on_this_pi_are_refused() -> None:
    both = board(displays={"left": dataclasses.replace(LEFT, port="/dev/ttyUSB0", tx=12), "right": RIGHT})
    assert wrong(both, "4") == []
    assert [fault.found for fault in wrong(both, "3")] == [
        "expected a port for each on a Raspberry Pi 3 (B, B+, A+), found /dev/ttyUSB0 for both"
    ]


def test_a_line_without_a_resistor_and_a_long_line_are_noted() -> None:
    assert said(_with(resistor=0)) == ["displays.right: 330 ohm in series with its line would protect the Pi from a short: resistor = 330"]
    assert said(_with(wire=300)) == [
        "displays.right: its wire of 300 cm is long for 3.3 V: twist it with ground, or put a USB adaptor beside the module"
    ]


def test_a_module_that_would_not_read_3_3_v_as_high_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    deaf = {**parts(), "serial-7-segment": dataclasses.replace(parts()["serial-7-segment"], input_high=0.7)}
    monkeypatch.setattr("hardware.electrics.parts", lambda: deaf)
    fault = wrong(_with())[0]
    assert fault.found == "expected an input that reads 3.3 V as high, found Serial 7-segment module, 4 digits, which at 5 V wants 3.5 V"
    assert fault.fix == "Feed the module with 3.3 V, or put a level shifter of the 74HCT type between."
