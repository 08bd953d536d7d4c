"""What a screen of the clock shows and returns; keyboard, mouse and touch as the clock's buttons. Pure.

What presses which button, and the edges that follow: a button is down while any source holds it. The first press and the last release make edges,
key repeats do not.
"""

from collections.abc import Hashable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from appliance.display import screen
from firmware.face.value import Face
from hardware.boards.board import ButtonName

LEGEND: Final = "A or left arrow: left · L or right arrow: right · Space: bar · up, down and Enter: menus · W, O: left, right voice · K: director's key · Esc: quit"


class ButtonEdge(Struct, frozen=True):
    """A button goes down or up now."""

    button: ButtonName
    down: bool


class Tap(Struct, frozen=True):
    """A button goes down now and up ``held`` ns later: from a keyboard that does not report key-up."""

    button: ButtonName
    held: int


class Quit(Struct, frozen=True):
    """The user closed the window or pressed Escape."""


class RowHit(Struct, frozen=True):
    """A mouse or a finger on a row of the director's page."""

    row: int


class DigitHit(Struct, frozen=True):
    """A mouse or a finger on the key of a digit."""

    digit: int


ScreenInput: TypeAlias = ButtonEdge | Tap | Quit | RowHit | DigitHit

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
    "w": "ask_left",
    "o": "ask_right",
}
PLAYERS_MENU_KEYS: Final[dict[str, ButtonName]] = {**KEYS, "up": "left", "down": "right", "return": "centre", "enter": "centre"}
"""Keys while the players' menu shows rows: up, down and Enter do there what they do in the director's."""
KEY_SWITCH: Final = "k"
QUIT: Final = "escape"


class Held(Struct, frozen=True):
    """Which source holds which button (a key by name, a mouse button or finger by id), and whether the key switch is on."""

    by: tuple[tuple[Hashable, ButtonName], ...] = ()
    key_on: bool = False

    def presses(self, button: ButtonName) -> bool:
        return any(held == button for _, held in self.by)


def press(held: Held, source: Hashable, button: ButtonName) -> tuple[Held, tuple[ScreenInput, ...]]:
    """Return the state after ``source`` presses ``button``, and its edge; a source that is already down repeats and makes none."""
    if any(known == source for known, _ in held.by):
        return held, ()
    edge = () if held.presses(button) else (ButtonEdge(button, down=True),)
    return replace(held, by=(*held.by, (source, button))), edge


def release(held: Held, source: Hashable) -> tuple[Held, tuple[ScreenInput, ...]]:
    """Return the state after ``source`` releases its button, wherever the source is by then, and its edge."""
    button = next((button for known, button in held.by if known == source), None)
    if button is None:
        return held, ()
    left = replace(held, by=tuple(pair for pair in held.by if pair[0] != source))
    return left, () if left.presses(button) else (ButtonEdge(button, down=False),)


def release_all(held: Held) -> tuple[Held, tuple[ScreenInput, ...]]:
    """Return the state after the window has lost the keyboard, which then reports no release, and the edges."""
    buttons = dict.fromkeys(button for _, button in held.by)
    return replace(held, by=()), tuple(ButtonEdge(button, down=False) for button in buttons)


def turn_key(held: Held) -> tuple[Held, tuple[ScreenInput, ...]]:
    return replace(held, key_on=not held.key_on), (ButtonEdge("key", down=not held.key_on),)


def key_down(held: Held, name: str, keys: Mapping[str, ButtonName] = KEYS) -> tuple[Held, tuple[ScreenInput, ...]]:
    if name == QUIT:
        return held, (Quit(),)
    if name == KEY_SWITCH:
        return turn_key(held)
    button = keys.get(name)
    return (held, ()) if button is None else press(held, name, button)


Screen: TypeAlias = screen.Screen[Face, ScreenInput]
