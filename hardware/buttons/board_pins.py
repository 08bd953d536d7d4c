"""The open pins of a board: edges in, lamps and buzzer out."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Self

from hardware.boards.board import Board
from hardware.buttons.buzzer import Buzzer
from hardware.buttons.edge import Sink
from hardware.buttons.lamps import Lamps
from hardware.buttons.reader import ButtonPins
from hardware.pins.contract import PinFactory


class BoardPins:
    """A board's open pins; lamps or a buzzer that the board lacks do nothing.

    Args:
        board: defines the pins.
        factory: opens them; closed with this object.
        on_edge: takes every edge, in the pin library's thread; must only enqueue and not raise.
        buzzer: whether the buzzer may sound.

    Raises:
        PinUnavailable: a pin is unavailable; those opened before it are closed.
    """

    def __init__(self, board: Board, factory: PinFactory, on_edge: Sink, *, buzzer: bool = False) -> None:
        with ExitStack() as opened:
            opened.callback(factory.close)
            self._buttons = ButtonPins(board, factory, on_edge)
            opened.callback(self._buttons.close)
            self._lamps = Lamps(board, factory)
            opened.callback(self._lamps.close)
            self._buzzer = Buzzer(board, factory, enabled=buzzer)
            opened.callback(self._buzzer.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def down(self) -> frozenset[str]:
        """Return the buttons that are down: at startup, stuck or held ones, or a key switch that is on."""
        return self._buttons.levels()

    def reread(self, now: int) -> int | None:
        """Recover edges lost by ``now`` (ns), once the buttons are quiet; return when to reread (ns), or None if nothing is pending.

        Raises:
            PinUnavailable: the library failed.
        """
        return self._buttons.reread(now)

    @property
    def lost(self) -> int:
        """The number of edges known to be lost."""
        return self._buttons.lost

    def light(self, lamps: frozenset[str]) -> None:
        """Light these lamps and darken the others.

        Raises:
            PinUnavailable: the library failed.
        """
        self._lamps.light(lamps)

    def sound(self) -> None:
        """Sound the buzzer once, if present and enabled.

        Raises:
            PinUnavailable: the library failed.
        """
        self._buzzer.short()

    def enable_buzzer(self, *, enabled: bool) -> None:
        """Let the buzzer sound from now on, or no longer.

        Raises:
            PinUnavailable: its pin is unavailable.
        """
        self._buzzer.enable(enabled=enabled)

    def give_lamps_up(self) -> None:
        """Darken all lamps permanently, as far as possible; the buttons still work. Idempotent."""
        self._lamps.close()

    def close(self) -> None:
        """Darken the lamps, silence the buzzer and close the pins. Idempotent."""
        self._opened.close()
