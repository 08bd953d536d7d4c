"""A real keyboard: named keys by the page's functions, characters as ``Type``. Pure.

A key acts when it goes down, once until it is released: a repeating key never adjudicates, and never fills a word with one letter. Keys with Ctrl, Alt
or the system's own key have no function here. AltGr is not Alt: it types letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from kiosk.challenge.events import Type
from kiosk.events import Event

LONGEST: Final = 64
"""The number of characters read from one input; a keyboard sends fewer at once."""


class With(Enum):
    """The modifier of a key."""

    NOTHING = "nothing"
    """None, or shift."""
    ALTGR = "altgr"
    """Types letters; named keys have no function with it."""
    COMMAND = "command"
    """Ctrl, Alt, or the system's own key: a command, and there are none here."""


@dataclass(frozen=True, slots=True)
class Typing:
    """The state of the keyboard."""

    held: frozenset[int] = frozenset()
    """The codes of the keys that are down."""
    last: int | None = None
    """The last key that went down, while it is down."""
    mute: bool = False
    """Ignore text, because it comes from that key's repetition or from a command."""


Typed: TypeAlias = tuple[Typing, Event | None]


def key_down(typing: Typing, code: int, name: str | None, together: With, keys: Mapping[str, Event]) -> Typed:
    """Return the state after a key went down, and its event.

    Args:
        typing: the state before.
        code: the key.
        name: its name (tab, return, ...); None for a key that types.
        together: its modifier.
        keys: the functions of named keys on the present page.
    """
    if code in typing.held:
        return typing, None
    held = Typing(typing.held | {code}, code, mute=together is With.COMMAND)
    if name is None or together is not With.NOTHING:
        return held, None
    # A named key's own character (a terminal's tab) does not belong to a word.
    return replace(held, mute=True), keys.get(name)


def key_up(typing: Typing, code: int) -> Typing:
    """Return the state after a key was released."""
    if code != typing.last:
        return replace(typing, held=typing.held - {code})
    return Typing(typing.held - {code})


def text(typing: Typing, characters: str, keys: Mapping[str, Event], *, taken: bool) -> Typed:
    """Return the state after a key typed ``characters``, and their event: ``Type`` if the page takes characters, otherwise a digit key's function, if any.

    Args:
        typing: the state before.
        characters: from the keyboard's layout; a French one types digits with shift.
        keys: the functions of named keys on the present page, including the digits that choose a row.
        taken: the page takes characters.
    """
    if typing.mute:
        return typing, None
    spent = replace(typing, mute=typing.last is not None)
    printable = "".join(character for character in characters[:LONGEST] if character.isprintable())
    if not taken:
        return spent, keys.get(printable) if printable.isdigit() else None
    return spent, Type(printable) if printable else None


def release_all(typing: Typing) -> Typing:
    """Return the state after the window has lost the keyboard."""
    return Typing()
