"""Open what a live clock plays on: screen, pins and LED displays. Its buttons may do each other's work (the setting ``board.remap``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager

from msgspec import Struct

from appliance.clocks import Clocks
from appliance.errors import ScreenError
from appliance.log import get_logger
from appliance.program import Inbox
from appliance.supervisor import Notifier
from firmware.screens.screen import BlankScreen, Screen
from firmware.settings import Settings
from firmware.shell.displays import Displays, Lines, led_lines
from firmware.shell.loop import Input
from firmware.texts import load_texts
from hardware.boards.board import Board, load_board
from hardware.boards.kinds import CLOCK
from hardware.boards.pis import this_pi
from hardware.buttons.board_pins import BoardPins
from hardware.buttons.reader import Edge, Sink
from hardware.pins.contract import PinFactory
from hardware.pins.opening import RetryingPins, open_or_retry, opener_of
from rules.side import Side


class RemappedPins(BoardPins):
    """The open pins of a board, each button named by its work in ``remap``. The buzzer is off at first: its pin must not keep the buttons away."""

    def __init__(self, board: Board, factory: PinFactory, on_edge: Sink, remap: Mapping[str, str]) -> None:
        self._on_edge = on_edge
        self._remap = remap
        super().__init__(board, factory, self._edge)

    def down(self) -> frozenset[str]:
        return frozenset(self._remap.get(button, button) for button in super().down())

    def _edge(self, edge: Edge) -> None:
        self._on_edge(Edge(self._remap.get(edge.button, edge.button), edge.down, edge.at, edge.stamped))


def shows(settings: Settings, screen: Screen) -> bool:
    """Tell whether ``screen`` or an LED display shows a face."""
    return not isinstance(screen, BlankScreen) or any(line is not None for _, line in _lines(settings).items())


@contextmanager
def open_displays(settings: Settings, inbox: Inbox[Input]) -> Iterator[Displays | None]:
    """Yield the LED displays, and close them; None: the clock has none."""
    lines = _lines(settings)
    if not any(line is not None for _, line in lines.items()):
        yield None
        return
    with closing(Displays(lines, inbox.put)) as displays:
        yield displays


def _lines(settings: Settings) -> Lines:
    return led_lines(settings.led, load_board(settings.board.file, CLOCK), this_pi())


def screen_or_blank(settings: Settings, *, with_pins: bool) -> tuple[Screen, ScreenError | None]:
    """Return the screen of the settings; where it fails but pins and LED displays are enough to play, a blank one and the error. Raises ScreenError."""
    try:
        return open_screen(settings), None
    except ScreenError as error:
        if not (with_pins and shows(settings, BlankScreen())):
            raise
        get_logger().error("given up, the clock goes on with its LED displays", what="screen", why=str(error))
        return BlankScreen(), error


def open_screen(settings: Settings) -> Screen:
    """Return the screen of the settings. Raises ScreenError: it is unavailable."""
    if settings.screen.kind == "none":
        return BlankScreen()
    if settings.screen.kind == "terminal":
        from firmware.screens.terminal import TerminalScreen  # noqa: PLC0415 - pygame is not needed for a terminal

        return TerminalScreen(legend=load_texts(settings.language).say("terminal.legend"))
    from firmware.screens.layout import Arrangement  # noqa: PLC0415 - likewise
    from firmware.screens.window import WindowScreen  # noqa: PLC0415 - likewise

    side = Side(settings.screen.side) if settings.screen.layout == "single" else None
    size, arrangement = (settings.screen.width, settings.screen.height), Arrangement(settings.screen.layout)
    return WindowScreen(size, arrangement, "Tileclock", fullscreen=settings.screen.fullscreen, rotate=settings.screen.rotate, side=side)


class ClockMachine(Struct, frozen=True):
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
    """Yield the machine; close it afterwards. Raises TileclockError: the game cannot be played with what there is.

    ``inbox`` takes edges and news of the displays. ``factory``: pins instead of those in the settings. ``notifier``: None by hand, where pins that
    are unavailable are an error.
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
