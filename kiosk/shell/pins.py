"""The station's board, opened: edges of its button and key switch out, its lamps in. A lamp that the board lacks is quietly none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Self

from hardware.boards.board import Board, load_board
from hardware.boards.kinds import MAKES, STATION
from hardware.buttons.edge import Edge
from hardware.buttons.lamps import Lamps
from hardware.buttons.reader import ButtonPins
from hardware.pins.contract import PinFactory
from hardware.pins.opening import opener_of as library_of
from kiosk.settings.model import BoardSettings


class StationPins:
    """A station's board that is listened to.

    Args:
        board: which pins; of the kind ``station``.
        factory: how they are opened; closed with this.
        heard: takes every edge, in the pin library's thread: it only enqueues, and does not raise. ``kiosk.station.contacts`` makes presses of them.

    Raises:
        PinUnavailable: a pin cannot be had; those opened before it are given back.
    """

    def __init__(self, board: Board, factory: PinFactory, heard: Callable[[Edge], None]) -> None:
        self._names = MAKES[board.kind].lamps
        self._lit: frozenset[str] = frozenset()
        with ExitStack() as opened:
            opened.callback(factory.close)
            self._buttons = ButtonPins(board, factory, heard)
            opened.callback(self._buttons.close)
            self._lamps = Lamps(board, factory)
            opened.callback(self._lamps.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def down(self) -> frozenset[str]:
        """Return what is down now: at the start, a stuck button, or a key switch that is on."""
        return self._buttons.levels()

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

    def light(self, lamps: frozenset[str]) -> None:
        """Light these lamps and darken the others; nothing is done where nothing changes.

        Raises:
            PinUnavailable: the library failed.
        """
        changed, self._lit = self._lit ^ lamps, lamps
        # Darkened first: two verdicts are never lit at once.
        for name in sorted(changed.intersection(self._names), key=lambda name: name in lamps):
            self._lamps.set(name, on=name in lamps)

    def give_lamps_up(self) -> None:
        """Darken every lamp that still can be, for good; the buttons go on. Harmless when done twice."""
        self._lamps.close()

    def close(self) -> None:
        """Darken the lamps and give the pins back; harmless when done twice."""
        self._opened.close()


def opener_of(settings: BoardSettings, heard: Callable[[Edge], None], factory: PinFactory | None) -> Callable[[], StationPins] | None:
    """Return what opens the pins that the settings name, by ``factory`` where one is given; None where none are used.

    Raises:
        BoardError: the board cannot be used.
    """
    # Looked at without pins too: a name that is wrong is found out now, and not when the pins are named.
    board = None if settings.file == "none" else load_board(settings.file, STATION)
    library = library_of(settings.pins, settings.chip, factory)
    if library is None or board is None:
        return None
    return lambda: StationPins(board, library(), heard)
