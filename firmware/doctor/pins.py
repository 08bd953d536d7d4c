"""Check the board on its pins: the library, the source of edge times, the availability of every pin, the buttons that are down.

The pins are opened as by the live clock, and closed before the caller gets the last finding.
"""

from __future__ import annotations

import queue
from collections.abc import Collection, Iterator
from typing import Final

from appliance.checks.finding import Finding, counted, error_finding, fail, note, ok
from appliance.errors import PinLibraryMissing, PinUnavailable
from faults.errors import TileclockError
from firmware.settings.model import BoardSettings
from hardware.boards.board import Board
from hardware.buttons.board_pins import BoardPins
from hardware.buttons.edge import Edge
from hardware.buttons.interview import ButtonsUnderTest, Interview, ask_for_presses
from hardware.pins.check import check_library
from hardware.pins.contract import PinFactory
from hardware.pins.opening import Opener

# The remedy concerns the wires first, then the settings.
_WAY_OUT: Final = "; only where no plug can be moved, turn them round with board.remap"


def check_pins(
    board: Board | None, settings: BoardSettings, opener: Opener, interview: Interview | None, *, buzzer: bool
) -> Iterator[Finding]:
    """Yield findings about the pins.

    Args:
        board: None if its file is unreadable.
        settings: select the library.
        opener: opens it, as ``hardware.pins.opening.open_factory``.
        interview: asks for a press of each button; None: check only which are down.
        buzzer: whether the clock would open the buzzer's pin.
    """
    if settings.pins == "none":
        yield note("pins", "none are used: keyboard and mouse play the clock")
        return
    try:
        factory = opener(settings.pins, chip=settings.chip or None)
    except PinLibraryMissing as error:
        yield error_finding("pin library", error)
        return
    except PinUnavailable as error:
        yield error_finding("pins", error)
        return
    yield check_library(settings.pins, factory)
    if board is None:
        factory.close()
        yield note("pins", "not checked, because the board file is unusable")
        return
    yield from _opened(board, factory, interview, buzzer=buzzer)


def _opened(board: Board, factory: PinFactory, interview: Interview | None, *, buzzer: bool) -> Iterator[Finding]:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    try:
        # Not remapped: the board's own button names help to find a wire.
        pins = BoardPins(board, factory, edges.put, buzzer=buzzer)
    except TileclockError as error:
        factory.close()
        yield error_finding("pins", error)
        return
    with pins:  # closes the factory too
        used = [user for user, _ in board.pins() if user != "buzzer" or buzzer]
        yield ok("pins", f"{counted(len(used), 'pin')} of board {board.id} opened")
        yield from _buttons(board, pins.down())
        if interview is not None:
            yield from ask_for_presses(ButtonsUnderTest(board, edges, pins.down, _WAY_OUT), interview)


def _buttons(board: Board, down: Collection[str]) -> Iterator[Finding]:
    for button in sorted(set(down) - {"key"}):
        pin = board.buttons[button]
        yield fail(
            f"button {button}",
            f"it is down, on {pin}: stuck or held",
            f"Release it; if it is not held, free the button and look for a short from {pin} to ground.",
        )
    if "key" in down:
        yield note("button key", "the director's key is on")
    if not set(down) - {"key"}:
        yield ok("buttons", f"none is down: {', '.join(board.buttons)}" if not down else "no other is down")
