"""Convert pygame's events to inputs. No other module of the clock uses pygame's event names."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import pygame

from firmware.screens.keys import Held, Quit, RowHit, ScreenInput, key_down, press, release, release_all
from firmware.screens.layout import Layout, hit
from firmware.screens.page_layout import PageParts

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


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """What a mouse or a finger hits."""

    layout: Layout
    shown: tuple[int, int]
    """The size in pixels of the part of ``layout`` in the window: a finger's position is a fraction of that."""
    page: PageParts | None = None
    """The director's page, if it is shown: there rows are hit, not buttons."""

    def inputs(self, held: Held, source: Hashable, spot: tuple[int, int]) -> tuple[Held, tuple[ScreenInput, ...]]:
        """Return the state after ``source`` touches ``spot`` (in pixels), and what it makes."""
        if self.page is not None:
            row = self.page.row_at(*spot)
            return held, () if row is None else (RowHit(row),)
        button = hit(self.layout, *spot)
        return (held, ()) if button is None else press(held, source, button)


def translate(held: Held, event: pygame.event.Event, target: PointerTarget) -> tuple[Held, tuple[ScreenInput, ...]]:
    """Return the state after ``event``, and the inputs it makes; none if it presses nothing."""
    if event.type == pygame.QUIT:
        return held, (Quit(),)
    if event.type == pygame.WINDOWFOCUSLOST:
        return release_all(held)
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        name = NAMED.get(event.key, "")
        return key_down(held, name) if event.type == pygame.KEYDOWN else release(held, name)
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return _mouse(held, event, target)
    if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
        return _finger(held, event, target)
    return held, ()


def _mouse(held: Held, event: pygame.event.Event, target: PointerTarget) -> tuple[Held, tuple[ScreenInput, ...]]:
    # A touch also comes as a mouse event, and a wheel comes as buttons 4 and 5: both are ignored.
    if event.touch or event.button not in (1, 2, 3):
        return held, ()
    source = ("mouse", event.button)
    if event.type == pygame.MOUSEBUTTONUP:
        return release(held, source)
    return target.inputs(held, source, event.pos)


def _finger(held: Held, event: pygame.event.Event, target: PointerTarget) -> tuple[Held, tuple[ScreenInput, ...]]:
    source = ("finger", event.touch_id, event.finger_id)
    if event.type == pygame.FINGERUP:
        return release(held, source)
    width, height = target.shown
    return target.inputs(held, source, (int(event.x * width), int(event.y * height)))
