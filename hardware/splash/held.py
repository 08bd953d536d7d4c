"""The program's name on a bare panel that has just been opened, until the first picture is drawn, and in the frame buffer behind it for the time after the program."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import pygame

from hardware.console import blank
from hardware.display.turn import Rotation
from hardware.splash.paint import Pixels, frame, name_picture, paint

_RGBX: Final = Pixels(32, [0, 8, 0, 8, 8, 0, 16, 8, 0])


def hold(surface: pygame.Surface, program: str, rotate: Rotation) -> None:
    """Show the name of ``program`` on ``surface``, turned: pygame opens a panel black, and the first picture may be a while."""
    width, height = surface.get_size()
    picture = name_picture(program, height if rotate in (90, 270) else width)
    surface.blit(pygame.image.frombuffer(frame(picture, (width, height, 4 * width), _RGBX, rotate), (width, height), "RGBX"), (0, 0))
    pygame.display.flip()
    blank()
    # Now the settings are known, the name is turned as they say. Where the frame buffer is not to be painted it stays as it was.
    with suppress(OSError):
        paint(program, rotate)
