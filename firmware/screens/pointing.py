"""pygame's events as edges: the one place that knows what they are called."""

from __future__ import annotations

from collections.abc import Hashable

import pygame

from firmware.screens.keys import Held, Input, Quit, key_down, let_go, let_go_all, press
from firmware.screens.layout import Layout, hit

NAMED: dict[int, str] = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_a: "a",
    pygame.K_l: "l",
    pygame.K_k: "k",
    pygame.K_SPACE: "space",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_RETURN: "return",
    pygame.K_KP_ENTER: "enter",
    pygame.K_ESCAPE: "escape",
}
"""By key code: ``pygame.key.name`` depends on the display."""


def translate(
    held: Held, event: pygame.event.Event, layout: Layout, shown: tuple[int, int] | None = None
) -> tuple[Held, tuple[Input, ...]]:
    """Return what is held after ``event``, and the edges it makes; none for an event that presses nothing.

    ``shown`` is the size in pixels of the part of ``layout`` that the window shows, by default all of it: a finger is told in shares of that.
    """
    if event.type == pygame.QUIT:
        return held, (Quit(),)
    if event.type == pygame.WINDOWFOCUSLOST:
        return let_go_all(held)
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        name = NAMED.get(event.key, "")
        return key_down(held, name) if event.type == pygame.KEYDOWN else let_go(held, name)
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return _mouse(held, event, layout)
    if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
        return _finger(held, event, layout, shown or layout.size)
    return held, ()


def _mouse(held: Held, event: pygame.event.Event, layout: Layout) -> tuple[Held, tuple[Input, ...]]:
    # A finger comes as a finger, and once more as a mouse; a wheel comes as buttons 4 and 5.
    if event.touch or event.button not in (1, 2, 3):
        return held, ()
    source = ("mouse", event.button)
    if event.type == pygame.MOUSEBUTTONUP:
        return let_go(held, source)
    return _touch(held, source, layout, event.pos)


def _finger(held: Held, event: pygame.event.Event, layout: Layout, shown: tuple[int, int]) -> tuple[Held, tuple[Input, ...]]:
    source = ("finger", event.touch_id, event.finger_id)
    if event.type == pygame.FINGERUP:
        return let_go(held, source)
    width, height = shown
    return _touch(held, source, layout, (int(event.x * width), int(event.y * height)))


def _touch(held: Held, source: Hashable, layout: Layout, spot: tuple[int, int]) -> tuple[Held, tuple[Input, ...]]:
    button = hit(layout, *spot)
    return (held, ()) if button is None else press(held, source, button)
