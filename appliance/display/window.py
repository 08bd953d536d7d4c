"""Opening and closing a window, or a whole bare panel: SDL's display and its font, nothing else of it.

Drawing goes to a surface in memory, and only the boxes that changed are handed over; ``sdl.acceleration`` says by what means.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pygame

from appliance.display.bare import has_card, why_not
from appliance.display.lettering import forget
from appliance.display.library import drivers
from appliance.display.sdl import ACCELERATION, SETTINGS, UNSEEN, acceleration, is_bare
from appliance.errors import ScreenError

DISPLAY: Final = "the display"
"""What a window calls its screen where it is lost."""
_DRIVER: Final = "SDL_VIDEODRIVER"
_DESKTOPS: Final = {"DISPLAY", "WAYLAND_DISPLAY"}
REMEDY: Final = "Connect a screen, or set DISPLAY or SDL_VIDEODRIVER=kmsdrm"


def open_window(size: tuple[int, int], title: str, *, fullscreen: bool, remedy: str = REMEDY) -> pygame.Surface:
    """Return the surface of a window that is open now; one process has one.

    Args:
        size: width and height in pixels; ``fullscreen`` takes what the panel has.
        title: of the window.
        fullscreen: without a frame, without a mouse pointer.
        remedy: what to do where there is no display.

    Raises:
        ScreenError: there is no display.
    """
    os.environ.update(SETTINGS)
    try:
        # Neither the joysticks nor the mixer: SDL looks after those every few milliseconds.
        with _without_wayland():
            pygame.display.init()
        os.environ[ACCELERATION] = acceleration(pygame.display.get_driver())
        pygame.font.init()
        # On a bare panel there is no window: whatever its size, it has the panel's own.
        whole = fullscreen or is_bare(pygame.display.get_driver())
        surface = pygame.display.set_mode((0, 0) if whole else size, pygame.FULLSCREEN if whole else pygame.RESIZABLE)
    except pygame.error as error:
        raise _none(str(error), remedy) from error
    driver = pygame.display.get_driver()
    if driver in UNSEEN and os.environ.get(_DRIVER) != driver:
        raise _none(f"SDL would draw where nobody sees it: {driver}", remedy)
    pygame.display.set_caption(title)
    pygame.mouse.set_visible(not whole)
    return surface


def close_window() -> None:
    """Close what ``open_window`` opened, its fonts with it. More than once does no harm."""
    forget()
    pygame.font.quit()
    pygame.display.quit()


@contextmanager
def _without_wayland() -> Iterator[None]:
    """Have SDL pass over Wayland where there can be none: where X cannot be had it would try, and Wayland's library complain on standard error.

    It looks for its socket in the folder that XDG_RUNTIME_DIR names, which a service has none of, unless it is told a whole path or a descriptor
    (wl_display_connect(3)). A driver that was asked for is left to SDL.
    """
    asked, reachable = os.environ.get(_DRIVER), os.environ.get("XDG_RUNTIME_DIR", "").startswith("/")
    reachable = reachable or "WAYLAND_SOCKET" in os.environ or os.environ.get("WAYLAND_DISPLAY", "").startswith("/")
    others = [] if asked or reachable else [driver for driver in drivers() if driver != "wayland"]
    if not others:
        yield
        return
    os.environ[_DRIVER] = ",".join(others)
    try:
        yield
    finally:
        if asked is None:
            del os.environ[_DRIVER]
        else:
            os.environ[_DRIVER] = asked


def _none(said: str, remedy: str) -> ScreenError:
    pygame.display.quit()
    if _wants_bare():
        why = why_not(drivers(), said)
        return ScreenError(expected="a bare panel to draw on", found=why.problem, remedy=why.remedy)
    return ScreenError(expected="a display for the window", found=f"none ({said})", remedy=remedy)


def _wants_bare() -> bool:
    if asked := os.environ.get(_DRIVER):
        return is_bare(asked)
    # With no driver and no desktop named, a card is all there is to draw on. SDL's own words are then about its substitute in memory.
    return not _DESKTOPS & os.environ.keys() and any(map(is_bare, drivers())) and has_card()
