"""The buzzer: optional on the board, and off by default in the settings.

It marks moments (a window's end, an opened menu); sound is never the only signal. Nothing here waits: gpiozero uses a thread of its own.
"""

from __future__ import annotations

from typing import Any

import gpiozero

from appliance.errors import PinUnavailable
from faults.errors import Phrase, reason
from hardware.boards.board import Board
from hardware.pins.contract import PinFactory


class Buzzer:
    """A board's buzzer, initially silent; without one, or if disabled, all calls do nothing.

    Raises:
        PinUnavailable: the buzzer's pin is unavailable.
    """

    def __init__(self, board: Board, factory: PinFactory, *, enabled: bool = False) -> None:
        self._board, self._factory, self._failures = board, factory, factory.failures
        self._buzzer: Any = None
        self.enable(enabled=enabled)

    def enable(self, *, enabled: bool) -> None:
        """Open the buzzer's pin, or release it. Idempotent.

        Raises:
            PinUnavailable: the pin is unavailable.
        """
        pin = self._board.buzzer
        if not enabled:
            self.close()
        if pin is None or not enabled or self._buzzer is not None:
            return
        try:
            self._buzzer = gpiozero.Buzzer(pin.name, pin_factory=self._factory)
        except (gpiozero.GPIOZeroError, *self._failures) as why:
            raise PinUnavailable(
                where=f"board {self._board.id}",
                expected=Phrase("{pin} for {user}", pin=pin, user="buzzer"),
                found=reason(why),
                remedy=Phrase("{freed}, or turn the buzzer off", freed=pin.freed_by),
            ) from why

    def short(self, length_ns: int = 80_000_000) -> None:
        """Sound once for ``length_ns``, by default 80 ms; a second call cuts off the first.

        Raises:
            PinUnavailable: the library failed.
        """
        if self._buzzer is not None:
            try:
                self._buzzer.beep(on_time=length_ns / 1e9, off_time=0, n=1, background=True)
            except (gpiozero.GPIOZeroError, *self._failures) as why:
                raise PinUnavailable(expected="to sound the buzzer", found=reason(why), remedy="Check its wire and its pin") from why

    def close(self) -> None:
        """Silence the buzzer and release its pin. Idempotent."""
        if self._buzzer is not None:
            self._buzzer.off()  # a released pin floats
            self._buzzer.close()
            self._buzzer = None
