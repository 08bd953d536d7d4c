"""Common parts of the judge desk's pages: the way back, lists with pages, keys for letters and digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeVar

from msgspec import Struct

from appliance.texts import Texts
from kiosk.context import StationContext
from kiosk.director.adjudication import Opinion
from kiosk.director.judge_desk import ROWS, JudgeDesk
from kiosk.events import Back, Erase, Event, Next, TurnPage, Type
from kiosk.face.page import Icon, Page, Target, Tone, footer
from kiosk.face.targets import SEPARATOR, back, erase, keys, tile
from kiosk.keyboards import WIDEST, Keyboard

T = TypeVar("T")
LATIN: Final[Keyboard] = (tuple("ABCDEFGHI"), tuple("JKLMNOPQR"), tuple("STUVWXYZ"))
"""The keys without a lexicon's alphabet: even then a station has a name, and a judge a book."""
_DIGITS: Final = tuple("1234567890")
_NONE: Final[Mapping[str, Event]] = MappingProxyType({})


class JudgeDeskView(Struct, frozen=True):
    """The input of the judge desk's pages."""

    judge_desk: JudgeDesk
    context: StationContext
    opinions: tuple[Opinion, ...]
    busy: bool
    """A challenge is in progress: changes apply later."""
    locks_at: int | None
    """The instant at which the judge desk locks itself, ns."""
    texts: Texts
    board: Keyboard
    """The tiles of the lexicon's alphabet, as rows of keys."""


def judge_desk_page(
    name: str, title: str, view: JudgeDeskView, *, actions: tuple[Target, ...] = (), named: Mapping[str, Event] = _NONE, **rest: Any
) -> Page:
    """Return a page of the judge desk, whose last action and escape key lead back."""
    return Page(
        name,
        title,
        footer(view.context, view.texts),
        alphabet=view.context.alphabet,
        actions=(*actions, back(view.texts)),
        keys=keys((), {**_turning(actions), **named, "escape": Back()}),
        **rest,
    )


def pending(view: JudgeDeskView) -> tuple[str, ...]:
    """Return a line that says when a choice applies, if not at once."""
    return (view.texts.say("desk.pending"),) if view.busy else ()


def in_sight(everything: Sequence[T], first: int) -> Sequence[T]:
    """Return the part of a list on the page that begins with index ``first``."""
    return everything[first : first + ROWS]


def with_part(title: str, first: int, count: int, texts: Texts) -> str:
    """Return a list's title, with the part of the list that is visible, if not all: a line of its own leaves five rows too little room."""
    last = min(first + ROWS, count)
    return SEPARATOR.join((title, texts.say("desk.part", first=first + 1, last=last, count=count))) if count > ROWS else title


def turns(first: int, count: int, texts: Texts) -> tuple[Target, ...]:
    """Return the targets that turn a list's page up and down; none for a list of one page."""
    up = turn(-1, texts.say("desk.earlier"), texts, possible=first > 0)
    down = turn(1, texts.say("desk.later"), texts, possible=first + ROWS < count)
    return (up, down) if count > ROWS else ()


def turn(by: int, text: str, texts: Texts, *, possible: bool) -> Target:
    """Return the target for the next (1) or previous (-1) page. It keeps its place at the end of the list, which it then names."""
    ends, icon = ("desk.end", Icon.DOWN) if by > 0 else ("desk.top", Icon.UP)
    if possible:
        return Target(icon.value, text, TurnPage(by), icon)
    return Target(icon.value, texts.say(ends), TurnPage(by), icon, Tone.OFF)


def letters(board: Keyboard, texts: Texts, *, space: bool) -> tuple[tuple[Target, ...], ...]:
    """Return keys for a name: digits, the alphabet's letters, and erase; ``space`` if there may be several words."""
    *rows, last = (tuple(map(tile, row)) for row in (_DIGITS, *(board or LATIN)))
    others = (*((Target("space", texts.say("desk.space"), Type(" "), Icon.SPACE, on_down=True),) if space else ()), erase(texts))
    return (*rows, (*last, *others)) if len(last) + len(others) <= WIDEST else (*rows, last, others)


TYPED: Final[Mapping[str, Event]] = MappingProxyType({"return": Next(), "backspace": Erase()})
"""The special keys of a real keyboard where text is typed."""


def _turning(actions: tuple[Target, ...]) -> dict[str, Event]:
    return {target.id: target.event for target in actions if isinstance(target.event, TurnPage)}
