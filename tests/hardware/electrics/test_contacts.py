from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hardware.electrics.boards import board, said, wrong


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
