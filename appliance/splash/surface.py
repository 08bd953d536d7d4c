"""Shows the program's name on a newly opened bare panel until the first picture, and on the console behind it for when the program ends."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import pygame

from appliance.display.rotation import Rotation
from appliance.service.console import blank
from appliance.splash.paint import GROUND, INK, name_picture, paint

_LEVELS: Final = [[ground + (ink - ground) * level // 255 for ground, ink in zip(GROUND, INK, strict=True)] for level in range(256)]
"""The palette from ground to ink, mixed as in ``paint``."""


def show_name(surface: pygame.Surface, program: str, rotate: Rotation) -> None:
    """Show the name of ``program`` on ``surface``, turned: pygame opens a panel black, and the first picture may take a while."""
    width, height = surface.get_size()
    rows = name_picture(program, height if rotate in (90, 270) else width)
    name = pygame.image.frombuffer(b"".join(rows), (len(rows[0]), len(rows)), "P")
    name.set_palette(_LEVELS)
    # pygame rotates anticlockwise.
    turned = pygame.transform.rotate(name, -rotate)
    surface.fill(GROUND)
    surface.blit(turned, ((width - turned.get_width()) // 2, (height - turned.get_height()) // 2))
    pygame.display.flip()
    blank()


def paint_console(program: str, rotate: Rotation) -> None:
    """Paint the name into the console's frame buffer, turned as the settings say, which are known by now. Do nothing if that fails."""
    with suppress(OSError):
        paint(program, rotate)
