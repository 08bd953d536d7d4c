from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from hardware.boards.board import load_board
from hardware.buttons.edge import Edge
from hardware.buttons.reader import ButtonPins
from hardware.pins.factories import PinFactory, open_factory


class FakeRPiGPIO(ModuleType):
    """As much of RPi.GPIO as gpiozero asks of it for a button, with the lines in memory; RPi.GPIO itself does not load off a Pi."""

    IN, OUT, SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 1, 0, 40, 41, 42, 43, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    BCM = 11

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.low: set[int] = set()
        self.pulls: dict[int, int] = {}
        self.calls: dict[int, Callable[[int], None]] = {}

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM

    def setwarnings(self, _on: bool) -> None:
        """Take the call."""

    def setup(self, pin: int, _function: int, pull: int = PUD_OFF) -> None:
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


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRPiGPIO]:
    gpio = FakeRPiGPIO()
    package: Any = ModuleType("RPi")
    package.GPIO = gpio
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA02082)
    yield gpio
    for module in ("gpiozero.pins.rpigpio", "hardware.pins.rpigpio_factory"):
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
