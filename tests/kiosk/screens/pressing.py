"""The station's window in the test's own process, and what is touched, clicked and typed at it."""

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pygame

from appliance.clocks import Clocks
from appliance.display.layout import Rotation
from kiosk.screens.window import KioskWindow
from rules.duration import NS
from tests.kiosk.screens.pages import PAGES

SIZE = (800, 480)


@contextmanager
def opened(page: str = "words_3", *, locked: bool = False, rotate: Rotation = 0) -> Iterator[KioskWindow]:
    # For the window a second goes by each time it looks at the clock: what is pressed has been in sight long enough.
    leaps = itertools.count()
    window = KioskWindow(SIZE, "Station", rotate=rotate, locked=locked, clocks=Clocks(lambda: time.monotonic_ns() + next(leaps) * NS))
    window.draw(PAGES[page])
    pygame.event.clear()
    yield window
    window.close()


def middle(window: KioskWindow, target: str) -> tuple[int, int]:
    assert window.arranged is not None
    box = next(item.box for item in window.arranged.items if item.target is not None and item.target.id == target)
    return box.x + box.width // 2, box.y + box.height // 2


def post(kind: int, **values: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, **values))


def finger(window: KioskWindow, kind: int, target: str, number: int = 0) -> None:
    x, y = middle(window, target)
    width, height = window.size
    post(kind, touch_id=1, finger_id=number, x=(x + 0.5) / width, y=(y + 0.5) / height)


def touch(window: KioskWindow, target: str, number: int = 0) -> None:
    finger(window, pygame.FINGERDOWN, target, number)
    finger(window, pygame.FINGERUP, target, number)


def click(window: KioskWindow, target: str, *, button: int = 1, copied: bool = False) -> None:
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        post(kind, button=button, pos=middle(window, target), touch=copied)


def key(code: int, text: str = "", mod: int = 0) -> None:
    post(pygame.KEYDOWN, key=code, mod=mod)
    if text:
        post(pygame.TEXTINPUT, text=text)
    post(pygame.KEYUP, key=code, mod=mod)


def heard(window: KioskWindow) -> list[object]:
    events: list[object] = []
    while said := window.poll():
        assert len(said) == 1
        events += said
    return events
