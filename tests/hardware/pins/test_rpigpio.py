from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from appliance.errors import PinUnavailable
from appliance.finding import State
from hardware.boards.board import load_board
from hardware.buttons.reader import ButtonPins, Edge
from hardware.buttons.self_test import check_library
from hardware.pins.contract import PinFactory
from hardware.pins.opening import open_factory
from tests.errors import with_fields


class FakeRPiGPIO(ModuleType):
    """As much of RPi.GPIO as gpiozero asks of it for a button, with the lines in memory; RPi.GPIO itself does not load off a Pi."""

    IN, OUT, SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 1, 0, 40, 41, 42, 43, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    BCM = 11

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.busy: set[int] = set()
        self.busy_error: Exception = RuntimeError("GPIO busy")
        self.low: set[int] = set()
        self.pulls: dict[int, int] = {}
        self.calls: dict[int, Callable[[int], None]] = {}

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM

    def setwarnings(self, _on: bool) -> None:
        """Take the call."""

    def setup(self, pin: int, _function: int, pull: int = PUD_OFF) -> None:
        if pin in self.busy:
            raise self.busy_error
        self.pulls[pin] = pull

    def gpio_function(self, _pin: int) -> int:
        return self.IN

    def input(self, pin: int) -> int:
        return int(pin not in self.low)

    def add_event_detect(self, pin: int, edges: int, callback: Callable[[int], None], bouncetime: int) -> None:
        assert (edges, bouncetime) == (self.BOTH, -666)  # -666: no debounce
        self.calls[pin] = callback

    def remove_event_detect(self, pin: int) -> None:
        del self.calls[pin]

    def cleanup(self, pin: int | None = None) -> None:
        """Take the call."""


class LgpioError(Exception):
    """The error of lgpio: no error of Python's own but Exception."""


class FakeRPiLgpio(FakeRPiGPIO):
    """The same as rpi-lgpio has it: over a module ``lgpio``, whose errors come through. The real one on a kernel's pins: ``tests/kernel/test_rpi_lgpio.py``."""

    def __init__(self) -> None:
        super().__init__()
        self.lgpio = SimpleNamespace(error=LgpioError)
        self.busy_error = LgpioError("GPIO busy")
        self.chip_opens = True

    def setmode(self, mode: int) -> None:
        super().setmode(mode)
        if not self.chip_opens:
            raise LgpioError("can not open gpiochip")


LIBRARIES: dict[str, type[FakeRPiGPIO]] = {"RPi.GPIO": FakeRPiGPIO, "rpi-lgpio": FakeRPiLgpio}


@pytest.fixture(params=list(LIBRARIES))
def gpio(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRPiGPIO]:
    gpio = LIBRARIES[request.param]()
    package: Any = ModuleType("RPi")
    package.GPIO = gpio
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA02082)
    yield gpio
    for module in ("gpiozero.pins.rpigpio", "hardware.pins.rpigpio"):
        sys.modules.pop(module, None)  # they hold on to the fake


@pytest.fixture
def factory(gpio: FakeRPiGPIO) -> Iterator[PinFactory]:
    factory = open_factory("rpigpio")
    yield factory
    factory.close()


def test_an_edge_is_stamped_in_python_and_says_so(gpio: FakeRPiGPIO, factory: PinFactory) -> None:
    edges: list[Edge] = []
    pins = ButtonPins(load_board("two-button"), factory, edges.append)
    assert factory.stamps == "python"
    assert gpio.pulls[5] == gpio.PUD_UP
    gpio.low.add(5)
    before = time.monotonic_ns()
    gpio.calls[5](5)
    assert before <= edges[0].at <= time.monotonic_ns()
    assert edges == [Edge("left", down=True, at=edges[0].at, stamped=False)]
    assert pins.levels() == {"left"}
    pins.close()


def test_an_edge_that_is_under_way_while_the_pins_are_closed_does_no_harm(gpio: FakeRPiGPIO, factory: PinFactory) -> None:
    edges: list[Edge] = []
    pins = ButtonPins(load_board("two-button"), factory, edges.append)
    late = gpio.calls[6]
    pins.close()
    late(6)
    assert edges == []
    assert gpio.calls == {}


def test_the_doctor_tells_which_library_it_found(gpio: FakeRPiGPIO, factory: PinFactory) -> None:
    found = "rpi-lgpio" if isinstance(gpio, FakeRPiLgpio) else "RPi.GPIO"
    finding = check_library("rpigpio", factory)
    assert finding.state is State.NOTE
    assert finding.found.startswith(f"rpigpio, by {found}; Python stamps each edge")


def test_a_pin_that_is_busy_is_named_by_either_library(gpio: FakeRPiGPIO, factory: PinFactory) -> None:
    gpio.busy.add(6)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO6 (header pin 31) for buttons.right", found="GPIO busy")):
        ButtonPins(load_board("two-button"), factory, lambda _edge: None)


@pytest.mark.parametrize("gpio", ["rpi-lgpio"], indirect=True)
def test_a_chip_that_rpi_lgpio_cannot_open_is_no_traceback(gpio: FakeRPiLgpio) -> None:
    gpio.chip_opens = False
    with pytest.raises(PinUnavailable, check=with_fields(found=re.compile("can not open gpiochip"))):
        open_factory("rpigpio")
