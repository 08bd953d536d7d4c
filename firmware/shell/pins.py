"""A clock's open pins, whose buttons may do each other's work (the setting ``board.remap``)."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.boards.board import Board
from hardware.buttons.board_pins import BoardPins
from hardware.buttons.edge import Edge, Sink
from hardware.pins.contract import PinFactory


class RemappedPins(BoardPins):
    """The open pins of a board, with each button named by its work. The buzzer is off at first: its pin must not keep the buttons away.

    Args:
        remap: for a button, the button whose work it does.
    """

    def __init__(self, board: Board, factory: PinFactory, on_edge: Sink, remap: Mapping[str, str]) -> None:
        self._on_edge = on_edge
        self._remap = remap
        super().__init__(board, factory, self._edge)

    def down(self) -> frozenset[str]:
        """Return the buttons that are down."""
        return frozenset(self._remap.get(button, button) for button in super().down())

    def _edge(self, edge: Edge) -> None:
        self._on_edge(Edge(self._remap.get(edge.button, edge.button), edge.down, edge.at, edge.stamped))
