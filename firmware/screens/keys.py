"""Keyboard, mouse and finger as the buttons of the clock: which of them presses what, and edges out of what is held. Pure.

A button is down while anything holds it: an edge comes from the first that presses and the last that lets go, never from a repeating key.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from hardware.boards.kinds import ButtonName

LEGEND: Final = "A or left arrow: left · L or right arrow: right · Space: bar · up, down and Enter: menu · K: director's key · Esc: quit"


@dataclass(frozen=True, slots=True)
class ButtonEdge:
    """A button went down or up, now."""

    button: ButtonName
    down: bool


@dataclass(frozen=True, slots=True)
class Tap:
    """A button goes down now and up ``held`` ns later: from a keyboard that does not say when a key is let go."""

    button: ButtonName
    held: int


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed, or Escape pressed."""


Input: TypeAlias = ButtonEdge | Tap | Quit

KEYS: Final[dict[str, ButtonName]] = {
    "a": "left",
    "left": "left",
    "l": "right",
    "right": "right",
    "space": "centre",
    "up": "up",
    "down": "down",
    "return": "ok",
    "enter": "ok",
}
"""Keys by the names that pygame gives them."""
KEY_SWITCH: Final = "k"
QUIT: Final = "escape"


@dataclass(frozen=True, slots=True)
class Held:
    """What holds which button: a key by its name, a mouse button or finger by its id. And whether the key switch is on."""

    by: tuple[tuple[Hashable, ButtonName], ...] = ()
    key_on: bool = False

    def presses(self, button: ButtonName) -> bool:
        """Whether anything holds that button."""
        return any(held == button for _, held in self.by)


def press(held: Held, source: Hashable, button: ButtonName) -> tuple[Held, tuple[Input, ...]]:
    """Return what is held once ``source`` presses ``button``, and the edge; a source that holds something already is its own repeat."""
    if any(known == source for known, _ in held.by):
        return held, ()
    edge = () if held.presses(button) else (ButtonEdge(button, down=True),)
    return replace(held, by=(*held.by, (source, button))), edge


def let_go(held: Held, source: Hashable) -> tuple[Held, tuple[Input, ...]]:
    """Return what is held once ``source`` lets go of the button it pressed, wherever it is by now, and the edge."""
    button = next((button for known, button in held.by if known == source), None)
    if button is None:
        return held, ()
    left = replace(held, by=tuple(pair for pair in held.by if pair[0] != source))
    return left, () if left.presses(button) else (ButtonEdge(button, down=False),)


def let_go_all(held: Held) -> tuple[Held, tuple[Input, ...]]:
    """Return what is held once the window has lost the keyboard: nobody will say when these are let go."""
    buttons = dict.fromkeys(button for _, button in held.by)
    return replace(held, by=()), tuple(ButtonEdge(button, down=False) for button in buttons)


def turn_key(held: Held) -> tuple[Held, tuple[Input, ...]]:
    """Return the key switch turned the other way, and its edge."""
    return replace(held, key_on=not held.key_on), (ButtonEdge("key", down=not held.key_on),)


def key_down(held: Held, name: str) -> tuple[Held, tuple[Input, ...]]:
    """Return what the key of that name does when it goes down."""
    if name == QUIT:
        return held, (Quit(),)
    if name == KEY_SWITCH:
        return turn_key(held)
    button = KEYS.get(name)
    return (held, ()) if button is None else press(held, name, button)
