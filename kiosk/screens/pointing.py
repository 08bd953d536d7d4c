"""Convert pygame's events to touches and keys. No other module of the station uses pygame's event names."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import pygame

from kiosk.events import Event
from kiosk.face.page import Page
from kiosk.layout.placed import Arranged, hit
from kiosk.screens import pressing, unread_guard
from kiosk.screens.pressing import Touching, Typing, With
from kiosk.screens.unread_guard import UnreadGuard

NAMED: Final[dict[int, str]] = {
    **{code: f"f{number}" for number, code in enumerate(range(pygame.K_F1, pygame.K_F12 + 1), 1)},
    pygame.K_TAB: "tab",
    pygame.K_RETURN: "return",
    pygame.K_KP_ENTER: "return",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_DELETE: "delete",
    pygame.K_ESCAPE: "escape",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
}
"""By key code: ``pygame.key.name`` depends on the display."""
POINTERS: Final = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.FINGERDOWN, pygame.FINGERUP)
KEYS: Final = (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT)
USED: Final = (*POINTERS, *KEYS, pygame.WINDOWFOCUSLOST)
"""The events that ``translate`` uses; all others are ignored."""
_SHIFTING: Final = frozenset(
    {
        *(pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LALT, pygame.K_RALT),
        *(pygame.K_LGUI, pygame.K_RGUI, pygame.K_MODE, pygame.K_CAPSLOCK, pygame.K_NUMLOCK),
    }
)
"""Modifier keys: they type nothing, and another key keeps repeating when one of them goes down."""
_COMMAND: Final = pygame.KMOD_CTRL | pygame.KMOD_LALT | pygame.KMOD_META
_ALTGR: Final = pygame.KMOD_RALT | pygame.KMOD_MODE


@dataclass(frozen=True, slots=True)
class HeldDown:
    """What the players hold down: on the screen, and on the keyboard."""

    touching: Touching = field(default_factory=Touching)
    typing: Typing = field(default_factory=Typing)


@dataclass(frozen=True, slots=True)
class Sight:
    """What the players see while they press."""

    page: Page
    arranged: Arranged
    shown: tuple[int, int]
    """The size of the window in pixels: a finger's position is a fraction of it."""
    seen: UnreadGuard
    at: int
    """The instant of the press, ns."""


Translated: TypeAlias = tuple[HeldDown, Event | None]


def translate(held: HeldDown, event: pygame.event.Event, sight: Sight) -> Translated:
    """Return the state after ``event``, and the station's event, if any."""
    if event.type in POINTERS:
        return _pointer(held, event, sight)
    if event.type == pygame.WINDOWFOCUSLOST:
        return HeldDown(pressing.release_pointers(held.touching), pressing.release_keys(held.typing)), None
    if event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.key in _SHIFTING:
        return held, None
    struck = unread_guard.struck(sight.seen, sight.page, sight.at)
    if event.type == pygame.KEYDOWN:
        made, event_made = pressing.key_down(held.typing, event.key, NAMED.get(event.key), _together(event.mod), struck)
        return replace(held, typing=made), event_made
    if event.type == pygame.KEYUP:
        return replace(held, typing=pressing.key_up(held.typing, event.key)), None
    if event.type == pygame.TEXTINPUT:
        made, event_made = pressing.text(held.typing, event.text, struck, taken=sight.page.typed)
        return replace(held, typing=made), event_made
    return held, None


def too_late(held: HeldDown, event: pygame.event.Event) -> HeldDown:
    """Return the state after a touch meant for an earlier page: the pointer is known, but presses nothing."""
    found = _source(event, (1, 1))
    if found is None:
        return held
    act = pressing.down if event.type in (pygame.MOUSEBUTTONDOWN, pygame.FINGERDOWN) else pressing.up
    return replace(held, touching=act(held.touching, found[0], None)[0])


def _pointer(held: HeldDown, event: pygame.event.Event, sight: Sight) -> Translated:
    found = _source(event, sight.shown)
    if found is None:
        return held, None
    source, spot = found
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.FINGERDOWN):
        made, event_made = pressing.down(held.touching, source, unread_guard.touched(sight.seen, sight.arranged, spot, sight.at))
    else:
        made, event_made = pressing.up(held.touching, source, hit(sight.arranged, *spot))
    return replace(held, touching=made), event_made


def _source(event: pygame.event.Event, shown: tuple[int, int]) -> tuple[Hashable, tuple[int, int]] | None:
    """Return pointer and position; None if nothing is pressed."""
    if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
        return ("finger", event.touch_id, event.finger_id), (int(event.x * shown[0]), int(event.y * shown[1]))
    # A touch also comes as a mouse event, and a wheel comes as buttons 4 and 5: both are ignored.
    if event.touch or event.button != 1:
        return None
    return ("mouse", event.button), event.pos


def _together(modifiers: int) -> With:
    if modifiers & _COMMAND:
        return With.COMMAND
    return With.ALTGR if modifiers & _ALTGR else With.NOTHING
