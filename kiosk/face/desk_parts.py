"""What the pages of the director's desk have in common: the way back, lists that are turned a page at a time, keys for letters and digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar

from appliance.texts import Texts
from kiosk.challenge.context import StationContext
from kiosk.challenge.events import Back, Erase, Next, Type
from kiosk.director.desk import ROWS, Desk
from kiosk.director.events import Turn
from kiosk.director.opinion import Opinion
from kiosk.events import Event
from kiosk.face.footer import footer
from kiosk.face.page import Icon, Page, Target
from kiosk.face.targets import back, erase, keys, tile
from kiosk.keyboards import WIDEST, Keyboard

T = TypeVar("T")
LATIN: Final[Keyboard] = (tuple("ABCDEFGHI"), tuple("JKLMNOPQR"), tuple("STUVWXYZ"))
"""The keys where no lexicon gives an alphabet: a station without one still has a name, and a judge with a book."""
_DIGITS: Final = tuple("1234567890")
_NONE: Final[Mapping[str, Event]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DeskView:
    """What the desk's pages are made of."""

    desk: Desk
    standing: StationContext
    opinions: tuple[Opinion, ...]
    busy: bool
    """Players are in a challenge: what is changed is taken later."""
    locks_at: int | None
    """The instant at which the desk locks itself, ns."""
    texts: Texts
    board: Keyboard
    """The tiles of the lexicon's alphabet, as rows of keys."""


def desk_page(
    name: str, title: str, view: DeskView, *, actions: tuple[Target, ...] = (), named: Mapping[str, Event] = _NONE, **rest: Any
) -> Page:
    """Return a page of the desk, with the way back as its last action and on the escape key."""
    return Page(
        name,
        title,
        footer(view.standing, view.texts),
        actions=(*actions, back(view.texts)),
        keys=keys((), {**_turning(actions), **named, "escape": Back()}),
        **rest,
    )


def pending(view: DeskView) -> tuple[str, ...]:
    """Return the line that says when a choice is taken, where that is not at once."""
    return (view.texts.say("desk.pending"),) if view.busy else ()


def in_sight(everything: Sequence[T], first: int) -> Sequence[T]:
    """Return the part of a list that stands on the page that begins with index ``first``."""
    return everything[first : first + ROWS]


def part(first: int, count: int, texts: Texts) -> tuple[str, ...]:
    """Return the line that says which part of a list is in sight, where that is not all of it."""
    last = min(first + ROWS, count)
    return (texts.say("desk.part", first=first + 1, last=last, count=count),) if count > ROWS else ()


def turns(first: int, count: int, texts: Texts) -> tuple[Target, ...]:
    """Return what turns a list's page, up and down, as far as there is more of it."""
    up, down = turn(-1, texts.say("desk.earlier")), turn(1, texts.say("desk.later"))
    return ((up,) if first > 0 else ()) + ((down,) if first + ROWS < count else ())


def turn(by: int, text: str) -> Target:
    """Return the target that turns a page on (1) or back (-1)."""
    return Target("down" if by > 0 else "up", text, Turn(by), Icon.DOWN if by > 0 else Icon.UP)


def letters(board: Keyboard, texts: Texts, *, space: bool) -> tuple[tuple[Target, ...], ...]:
    """Return keys for a name: digits, the alphabet's letters, and what erases; ``space`` where there may be several words."""
    *rows, last = (tuple(map(tile, row)) for row in (_DIGITS, *(board or LATIN)))
    others = (*((Target("space", texts.say("desk.space"), Type(" "), Icon.SPACE, on_down=True),) if space else ()), erase(texts))
    return (*rows, (*last, *others)) if len(last) + len(others) <= WIDEST else (*rows, last, others)


TYPED: Final[Mapping[str, Event]] = MappingProxyType({"return": Next(), "backspace": Erase()})
"""What the keys of a real keyboard do where something is typed."""


def _turning(actions: tuple[Target, ...]) -> dict[str, Event]:
    return {target.id: target.event for target in actions if isinstance(target.event, Turn)}
