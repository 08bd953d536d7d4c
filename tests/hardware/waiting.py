"""What a program that waits for its pins is tried with: a library that has none until they are there, and who hears how the service does."""

from dataclasses import dataclass, field

from appliance.errors import PinUnavailable
from hardware.pins.contract import PinFactory
from tools.mock_board import MockBoard


@dataclass
class Library:
    why: PinUnavailable
    there: MockBoard | None = None
    tried: int = 0

    def open(self, _name: str, *, chip: str | None) -> PinFactory:
        assert chip is None
        self.tried += 1
        if self.there is None:
            raise self.why
        return self.there.factory


@dataclass
class Systemd:
    heard: list[str] = field(default_factory=list)

    def notify(self, state: str) -> None:
        self.heard.append(state)
