"""The board's pins, opened: edges out, lamps and buzzer in. What is not there (no pins, no buzzer) is quietly nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Self

from hardware.boards.board import Board
from hardware.buttons.buzzer import Buzzer
from hardware.buttons.edge import Edge
from hardware.buttons.lamps import Lamps
from hardware.buttons.reader import ButtonPins
from hardware.pins.contract import PinFactory
from rules.side import Side


class Pins:
    """A board that is listened to.

    Args:
        board: which pins.
        factory: how they are opened; closed with this.
        heard: takes every edge, in the pin library's thread.
        remap: a button that does the work of another.
        buzzer: whether it may sound.
    """

    def __init__(self, board: Board, factory: PinFactory, heard: Callable[[Edge], None], remap: Mapping[str, str], *, buzzer: bool) -> None:
        self._heard = heard
        self._remap = remap
        with ExitStack() as opened:
            # What was opened before a pin that cannot be had is given back.
            opened.callback(factory.close)
            self._buttons = ButtonPins(board, factory, self._edge)
            opened.callback(self._buttons.close)
            self._lamps = Lamps(board, factory)
            opened.callback(self._lamps.close)
            self._buzzer = Buzzer(board, factory, enabled=buzzer)
            opened.callback(self._buzzer.close)
            self._opened = opened.pop_all()
        self._lit: Side | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def down(self) -> frozenset[str]:
        """Return the buttons that are down now."""
        return frozenset(self._remap.get(button, button) for button in self._buttons.levels())

    def reread(self, now: int) -> int | None:
        """Make good what edges were lost by ``now`` (ns), once the buttons are quiet; return when to look again (ns), None: all is told.

        Raises:
            PinUnavailable: the library failed.
        """
        return self._buttons.reread(now)

    @property
    def lost(self) -> int:
        """How many edges are known to have been lost."""
        return self._buttons.lost

    def light(self, side: Side | None) -> None:
        """Light the lamp of the side whose clock runs."""
        if side is not self._lit:
            self._lit = side
            self._lamps.only(None if side is None else side.value)

    def sound(self) -> None:
        """Sound the buzzer once, where there is one and it may."""
        self._buzzer.short()

    def close(self) -> None:
        """Give the pins back."""
        self._opened.close()

    def _edge(self, edge: Edge) -> None:
        button = self._remap.get(edge.button)
        self._heard(edge if button is None else Edge(button, edge.down, edge.at, edge.stamped))
