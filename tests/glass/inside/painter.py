"""Runs in the appliance's root, but not on its machine: draws what the installed program draws, with that root's own pygame and letters, into memory.

Asked by pickles over standard input, each (what, size, value): ``clock`` with a face and an arrangement, ``station`` with an arranged
page and what of it is held down. Answers with the
pixels, three bytes each.
"""

import os
import pickle
import sys
from typing import Any, BinaryIO

os.environ |= {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}

import pygame


def paint(what: str, size: tuple[int, int], value: tuple[Any, ...]) -> pygame.Surface:
    surface = pygame.Surface(size)
    if what == "clock":
        from firmware.screens import layout, painter  # noqa: PLC0415 - a root has one of both programs

        face, arrangement, side = value
        painter.Painter(layout.arrange(*size, arrangement, side)).draw(surface, face)
    else:
        from kiosk.screens.painter import Painter  # noqa: PLC0415 - likewise

        Painter().draw(surface, *value)
    return surface


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    while True:
        try:
            what, size, value = pickle.load(asked)  # noqa: S301 - the test's own
        except EOFError:
            return
        # By its older name: bookworm's pygame has no other.
        answers.write(pygame.image.tostring(paint(what, size, value), "RGB"))
        answers.flush()


if __name__ == "__main__":
    pygame.font.init()
    serve(sys.stdin.buffer, sys.stdout.buffer)
