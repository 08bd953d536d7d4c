"""Opens and closes a window or a bare panel, with only SDL's display and font modules.

Drawing goes to a surface in memory; only changed boxes are updated, with the means of ``sdl.acceleration``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pygame

from appliance.display.bare import has_card, why_not
from appliance.display.lettering import drop_fonts
from appliance.display.library import drivers
from appliance.display.sdl import ACCELERATION, INVISIBLE, SETTINGS, acceleration, is_bare
from appliance.errors import ScreenError

DISPLAY: Final = "the display"
"""The name of a window's screen in errors."""
_DRIVER: Final = "SDL_VIDEODRIVER"
_DESKTOPS: Final = {"DISPLAY", "WAYLAND_DISPLAY"}
REMEDY: Final = "Connect a screen, or set DISPLAY or SDL_VIDEODRIVER=kmsdrm"


def open_window(size: tuple[int, int], title: str, *, fullscreen: bool, remedy: str = REMEDY) -> pygame.Surface:
    """Open a window and return its surface; one per process.

    Args:
        size: width and height in pixels; ignored with ``fullscreen``.
        title: of the window.
        fullscreen: no frame, no mouse pointer.
        remedy: what to do if there is no display.

    Raises:
        ScreenError: there is no display.
    """
    os.environ.update(SETTINGS)
    try:
        # Do not initialise joysticks and mixer: SDL polls them every few milliseconds.
        with _without_wayland():
            pygame.display.init()
        os.environ[ACCELERATION] = acceleration(pygame.display.get_driver())
        pygame.font.init()
        # A bare panel has no windows: the size is always the panel's.
        whole = fullscreen or is_bare(pygame.display.get_driver())
        surface = pygame.display.set_mode((0, 0) if whole else size, pygame.FULLSCREEN if whole else pygame.RESIZABLE)
    except pygame.error as error:
        raise _none(str(error), remedy) from error
    driver = pygame.display.get_driver()
    if driver in INVISIBLE and os.environ.get(_DRIVER) != driver:
        raise _none(f"SDL would draw invisibly: {driver}", remedy)
    pygame.display.set_caption(title)
    pygame.mouse.set_visible(not whole)
    return surface


def close_window() -> None:
    """Close the window and its fonts. Idempotent."""
    drop_fonts()
    pygame.font.quit()
    pygame.display.quit()


@contextmanager
def _without_wayland() -> Iterator[None]:
    """Make SDL skip Wayland where it cannot run: if X fails, SDL would try it, and Wayland's library would print errors.

    Wayland needs its socket in XDG_RUNTIME_DIR, which a service lacks, or an absolute path or descriptor (wl_display_connect(3)). An explicitly chosen driver is
    left to SDL.
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


def _none(message: str, remedy: str) -> ScreenError:
    pygame.display.quit()
    if _wants_bare():
        why = why_not(drivers(), message)
        return ScreenError(expected="a bare panel to draw on", found=why.problem, remedy=why.remedy)
    return ScreenError(expected="a display for the window", found=f"none ({message})", remedy=remedy)


def _wants_bare() -> bool:
    if asked := os.environ.get(_DRIVER):
        return is_bare(asked)
    # Without a driver or desktop named, the card is the only display. SDL's own message is then about its substitute in memory.
    return not _DESKTOPS & os.environ.keys() and any(map(is_bare, drivers())) and has_card()
