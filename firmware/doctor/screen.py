"""Check the screen of the settings: is there a display that people can see?"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from appliance.checks.finding import Finding, fail, note, ok
from appliance.display.check import display_failure
from appliance.display.probe import Display
from appliance.display.sdl import INVISIBLE, is_bare
from appliance.errors import Diagnosis
from firmware.screens.blocks import block_rows
from firmware.settings.model import ScreenSettings

COLUMNS: Final = 2 * (len(block_rows("-88:88")[0]) + 2 + 4)
"""The width of the terminal's picture: two halves, each with the widest reading, a blank on either side, and a frame with margins."""
ROWS: Final = 24


def check_screen(
    settings: ScreenSettings,
    probe: Callable[[], Display | Diagnosis],
    terminal: Callable[[], tuple[int, int] | None],
    environment: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield findings about the screen.

    Args:
        settings: select the screen.
        probe: looks for a display, like ``probe_display``.
        terminal: the terminal's columns and rows, None without one.
        environment: the process' environment; it may select an invisible driver.
    """
    if settings.kind == "none":
        yield note("screen", "none is used")
    elif settings.kind == "terminal":
        yield _terminal(terminal())
    else:
        yield _window(settings, probe(), environment.get("SDL_VIDEODRIVER"))


def terminal_size() -> tuple[int, int] | None:
    """Return columns and rows of the terminal on standard output, or None if there is none."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    except (OSError, ValueError):  # no terminal, or closed
        return None
    return None if size is None else (size.columns, size.lines)


def _terminal(size: tuple[int, int] | None) -> Finding:
    if size is None:
        return fail("screen", "standard output is no terminal", "Start the clock from a console or an ssh session, without a pipe.")
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
