"""Check what is connected: the board on its pins, the LED displays, and the screen of the settings.

The pins are opened as by the live clock, and closed before the caller gets the last finding. An LED display sends nothing back: only eyes can tell
whether one is connected and whether every segment lights, so on request all are lit for a builder to tell them apart.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from typing import Final

from msgspec import Struct

from appliance.display.probe import Display, display_failure
from appliance.display.sdl import INVISIBLE, is_bare
from appliance.errors import Diagnosis, LedError, PinLibraryMissing, PinUnavailable
from appliance.finding import Finding, counted, error_finding, fail, note, ok
from faults.errors import TileclockError
from firmware.screens.terminal import block_rows
from firmware.settings.model import BoardSettings, ScreenSettings
from firmware.shell.displays import Lines
from hardware.boards.board import Board
from hardware.buttons.board_pins import BoardPins
from hardware.buttons.reader import Edge
from hardware.buttons.self_test import ButtonsUnderTest, Interview, ask_for_presses, check_library
from hardware.led.module import LedModule
from hardware.led.picture import ALL_LIT, Picture, cells, lit, still
from hardware.pins.contract import PinFactory
from hardware.pins.opening import Opener
from hardware.settings import LedLine
from rules.side import Side

# The remedy concerns the wires first, then the settings.
_WAY_OUT: Final = "; only where no plug can be moved, turn them round with board.remap"


def check_pins(
    board: Board | None, settings: BoardSettings, opener: Opener, interview: Interview | None, *, buzzer: bool
) -> Iterator[Finding]:
    """Yield findings about the pins of ``board`` (None: unreadable); ``interview`` asks for a press of each button, None: check only which are down."""
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


LETTERS: Final = {Side.LEFT: "L", Side.RIGHT: "r"}


class Parade(Struct, frozen=True):
    """How to show the displays to a person; times in s."""

    show_text: Callable[[str], None]
    wait: Callable[[float], None] = time.sleep
    all_s: float = 6.0
    letters_s: float = 12.0


def check_led(lines: Lines, parade: Parade | None) -> Iterator[Finding]:
    """Yield findings about the displays' ports, none if no display is expected; ``parade`` lights every segment, then the letter of each side."""
    there: dict[Side, LedLine] = {}
    for side, line in lines.items():
        if line is not None:
            finding = _port(side, line)
            yield finding
            if not finding.fix:
                there[side] = line
    if parade is None:
        return
    if there:
        yield _shown(there, parade)
    elif not any(line for _, line in lines.items()):
        yield fail(
            "LED displays", "none are set up", "Use a board that has them (--board two-display), or name their ports: led.left, led.right."
        )


def _port(side: Side, line: LedLine) -> Finding:
    # Imported here, so that a clock without LED displays needs no pyserial.
    from hardware.led.port import port_of  # noqa: PLC0415

    name = f"LED display {side}"
    try:
        with closing(port_of(side.value, line)) as port:
            port.open()
            return ok(name, f"{port.port} {'answers' if line.on_i2c else 'can be opened'}; to see its display: tileclock doctor --led")
    except LedError as error:
        return error_finding(name, error)


def _shown(lines: dict[Side, LedLine], parade: Parade) -> Finding:
    modules = {side: LedModule(side.value, line) for side, line in lines.items()}
    _let_see(modules, dict.fromkeys(modules, still(ALL_LIT)))
    parade.show_text(
        f"For {parade.all_s:g} s every segment, point, colon and apostrophe of each LED display is lit: look for one that is dark."
    )
    parade.wait(parade.all_s)
    _let_see(modules, {side: still(lit(cells(LETTERS[side]))) for side in modules})
    parade.show_text(
        f"For {parade.letters_s:g} s L shows on the display that faces the left player, r on the right player's, at the left of each."
    )
    parade.wait(parade.letters_s)
    for module in modules.values():
        module.close()
    return note(
        "LED displays",
        "if L was on the right, swap led.left and led.right; a display that stayed dark has no power, or its RX (SDA, SCL) is not wired",
    )


def _let_see(modules: dict[Side, LedModule], pictures: dict[Side, Picture]) -> None:
    for side, module in modules.items():
        module.show(pictures[side])


COLUMNS: Final = 2 * (len(block_rows("-88:88")[0]) + 2 + 4)
"""The width of the terminal's picture: two halves, each with the widest reading, a blank on either side, and a frame with margins."""
ROWS: Final = 24


def check_screen(
    settings: ScreenSettings,
    probe: Callable[[], Display | Diagnosis],
    terminal: Callable[[], tuple[int, int] | None],
    environment: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield findings about the screen; ``terminal``: its columns and rows, None without one; ``environment`` may select an invisible driver."""
    if settings.kind == "none":
        yield note("screen", "none is used")
    elif settings.kind == "terminal":
        yield _terminal(terminal())
    else:
        yield _window(settings, probe(), environment.get("SDL_VIDEODRIVER"))


def terminal_size() -> tuple[int, int] | None:
    try:
        size = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    except (OSError, ValueError):  # no terminal, or closed
        return None
    return None if size is None else (size.columns, size.lines)


def _terminal(size: tuple[int, int] | None) -> Finding:
    if size is None:
        return fail("screen", "standard output is not a terminal", "Start the clock from a console or an ssh session, without a pipe.")
    found = f"a terminal of {size[0]} columns and {size[1]} rows"
    if size[0] < COLUMNS or size[1] < ROWS:
        return fail("screen", found, f"Enlarge the terminal to at least {COLUMNS} columns and {ROWS} rows, or use smaller letters.")
    return ok("screen", found)


def _window(settings: ScreenSettings, display: Display | Diagnosis, asked: str | None) -> Finding:
    remedy = "Connect the screen and switch it on, start from its own desktop or console as a user in the groups video and render, or use --screen terminal."
    failure = display_failure(display, asked, remedy)
    if failure is not None:
        return failure
    assert not isinstance(display, Diagnosis)  # noqa: S101 - that is a failure
    if display.driver in INVISIBLE:
        return note("screen", f"SDL_VIDEODRIVER={asked}: the clock draws invisibly")
    found = str(display)
    if not settings.fullscreen and not is_bare(display.driver) and (settings.width > display.width or settings.height > display.height):
        return note("screen", f"{found}; the window of {settings.width}x{settings.height} does not fit on it")
    return ok("screen", found)
