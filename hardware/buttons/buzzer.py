"""The buzzer: optional on the board, and off by default in the settings.

It marks moments (a window's end, an opened menu); sound is never the only signal. Nothing here waits: gpiozero uses a thread of its own.
"""

from __future__ import annotations

from typing import Any

import gpiozero

from appliance.errors import PinUnavailable, reason
from appliance.phrase import Phrase
from hardware.boards.board import Board
from hardware.pins.contract import PinFactory


class Buzzer:
    """A board's buzzer, initially silent; without one, or if disabled, all calls do nothing.

    Raises:
        PinUnavailable: the buzzer's pin is unavailable.
    """

    def __init__(self, board: Board, factory: PinFactory, *, enabled: bool = False) -> None:
        self._failures = factory.failures
        self._buzzer: Any = None
        if board.buzzer is None or not enabled:
            return
        try:
            self._buzzer = gpiozero.Buzzer(board.buzzer.name, pin_factory=factory)
        except (gpiozero.GPIOZeroError, *factory.failures) as why:
            raise PinUnavailable(
                where=f"board {board.id}",
                expected=Phrase("{pin} for {user}", pin=board.buzzer, user="buzzer"),
                found=reason(why),
                remedy=Phrase("{freed}, or turn the buzzer off", freed=board.buzzer.freed_by),
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
