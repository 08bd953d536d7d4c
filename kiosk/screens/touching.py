"""Fingers and the mouse as presses of targets. Pure: pointers have ids, and what lies under each is asked of the layout.

A letter acts when the finger comes down. All else acts when it is lifted from the same target, so that a slip of the finger can be taken back by sliding off.
A press acts once; one whose page has changed under it never does. Where each player has a target of their own, two fingers that hold both press neither: one of
them has to touch anew.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import TypeAlias

from kiosk.events import Event
from kiosk.face.page import Target


@dataclass(frozen=True, slots=True)
class TouchPress:
    """What one pointer holds down."""

    pointer: Hashable
    target: Target | None
    """None: nothing, or nothing any more."""


@dataclass(frozen=True, slots=True)
class Touching:
    """All that is held down at this moment."""

    presses: tuple[TouchPress, ...] = ()

    @property
    def pressed(self) -> frozenset[str]:
        """The ids of the targets that are held down."""
        return frozenset(press.target.id for press in self.presses if press.target is not None)


Touched: TypeAlias = tuple[Touching, Event | None]


def down(touching: Touching, pointer: Hashable, target: Target | None) -> Touched:
    """Return what is held once ``pointer`` came down on ``target``, and the event of a target that acts at once."""
    others = _without(touching, pointer)
    if any(_rivals(press.target, target) for press in others):
        void = tuple(replace(press, target=None) if _rivals(press.target, target) else press for press in others)
        return Touching((*void, TouchPress(pointer, None))), None
    held = Touching((*others, TouchPress(pointer, target)))
    return held, target.event if target is not None and target.on_down else None


def up(touching: Touching, pointer: Hashable, target: Target | None) -> Touched:
    """Return what is held once ``pointer`` was lifted over ``target``, and the event where that is what it came down on."""
    began = next((press.target for press in touching.presses if press.pointer == pointer), None)
    held = Touching(_without(touching, pointer))
    acts = began is not None and target is not None and not began.on_down and _same(began, target)
    return held, began.event if acts and began is not None else None


def turned(touching: Touching, targets: Collection[Target]) -> Touching:
    """Return what is held once the page shows ``targets``: none for another page. A pointer whose target is not among them holds nothing until it is lifted."""
    known = {(target.id, target.event) for target in targets}
    return Touching(
        tuple(
            press if press.target and (press.target.id, press.target.event) in known else replace(press, target=None)
            for press in touching.presses
        )
    )


def let_go_all(touching: Touching) -> Touching:
    """Return what is held once the window has lost its players: nobody will say when these are lifted."""
    return Touching()


def _without(touching: Touching, pointer: Hashable) -> tuple[TouchPress, ...]:
    return tuple(press for press in touching.presses if press.pointer != pointer)


def _rivals(one: Target | None, other: Target | None) -> bool:
    return one is not None and other is not None and one.contested and other.contested and one.id != other.id


def _same(one: Target, other: Target) -> bool:
    return one.id == other.id and one.event == other.event
