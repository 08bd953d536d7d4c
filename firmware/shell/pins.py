"""The board's open pins: edges in, lamps and buzzer out. Missing pins or a missing buzzer are no error."""

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
    """The open pins of a board.

    Args:
        board: defines the pins.
        factory: opens them; closed with this object.
        on_edge: takes every edge, in the pin library's thread.
        remap: for a button, the button whose work it does.
        buzzer: whether the buzzer may sound.
    """

    def __init__(
        self, board: Board, factory: PinFactory, on_edge: Callable[[Edge], None], remap: Mapping[str, str], *, buzzer: bool
    ) -> None:
        self._on_edge = on_edge
        self._remap = remap
        with ExitStack() as opened:
            # If a pin is unavailable, those opened before it are closed.
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
        """Return the buttons that are down."""
        return frozenset(self._remap.get(button, button) for button in self._buttons.levels())

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

    def light(self, side: Side | None) -> None:
        """Light only the lamp of ``side``, whose clock runs."""
        if side is not self._lit:
            self._lit = side
            self._lamps.only(None if side is None else side.value)

    def sound(self) -> None:
        """Sound the buzzer once, if present and enabled."""
        self._buzzer.short()

    def close(self) -> None:
        """Close the pins."""
        self._opened.close()

    def _edge(self, edge: Edge) -> None:
        button = self._remap.get(edge.button)
        self._on_edge(edge if button is None else Edge(button, edge.down, edge.at, edge.stamped))
