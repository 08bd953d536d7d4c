"""The station's open board: edges of button and key switch in, lamps out. A missing lamp is no error."""

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
    """The open pins of a station's board.

    Args:
        board: defines the pins; of the kind ``station``.
        factory: opens them; closed with this object.
        on_edge: takes every edge, in the pin library's thread; it only enqueues, and does not raise. ``kiosk.station.contacts`` detects presses.

    Raises:
        PinUnavailable: a pin is unavailable; those opened before it are closed.
    """

    def __init__(self, board: Board, factory: PinFactory, on_edge: Callable[[Edge], None]) -> None:
        self._names = MAKES[board.kind].lamps
        self._lit: frozenset[str] = frozenset()
        with ExitStack() as opened:
            opened.callback(factory.close)
            self._buttons = ButtonPins(board, factory, on_edge)
            opened.callback(self._buttons.close)
            self._lamps = Lamps(board, factory)
            opened.callback(self._lamps.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def down(self) -> frozenset[str]:
        """Return what is down: at startup, a stuck button or a key switch that is on."""
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
        """Light these lamps and darken the others, if anything changes.

        Raises:
            PinUnavailable: the library failed.
        """
        changed, self._lit = self._lit ^ lamps, lamps
        # Darken first: two verdicts must never be lit at once.
        for name in sorted(changed.intersection(self._names), key=lambda name: name in lamps):
            self._lamps.set(name, on=name in lamps)

    def give_lamps_up(self) -> None:
        """Darken all lamps permanently, as far as possible; the buttons still work. Calling it twice is harmless."""
        self._lamps.close()

    def close(self) -> None:
        """Darken the lamps and close the pins; calling it twice is harmless."""
        self._opened.close()


def opener_of(settings: BoardSettings, on_edge: Callable[[Edge], None], factory: PinFactory | None) -> Callable[[], StationPins] | None:
    """Return a function that opens the settings' pins, with ``factory`` if given; None if no pins are used.

    Raises:
        BoardError: the board cannot be used.
    """
    # Load the board even without pins, so that a wrong name is reported now.
    board = None if settings.file == "none" else load_board(settings.file, STATION)
    library = library_of(settings.pins, settings.chip, factory)
    if library is None or board is None:
        return None
    return lambda: StationPins(board, library(), on_edge)
