"""Opening and closing a window, or a whole bare panel: SDL's display and its font, nothing else of it.

Drawing goes to SDL's plain framebuffer (with acceleration it costs four times as much on a small machine), and only the boxes that changed are handed over.
"""

from __future__ import annotations

import os
from typing import Final

import pygame

from hardware.display.lettering import forget
from hardware.display.sdl import SETTINGS, UNSEEN
from hardware.errors import ScreenError

DISPLAY: Final = "the display"
"""What a window calls its screen where it is lost."""
ADVICE: Final = "connect a screen, or set DISPLAY or SDL_VIDEODRIVER=kmsdrm"


def open_window(size: tuple[int, int], title: str, *, fullscreen: bool, advice: str = ADVICE) -> pygame.Surface:
    """Return the surface of a window that is open now; one process has one.

    Args:
        size: width and height in pixels; ``fullscreen`` takes what the panel has.
        title: of the window.
        fullscreen: without a frame, without a mouse pointer.
        advice: what to do where there is no display, as the end of a sentence.

    Raises:
        ScreenError: there is no display.
    """
    os.environ.update(SETTINGS)
    try:
        # Neither the joysticks nor the mixer: SDL looks after those every few milliseconds.
        pygame.display.init()
        pygame.font.init()
        surface = pygame.display.set_mode((0, 0) if fullscreen else size, pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE)
    except pygame.error as error:
        raise _none(str(error), advice) from error
    driver = pygame.display.get_driver()
    if driver in UNSEEN and os.environ.get("SDL_VIDEODRIVER") != driver:
        raise _none(f"SDL would draw where nobody sees it: {driver}", advice)
    pygame.display.set_caption(title)
    pygame.mouse.set_visible(not fullscreen)
    return surface


def close_window() -> None:
    """Close what ``open_window`` opened, its fonts with it. More than once does no harm."""
    forget()
    pygame.font.quit()
    pygame.display.quit()


def _none(why: str, advice: str) -> ScreenError:
    pygame.display.quit()
    return ScreenError(f"expected a display for the window, found none ({why}): {advice}")
