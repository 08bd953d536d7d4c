"""Fingers and mouse as presses of targets. Pure: pointers have ids, and the layout supplies the target under each.

A letter acts on touch-down. Other targets act on release over the same target, so that sliding off cancels a press. A press acts once, and not at all
if its page has changed. If each player has an own target, fingers on both press neither: one of the players has to touch again.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import TypeAlias

from kiosk.events import Event
from kiosk.face.page import Target


@dataclass(frozen=True, slots=True)
class TouchPress:
    """What one pointer presses."""

    pointer: Hashable
    target: Target | None
    """None: nothing, or nothing any more."""


@dataclass(frozen=True, slots=True)
class Touching:
    """All present presses."""

    presses: tuple[TouchPress, ...] = ()

    @property
    def pressed(self) -> frozenset[str]:
        """The ids of the targets that are down."""
        return frozenset(press.target.id for press in self.presses if press.target is not None)


Touched: TypeAlias = tuple[Touching, Event | None]


def down(touching: Touching, pointer: Hashable, target: Target | None) -> Touched:
    """Return the state after ``pointer`` came down on ``target``, and the event of a target that acts at once."""
    others = _without(touching, pointer)
    if any(_rivals(press.target, target) for press in others):
        void = tuple(replace(press, target=None) if _rivals(press.target, target) else press for press in others)
        return Touching((*void, TouchPress(pointer, None))), None
    held = Touching((*others, TouchPress(pointer, target)))
    return held, target.event if target is not None and target.on_down else None


def up(touching: Touching, pointer: Hashable, target: Target | None) -> Touched:
    """Return the state after ``pointer`` was released over ``target``, and the event if it came down on the same one."""
    began = next((press.target for press in touching.presses if press.pointer == pointer), None)
    held = Touching(_without(touching, pointer))
    acts = began is not None and target is not None and not began.on_down and _same(began, target)
    return held, began.event if acts and began is not None else None


def turned(touching: Touching, targets: Collection[Target]) -> Touching:
    """Return the state after the page changed to ``targets`` (none: another page). A pointer whose target is missing presses nothing until its release."""
    known = {(target.id, target.event) for target in targets}
    return Touching(
        tuple(
            press if press.target and (press.target.id, press.target.event) in known else replace(press, target=None)
            for press in touching.presses
        )
    )


def release_all(touching: Touching) -> Touching:
    """Return the state after the window has lost its input, and with it all later releases."""
    return Touching()


def _without(touching: Touching, pointer: Hashable) -> tuple[TouchPress, ...]:
    return tuple(press for press in touching.presses if press.pointer != pointer)


def _rivals(one: Target | None, other: Target | None) -> bool:
    return one is not None and other is not None and one.contested and other.contested and one.id != other.id


def _same(one: Target, other: Target) -> bool:
    return one.id == other.id and one.event == other.event
