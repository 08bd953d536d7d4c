"""The lamps of a board: beside each player's button of a clock; in the adjudication button and for each verdict at a station.

Setting a lamp that the board lacks does nothing, so callers need not check.
"""

from __future__ import annotations

import contextlib
from typing import Any

import gpiozero

from appliance.errors import PinUnavailable
from faults.errors import Phrase, reason
from hardware.boards.board import Board
from hardware.boards.kinds import MAKES
from hardware.pins.contract import PinFactory


class Lamps:
    """The lamps of a board, initially off; a name that this kind of board cannot have is a KeyError.

    Raises:
        PinUnavailable: a lamp's pin is unavailable.
    """

    def __init__(self, board: Board, factory: PinFactory) -> None:
        self._failures = factory.failures
        self._lit: frozenset[str] = frozenset()
        self._leds: dict[str, Any] = dict.fromkeys(MAKES[board.kind].lamps)
        for name, spec in board.lamps.items():
            try:
                self._leds[name] = gpiozero.LED(spec.name, pin_factory=factory)
            except (gpiozero.GPIOZeroError, *factory.failures) as why:
                self.close()
                raise PinUnavailable(
                    where=f"board {board.id}",
                    expected=Phrase("{pin} for {user}", pin=spec, user=f"lamps.{name}"),
                    found=reason(why),
                    remedy=Phrase("{freed}, or give the lamp another", freed=spec.freed_by),
                ) from why

    def set(self, name: str, *, on: bool) -> None:
        """Switch one lamp on or off.

        Raises:
            PinUnavailable: the library failed.
        """
        led = self._leds[name]
        if led is not None:
            try:
                (led.on if on else led.off)()
            except (gpiozero.GPIOZeroError, *self._failures) as why:
                raise PinUnavailable(
                    expected=Phrase("to switch the lamp {name}", name=name), found=reason(why), remedy="Check its wire and its pin"
                ) from why

    def light(self, names: frozenset[str]) -> None:
        """Switch these lamps on and the others off, if anything changes.

        Raises:
            PinUnavailable: the library failed.
        """
        changed, self._lit = self._lit ^ names, names
        # Darken first: two verdicts, or both players' lamps, must never be lit at once.
        for name in sorted(changed, key=lambda name: name in names):
            self.set(name, on=name in names)

    def close(self) -> None:
        """Switch the lamps off and release their pins. Idempotent."""
        for name, led in self._leds.items():
            if led is not None:
                with contextlib.suppress(gpiozero.GPIOZeroError, *self._failures):
                    led.off()  # a released pin floats
                led.close()
                self._leds[name] = None
