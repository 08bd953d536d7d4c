"""A simulated board for tests and rehearsals: mock pins, pressed by a program at instants given to the nanosecond. Edges arrive in the caller's thread."""

from collections.abc import Iterable

from hardware.boards.board import Board
from hardware.pins.mock import MockPins, StampedMockPin


class _ContactPin(StampedMockPin):
    """A mock pin with a contact to ground that overrides the pull-up while closed."""

    grounded = False

    def ground(self) -> None:
        self.grounded = True
        self.drive_low()

    def lift(self) -> None:
        self.grounded = False
        self.drive_high()

    def drive_high(self) -> None:
        if not self.grounded:
            super().drive_high()


class _Contacts(MockPins):
    """Mock pins whose ticks are ``at`` where it is set."""

    def __init__(self) -> None:
        super().__init__(pin_class=_ContactPin)
        self.at: int | None = None
        """The instant of the next edges, in ns; None: the real one."""

    def ticks(self) -> int:
        """Return ``at`` if set, else now, in ns."""
        return super().ticks() if self.at is None else self.at


class MockBoard:
    """A board of mock pins, and the presses on it.

    Instants are ns of CLOCK_MONOTONIC; the default is now. A button that is down before ``ButtonPins`` opens is stuck. Pass ``factory`` to ``ButtonPins``, ``Lamps``
    and ``Buzzer``. A name that the board lacks is a KeyError.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.factory = _Contacts()

    def down(self, button: str, at: int | None = None) -> None:
        """Close the button's contact; no effect if closed."""
        self._move(self._pin(button), at, down=True)

    def up(self, button: str, at: int | None = None) -> None:
        """Open the button's contact; no effect if open."""
        self._move(self._pin(button), at, down=False)

    def press(self, button: str, at: int | None = None, held_ns: int = 80_000_000) -> None:
        """Close the contact at ``at`` and open it ``held_ns`` later (default 80 ms, a quick press). Does not sleep."""
        start = self.factory.ticks() if at is None else at
        self.down(button, start)
        self.up(button, start + held_ns)

    def bounce(self, button: str, train: Iterable[int]) -> None:
        """Toggle the contact at each instant of the train (ns)."""
        pin = self._pin(button)
        for at in train:
            self._move(pin, at, down=not pin.grounded)

    def lit(self, lamp: str) -> bool:
        return bool(self.factory.pin(self.board.lamps[lamp].name).state)

    def sounding(self) -> bool:
        """Return whether the buzzer is on; a board without one is silent."""
        return self.board.buzzer is not None and bool(self.factory.pin(self.board.buzzer.name).state)

    def close(self) -> None:
        self.factory.close()

    def _move(self, pin: _ContactPin, at: int | None, *, down: bool) -> None:
        self.factory.at = at
        try:
            (pin.ground if down else pin.lift)()
        finally:
            self.factory.at = None

    def _pin(self, button: str) -> _ContactPin:
        pin: _ContactPin = self.factory.pin(self.board.buttons[button].name)
        return pin
