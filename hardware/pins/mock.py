"""gpiozero's mock pins: a clock or station without a board, for rehearsals. Everything above the pin is what runs on a Pi."""

from gpiozero import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.pins.contract import MonotonicTicks, Stamps


class StampedMockPin(MockPWMPin):  # type: ignore[misc] # gpiozero ships no types
    def _call_when_changed(self) -> None:
        handler = self.when_changed
        if handler is not None:
            handler(self.factory.ticks(), int(self.state))


class MockPins(MonotonicTicks, MockFactory):  # type: ignore[misc] # gpiozero ships no types
    stamps: Stamps = "kernel"
    library = "mock"
    failures: tuple[type[Exception], ...] = (GPIOZeroError,)
    lost = 0
    behind = False

    def __init__(self, pin_class: type[StampedMockPin] = StampedMockPin) -> None:
        super().__init__(pin_class=pin_class)
