"""A real keyboard: named keys as the page says, characters as ``Type``. Pure.

A key acts when it goes down and not again before it was up: a key that repeats while it is held never adjudicates, and never fills a word with one letter.
Together with Ctrl, Alt or the system's own key nothing is a key of ours. AltGr is no Alt: it types letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from kiosk.challenge.events import Type
from kiosk.events import Event

LONGEST: Final = 64
"""Characters of one input that are looked at: no keyboard sends as many at once."""


class With(Enum):
    """What a key is struck together with."""

    NOTHING = "nothing"
    """Or the shift key."""
    ALTGR = "altgr"
    """Types letters; no named key is one of ours with it."""
    COMMAND = "command"
    """Ctrl, Alt, or the system's own key: it would be a command, and there are none."""


@dataclass(frozen=True, slots=True)
class Typing:
    """What is held down on the keyboard."""

    held: frozenset[int] = frozenset()
    """Key codes."""
    last: int | None = None
    """The key that went down last, while it is held."""
    mute: bool = False
    """Text that comes now is that key's repetition, or a command's."""


Typed: TypeAlias = tuple[Typing, Event | None]


def key_down(typing: Typing, code: int, name: str | None, together: With, keys: Mapping[str, Event]) -> Typed:
    """Return what is held once a key went down, and its event.

    Args:
        typing: what was held.
        code: the key.
        name: its name where it has one (tab, return, ...); None for one that types.
        together: what it is struck together with.
        keys: what the named keys do on the present page.
    """
    if code in typing.held:
        return typing, None
    held = Typing(typing.held | {code}, code, mute=together is With.COMMAND)
    if name is None or together is not With.NOTHING:
        return held, None
    # What it types (a terminal's tab) is no character of a word.
    return replace(held, mute=True), keys.get(name)


def key_up(typing: Typing, code: int) -> Typing:
    """Return what is held once a key was let go."""
    if code != typing.last:
        return replace(typing, held=typing.held - {code})
    return Typing(typing.held - {code})


def text(typing: Typing, characters: str, keys: Mapping[str, Event], *, taken: bool) -> Typed:
    """Return what is held once a key typed ``characters``, and their event: where the page takes any, ``Type``; else what a figure does there, if anything.

    Args:
        typing: what was held.
        characters: as the keyboard's layout has them: a French one types its figures with shift.
        keys: what the named keys do on the present page, the figures that choose a row among them.
        taken: the page takes characters.
    """
    if typing.mute:
        return typing, None
    spent = replace(typing, mute=typing.last is not None)
    printable = "".join(character for character in characters[:LONGEST] if character.isprintable())
    if not taken:
        return spent, keys.get(printable) if printable.isdigit() else None
    return spent, Type(printable) if printable else None


def let_go_all(typing: Typing) -> Typing:
    """Return what is held once the window has lost the keyboard."""
    return Typing()
