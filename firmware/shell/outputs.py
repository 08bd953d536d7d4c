"""Open what a live clock shows its faces on: the screen and the LED displays of the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from appliance.errors import ScreenError
from appliance.inbox import Inbox
from appliance.log import get_logger
from firmware.screens.blank import BlankScreen
from firmware.screens.screen import Screen
from firmware.settings import Settings
from firmware.shell.displays import Displays, Lines, led_lines
from firmware.shell.loop import Input
from firmware.texts import load_texts
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from hardware.boards.pis import this_pi
from rules.side import Side


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
    """Return the screen of the settings. If it fails but pins and LED displays are enough to play, return a blank one and the error.

    Raises:
        ScreenError: the screen is unavailable, and the game cannot be played without it.
    """
    try:
        return open_screen(settings), None
    except ScreenError as error:
        if not (with_pins and shows(settings, BlankScreen())):
            raise
        get_logger().error("given up, the clock goes on with its LED displays", what="screen", why=str(error))
        return BlankScreen(), error


def open_screen(settings: Settings) -> Screen:
    """Return the screen of the settings.

    Raises:
        ScreenError: it is unavailable.
    """
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
