from __future__ import annotations

import dataclasses

import pytest

from appliance.finding import State
from hardware.boards.board import load_board, shipped_boards
from hardware.boards.pis import load_pi, pi_ids
from hardware.electrics import check
from tests.cells import each_cell
from tests.hardware.electrics.boards import BUTTON, LAMP, LEFT, RIGHT, board, said, wrong


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
