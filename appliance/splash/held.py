"""The program's name on a bare panel that has just been opened, until the first picture is drawn, and in the frame buffer behind it for the time after the program."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import pygame

from appliance.display.turn import Rotation
from appliance.service.console import blank
from appliance.splash.paint import GROUND, INK, name_picture, paint

_LEVELS: Final = [[ground + (ink - ground) * level // 255 for ground, ink in zip(GROUND, INK, strict=True)] for level in range(256)]
"""From the ground's colour to the ink's, as ``paint`` mixes them."""


def hold(surface: pygame.Surface, program: str, rotate: Rotation) -> None:
    """Show the name of ``program`` on ``surface``, turned: pygame opens a panel black, and the first picture may be a while."""
    width, height = surface.get_size()
    rows = name_picture(program, height if rotate in (90, 270) else width)
    name = pygame.image.frombuffer(b"".join(rows), (len(rows[0]), len(rows)), "P")
    name.set_palette(_LEVELS)
    # pygame turns the other way round.
    turned = pygame.transform.rotate(name, -rotate)
    surface.fill(GROUND)
    surface.blit(turned, ((width - turned.get_width()) // 2, (height - turned.get_height()) // 2))
    pygame.display.flip()
    blank()


def leave(program: str, rotate: Rotation) -> None:
    """Paint the name into the frame buffer: now that the settings are known, it is turned as they say. Where that is not possible it stays as it was."""
    with suppress(OSError):
        paint(program, rotate)
