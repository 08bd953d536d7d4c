"""The open pins of a board: edges in, lamps and buzzer out.

Lamps are beside each player's button of a clock; in the adjudication button and for each verdict at a station. The buzzer is optional on the board, and off by
default in the settings: it marks moments (a window's end, an opened menu); sound is never the only signal. Setting what the board lacks does nothing, so callers
need not check.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from math import log2
from typing import Any, Final, Self, TypeAlias

from appliance.errors import PinUnavailable
from faults.errors import Phrase, reason
from hardware.boards.board import Board
from hardware.boards.kinds import MAKES
from hardware.boards.parts import parts
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


Melody: TypeAlias = Sequence[tuple[int, int]]
"""Tones in their order: pitch in Hz, 0 for silence, and length in ms, a multiple of ``STEP_MS``."""
BEEP_S: Final = 0.08
STEP_MS: Final = 20
_MID_HZ: Final = 440
_OCTAVES: Final = 2
"""A pitched buzzer plays from 110 to 1,760 Hz."""


class Buzzer:
    """A board's buzzer, initially silent; without one, or if disabled, all calls do nothing. Raises PinUnavailable: the buzzer's pin is unavailable.

    One that sounds by itself beeps at its own pitch; a part that is ``pitched`` plays melodies, which needs a pin library with PWM.
    """

    def __init__(self, board: Board, factory: PinFactory, *, enabled: bool = False) -> None:
        self._board, self._factory, self._failures = board, factory, factory.failures
        self._buzzer: Any = None
        self.enable(enabled=enabled)

    def enable(self, *, enabled: bool) -> None:
        """Open the buzzer's pin, or release it. Idempotent. Raises PinUnavailable: the pin is unavailable."""
        from gpiozero import Buzzer as Beeper  # noqa: PLC0415 - as above
        from gpiozero import PinPWMUnsupported, TonalBuzzer  # noqa: PLC0415

        pin = self._board.buzzer
        if not enabled:
            self.close()
        if pin is None or not enabled or self._buzzer is not None:
            return
        try:
            pitched = bool(pin.part) and parts()[pin.part].pitched
            self._buzzer = (partial(TonalBuzzer, octaves=_OCTAVES) if pitched else Beeper)(pin.name, pin_factory=self._factory)
        except self._failures as why:
            raise PinUnavailable(
                where=f"board {self._board.id}",
                expected=Phrase("{pin} for {user}", pin=pin, user="buzzer"),
                found=reason(why),
                remedy=Phrase("{freed}, or turn the buzzer off", freed=pin.freed_by)
                if not isinstance(why, PinPWMUnsupported)
                else 'Set pins = "rpigpio", whose pins play tones, or take a buzzer that sounds by itself',
            ) from why

    def sound(self, times: int, melody: Melody) -> None:
        """Beep ``times`` times, each 80 ms, or play ``melody``; a second call cuts off the first. Raises PinUnavailable: the library failed."""
        buzzer = self._buzzer
        if buzzer is None:
            return
        try:
            if hasattr(buzzer, "beep"):
                buzzer.beep(on_time=BEEP_S, off_time=BEEP_S, n=times, background=True)
            else:
                buzzer.source_delay, buzzer.source = STEP_MS / 1000, _steps(melody)
        except self._failures as why:
            raise PinUnavailable(expected="to sound the buzzer", found=reason(why), remedy="Check its wire and its pin") from why

    def close(self) -> None:
        if self._buzzer is not None:
            # Silent first: a released pin floats.
            self._buzzer.source, self._buzzer.value = None, None if hasattr(self._buzzer, "tone") else 0
            self._buzzer.close()
            self._buzzer = None


def _steps(melody: Melody) -> list[float | None]:
    """Return what gpiozero's TonalBuzzer takes for each step of ``melody``: octaves above its middle tone, as a share of its range; None: silence, also the last."""
    values = [(None if hz == 0 else log2(hz / _MID_HZ) / _OCTAVES, ms // STEP_MS) for hz, ms in melody]
    return [*(value for value, steps in values for _ in range(steps)), None]


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
