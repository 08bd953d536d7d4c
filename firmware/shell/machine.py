"""Open what a live clock plays on: screen, pins and LED displays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass

from appliance.clocks import Clocks
from appliance.errors import ScreenError
from appliance.inbox import Inbox
from appliance.service.heartbeat import Notifier
from firmware.screens.screen import Screen
from firmware.settings import Settings
from firmware.shell.displays import Displays
from firmware.shell.loop import Input
from firmware.shell.outputs import open_displays, screen_or_blank, shows
from firmware.shell.pins import RemappedPins
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from hardware.buttons.board_pins import BoardPins
from hardware.pins.contract import PinFactory
from hardware.pins.opening import opener_of
from hardware.pins.retrying import RetryingPins, open_or_retry


@dataclass(frozen=True, slots=True)
class ClockMachine:
    """What a clock plays on."""

    screen: Screen
    lost: ScreenError | None
    """Why there is no screen, though the settings have one."""
    pins: BoardPins | None
    retrying_pins: RetryingPins[BoardPins] | None
    displays: Displays | None


@contextmanager
def open_machine(
    settings: Settings, inbox: Inbox[Input], clocks: Clocks, factory: PinFactory | None, notifier: Notifier | None
) -> Iterator[ClockMachine]:
    """Yield the machine; close it afterwards.

    Args:
        settings: the settings.
        inbox: takes edges and news of the displays.
        clocks: the source of instants.
        factory: pins to use instead of those in the settings.
        notifier: of systemd; None: by hand, where pins that are unavailable are an error.

    Raises:
        TileclockError: the game cannot be played with what there is.
    """
    with ExitStack() as stack:
        # The screen first, so that it is closed last: a pin's thread may still wake it.
        screen, lost = screen_or_blank(settings, with_pins=factory is not None or settings.board.pins != "none")
        stack.enter_context(closing(screen))
        # Without a display that says why, a clock must not wait for its pins.
        waiting = notifier if shows(settings, screen) else None
        pins, retrying_pins = stack.enter_context(open_or_retry(_opener(settings, inbox, factory), clocks.now(), waiting))
        yield ClockMachine(screen, lost, pins, retrying_pins, stack.enter_context(open_displays(settings, inbox)))


def _opener(settings: Settings, inbox: Inbox[Input], factory: PinFactory | None) -> Callable[[], BoardPins] | None:
    """Return a function that opens the pins; None if no pins are used."""
    library = opener_of(settings.board.pins, settings.board.chip, factory)
    if library is None:
        return None
    board = load_board(settings.board.file, CLOCK)
    remap = {str(button): str(work) for button, work in settings.board.remap.items()}
    return lambda: RemappedPins(board, library(), inbox.put, remap)
