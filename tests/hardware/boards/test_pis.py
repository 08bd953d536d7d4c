from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from appliance.errors import PiUnknown
from faults.errors import TileclockError
from hardware.boards.board import DisplaySpec
from hardware.boards.parts import HEADER
from hardware.boards.pis import display_port, load_pi, pi_ids, this_pi
from tests.errors import with_fields

RIGHT = DisplaySpec("/dev/ttyUSB0", 8)


@pytest.mark.parametrize("pi_id", pi_ids())
def test_every_pi_gives_3_3_v_and_is_pulled_up_on_gpio_0_to_8_alone(pi_id: str) -> None:
    pi = load_pi(pi_id)
    assert (pi.id, pi.volts, pi.header_pins) == (pi_id, 3.3, 40)
    assert pi.pulled_up == set(range(9))
    assert set(pi.sources.split()) <= set("abcdefg")


@pytest.mark.parametrize("pi_id", pi_ids())
def test_every_uart_has_pins_of_the_header_of_its_own_and_a_device_of_its_own(pi_id: str) -> None:
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
    ("pi_id", "port"), [("3", "/dev/ttyUSB0"), ("4", "/dev/ttyAMA4"), ("5", "/dev/ttyAMA3"), ("zero-2-w", "/dev/ttyUSB0")]
)
def test_a_display_hangs_on_the_uart_of_its_pin_or_on_its_port(pi_id: str, port: str) -> None:
    assert display_port(RIGHT, load_pi(pi_id)) == port


def test_off_a_pi_and_without_a_pin_a_display_hangs_on_its_port() -> None:
    assert display_port(RIGHT, None) == "/dev/ttyUSB0"
    assert display_port(DisplaySpec("/dev/ttyUSB1"), load_pi("4")) == "/dev/ttyUSB1"


@pytest.mark.parametrize(
    ("model", "pi_id"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "3"),
        ("Raspberry Pi 4 Model B Rev 1.4", "4"),
        ("Raspberry Pi 400 Rev 1.0", "4"),
        ("Raspberry Pi 5 Model B Rev 1.0", "5"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "zero-2-w"),
    ],
)
def test_the_device_trees_name_tells_which_pi_this_is(tmp_path: Path, model: str, pi_id: str) -> None:
    (tmp_path / "model").write_bytes(model.encode() + b"\0")
    found = this_pi(tmp_path / "model")
    assert found is not None
    assert found.id == pi_id


@pytest.mark.parametrize("model", ["Raspberry Pi Zero W Rev 1.1", "Radxa ROCK 4C+", "\xff"])
def test_another_computer_is_no_pi_that_is_known(tmp_path: Path, model: str) -> None:
    (tmp_path / "model").write_bytes(model.encode("latin-1"))
    assert this_pi(tmp_path / "model") is None
    assert this_pi(tmp_path / "none") is None


def test_an_unknown_pi_is_answered_with_those_that_are_known() -> None:
    with pytest.raises(PiUnknown, check=with_fields(expected=re.compile("3, 4, 5, zero-2-w"), found="'2'")):
        load_pi("2")
    assert issubclass(PiUnknown, TileclockError)
