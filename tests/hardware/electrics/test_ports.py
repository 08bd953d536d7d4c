from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from hardware.boards.parts import parts
from hardware.boards.pis import load_pi
from hardware.electrics import check
from tests.hardware.electrics.boards import LEFT, RIGHT, board, said, wrong


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
