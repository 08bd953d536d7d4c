"""Sizes and places of the demos' windows: none so small that its text is, and each where the others leave it in sight."""

from typing import Final

from appliance.display.layout import Box
from appliance.display.probe import probe_display
from appliance.errors import Diagnosis, ScreenError

CLOCK: Final = (1024, 600)
"""The usual size of a clock's window, in pixels."""
STATION: Final = (800, 600)
"""The usual size of the station's window beside it: both fit on a screen of 1920 pixels."""
SMALL: Final = (800, 480)
"""The least size of a window: a smaller one has text below 16 pixels."""
BAR: Final = 32
"""Space above windows for their title bars."""
GAP: Final = 8
"""Space beside and below windows for their frames."""
POSITION: Final = "SDL_VIDEO_WINDOW_POS"
"""SDL reads it when it opens a window."""


def alone(desktop: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a clock's or a station's only window on a screen of ``desktop`` pixels."""
    wide, high = desktop
    return CLOCK if wide >= CLOCK[0] and high >= CLOCK[1] + BAR else SMALL


def pair(desktop: tuple[int, int]) -> tuple[Box, Box]:
    """Return the clock's window and the station's: beside or above each other if they fit, else overlapping as little as they can."""
    for clock_size, station_size in ((CLOCK, STATION), (SMALL, SMALL)):
        clock = put(desktop, clock_size)
        for top in (BAR, clock.bottom + BAR):
            station = put(desktop, station_size, clock.right + GAP, top)
            if not overlap(clock, station):
                return clock, station
    return clock, station


def trio(desktop: tuple[int, int]) -> tuple[Box, Box, Box]:
    """Return the windows of two clocks, above each other, and of the station beside them; they overlap if they do not fit."""
    first = put(desktop, SMALL)
    second = put(desktop, SMALL, top=first.bottom + BAR)
    usual, small = (put(desktop, size, first.right + GAP) for size in (STATION, SMALL))
    return first, second, small if overlap(first, usual) else usual


def put(desktop: tuple[int, int], size: tuple[int, int], left: int = GAP, top: int = BAR) -> Box:
    """Return a window at this place, or as far left and up of it as it must be to lie on the screen."""
    (wide, high), (width, height) = desktop, size
    return Box(max(0, min(left, wide - GAP - width)), max(0, min(top, high - GAP - height)), width, height)


def overlap(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def desktop() -> tuple[int, int]:
    """Return width and height of the screen, in pixels.

    Raises:
        ScreenError: there is no screen.
    """
    found = probe_display()
    if isinstance(found, Diagnosis):
        raise ScreenError(expected="a display for the window", found=f"none ({found.problem})", remedy="Connect a screen, or set DISPLAY")
    return found.width, found.height


def position(x: int, y: int) -> str:
    """Return a window's place in SDL's format."""
    return f"{x},{y}"
