"""The open pins of a board: edges in, lamps and buzzer out.

Lamps are beside each player's button of a clock; in the adjudication button and for each verdict at a station. The buzzer is optional on the board, and off by
default in the settings: it marks moments (a window's end, an opened menu); sound is never the only signal. Setting what the board lacks does nothing, so callers
need not check.
"""

from __future__ import annotations

import contextlib
from contextlib import ExitStack
from typing import Any, Final, Self

from appliance.errors import PinUnavailable
from faults.errors import Phrase, reason
from hardware.boards.board import Board
from hardware.boards.kinds import MAKES
from hardware.buttons.reader import ButtonPins, Sink
from hardware.pins.contract import PinFactory


class Lamps:
    """The lamps of a board, initially off; a name that this kind of board cannot have is a KeyError. Raises PinUnavailable: a lamp's pin is unavailable."""

    def __init__(self, board: Board, factory: PinFactory) -> None:
        from gpiozero import LED  # noqa: PLC0415 - it loads for as long as the clock's own modules: the first picture must not wait

        self._failures = factory.failures
        self._lit: frozenset[str] = frozenset()
        self._leds: dict[str, Any] = dict.fromkeys(MAKES[board.kind].lamps)
        for name, spec in board.lamps.items():
            try:
                self._leds[name] = LED(spec.name, pin_factory=factory)
            except factory.failures as why:
                self.close()
                raise PinUnavailable(
                    where=f"board {board.id}",
                    expected=Phrase("{pin} for {user}", pin=spec, user=f"lamps.{name}"),
                    found=reason(why),
                    remedy=Phrase("{freed}, or give the lamp another", freed=spec.freed_by),
                ) from why

    def set(self, name: str, *, on: bool) -> None:
        led = self._leds[name]
        if led is not None:
            try:
                (led.on if on else led.off)()
            except self._failures as why:
                raise PinUnavailable(
                    expected=Phrase("to switch the lamp {name}", name=name), found=reason(why), remedy="Check its wire and its pin"
                ) from why

    def light(self, names: frozenset[str]) -> None:
        """Switch these lamps on and the others off, if anything changes. Raises PinUnavailable: the library failed."""
        changed, self._lit = self._lit ^ names, names
        # Darken first: two verdicts, or both players' lamps, must never be lit at once.
        for name in sorted(changed, key=lambda name: name in names):
            self.set(name, on=name in names)

    def close(self) -> None:
        for name, led in self._leds.items():
            if led is not None:
                with contextlib.suppress(*self._failures):
                    led.off()  # a released pin floats
                led.close()
                self._leds[name] = None


BEEP_S: Final = 0.08


class Buzzer:
    """A board's buzzer, initially silent; without one, or if disabled, all calls do nothing. Raises PinUnavailable: the buzzer's pin is unavailable."""

    def __init__(self, board: Board, factory: PinFactory, *, enabled: bool = False) -> None:
        self._board, self._factory, self._failures = board, factory, factory.failures
        self._buzzer: Any = None
        self.enable(enabled=enabled)

    def enable(self, *, enabled: bool) -> None:
        """Open the buzzer's pin, or release it. Idempotent. Raises PinUnavailable: the pin is unavailable."""
        from gpiozero import Buzzer as Pin  # noqa: PLC0415 - as above

        pin = self._board.buzzer
        if not enabled:
            self.close()
        if pin is None or not enabled or self._buzzer is not None:
            return
        try:
            self._buzzer = Pin(pin.name, pin_factory=self._factory)
        except self._failures as why:
            raise PinUnavailable(
                where=f"board {self._board.id}",
                expected=Phrase("{pin} for {user}", pin=pin, user="buzzer"),
                found=reason(why),
                remedy=Phrase("{freed}, or turn the buzzer off", freed=pin.freed_by),
            ) from why

    def beep(self, times: int) -> None:
        """Sound ``times`` times, each 80 ms; a second call cuts off the first. Raises PinUnavailable: the library failed."""
        if self._buzzer is not None:
            try:
                self._buzzer.beep(on_time=BEEP_S, off_time=BEEP_S, n=times, background=True)
            except self._failures as why:
                raise PinUnavailable(expected="to sound the buzzer", found=reason(why), remedy="Check its wire and its pin") from why

    def close(self) -> None:
        if self._buzzer is not None:
            self._buzzer.off()  # a released pin floats
            self._buzzer.close()
            self._buzzer = None


class BoardPins(ButtonPins):
    """A board's open pins; lamps or a buzzer that the board lacks do nothing. Closes ``factory`` at the end.

    ``on_edge`` takes every edge, in the pin library's thread; it must only enqueue and not raise. Raises PinUnavailable: those opened are closed.
    """

    def __init__(self, board: Board, factory: PinFactory, on_edge: Sink, *, buzzer: bool = False) -> None:
        with ExitStack() as opened:
            opened.callback(factory.close)
            super().__init__(board, factory, on_edge)
            opened.callback(super().close)
            self.lamps = Lamps(board, factory)
            opened.callback(self.lamps.close)
            self.buzzer = Buzzer(board, factory, enabled=buzzer)
            opened.callback(self.buzzer.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._opened.close()
