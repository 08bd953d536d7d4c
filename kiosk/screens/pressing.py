"""Fingers, mouse and a real keyboard as presses of targets and typed characters. Pure.

Pointers have ids, and the layout supplies the target under each. A letter acts on touch-down. Other targets act on release over the same target, so that
sliding off cancels a press. A press acts once, and not at all if its page has changed. If each player has an own target, fingers on both press neither: one
of the players has to touch again.

A key acts when it goes down, once until it is released: a repeating key never adjudicates, and never fills a word with one letter. Keys with Ctrl, Alt
or the system's own key have no function here. AltGr is not Alt: it types letters.

Input to a page that the players cannot have read yet is dropped. A second tap of the same finger hits whatever the first one opened. So a touch or key in
a page's first half second does nothing. Nor does a touch that finds something else on the same page than the previous tap, or that would repeat a single
action. Letters, digits and targets meant for repeated taps (another word, the next page of a list) are exempt.
"""

from collections.abc import Collection, Hashable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from kiosk.context import Value
from kiosk.events import AddWord, ChooseWord, Erase, Event, Next, TurnPage, Type, TypeTile
from kiosk.face.page import Page, Target
from kiosk.layout.placed import Arranged
from rules.duration import NS


def hit(arranged: Arranged, x: int, y: int) -> Target | None:
    return next((item.target for item in arranged.items if item.target is not None and item.box.holds(x, y)), None)


class TouchPress(Value, frozen=True):
    pointer: Hashable
    target: Target | None
    """None: nothing, or nothing any more."""


class Touching(Value, frozen=True):
    presses: tuple[TouchPress, ...] = ()

    @property
    def pressed(self) -> frozenset[str]:
        return frozenset(press.target.id for press in self.presses if press.target is not None)


Touched: TypeAlias = tuple[Touching, Event | None]


def down(touching: Touching, pointer: Hashable, target: Target | None) -> Touched:
    """Return the state after ``pointer`` came down on ``target``, and the event of a target that acts at once."""
    others = _without(touching, pointer)
    if any(_rivals(press.target, target) for press in others):
        void = tuple(press.replace(target=None) if _rivals(press.target, target) else press for press in others)
        return Touching((*void, TouchPress(pointer, None))), None
    held = Touching((*others, TouchPress(pointer, target)))
    return held, target.event if target is not None and target.on_down else None


def up(touching: Touching, pointer: Hashable, target: Target | None) -> Touched:
    """Return the state after ``pointer`` was released over ``target``, and the event if it came down on the same one."""
    began = next((press.target for press in touching.presses if press.pointer == pointer), None)
    held = Touching(_without(touching, pointer))
    acts = began is not None and target is not None and not began.on_down and (began.id, began.event) == (target.id, target.event)
    return held, began.event if acts and began is not None else None


def turned(touching: Touching, targets: Collection[Target]) -> Touching:
    """Return the state after the page changed to ``targets`` (none: another page). A pointer whose target is missing presses nothing until its release."""
    known = {(target.id, target.event) for target in targets}
    return Touching(
        tuple(
            press if press.target and (press.target.id, press.target.event) in known else press.replace(target=None)
            for press in touching.presses
        )
    )


def _without(touching: Touching, pointer: Hashable) -> tuple[TouchPress, ...]:
    return tuple(press for press in touching.presses if press.pointer != pointer)


def _rivals(one: Target | None, other: Target | None) -> bool:
    return one is not None and other is not None and one.contested and other.contested and one.id != other.id


LONGEST: Final = 64
"""The number of characters read from one input; a keyboard sends fewer at once."""


class Typing(Value, frozen=True):
    held: frozenset[int] = frozenset()
    """The codes of the keys that are down."""
    last: int | None = None
    """The last key that went down, while it is down."""
    mute: bool = False
    """Ignore text, because it comes from that key's repetition or from a command."""


Typed: TypeAlias = tuple[Typing, Event | None]


def key_down(typing: Typing, code: int, name: str | None, keys: Mapping[str, Event], *, command: bool = False) -> Typed:
    """Return the state after a key went down, and its event.

    ``name`` is None for a key that types, ``keys`` are the page's functions of named keys. ``command``: with Ctrl, Alt or the system's own key, which have
    none here.
    """
    if code in typing.held:
        return typing, None
    # A named key's own character (a terminal's tab) does not belong to a word.
    held = Typing(typing.held | {code}, code, mute=command or name is not None)
    return held, None if command or name is None else keys.get(name)


def key_up(typing: Typing, code: int) -> Typing:
    return typing.replace(held=typing.held - {code}) if code != typing.last else Typing(typing.held - {code})


def text(typing: Typing, characters: str, keys: Mapping[str, Event], *, taken: bool) -> Typed:
    """Return the state after a key typed ``characters``, and their event: ``Type`` if the page takes them, else the function of a digit's key, if any."""
    if typing.mute:
        return typing, None
    spent = typing.replace(mute=typing.last is not None)
    printable = "".join(character for character in characters[:LONGEST] if character.isprintable())
    if not taken:
        return spent, keys.get(printable) if printable.isdigit() else None
    return spent, Type(printable) if printable else None


MIN_NS: Final = NS // 2
"""The same half second as for the adjudication key."""
_TYPING: Final = (Type, TypeTile, Erase)
_REPEATED: Final = (AddWord, ChooseWord, Next, TurnPage)
"""Actions that a second tap repeats and that are easily reversed."""


class Answered(Value, frozen=True):
    """The last action on the present page, and what the page showed then."""

    at: int
    event: Event
    page: Page
    arranged: Arranged


class UnreadGuard(Value, frozen=True):
    """How long the page has been visible, and the last action on it."""

    since: int
    """When the page was drawn, ns."""
    done: Answered | None = None
    """None: no action yet, or something was typed since."""


def after(seen: UnreadGuard, event: Event, page: Page, arranged: Arranged, at: int) -> UnreadGuard:
    return seen.replace(done=None if isinstance(event, _TYPING) else Answered(at, event, page, arranged))


def touched(seen: UnreadGuard, arranged: Arranged, spot: tuple[int, int], at: int) -> Target | None:
    """Return the target of a touch that begins at ``at`` (ns) on that pixel; None if there is none, or if it comes too early."""
    target = hit(arranged, *spot)
    if target is None or isinstance(target.event, _TYPING):
        return target
    done = _lately(seen, at)
    before = target if done is None else hit(done.arranged, *spot)
    moved = before is None or before.id != target.id
    return None if _unread(seen, at) or moved or _once_more(done, target.event) else target


def keys_that_count(seen: UnreadGuard, page: Page, at: int) -> Mapping[str, Event]:
    """Return the functions of named keys on ``page`` at ``at`` (ns): those that type always, the others unless they come too early."""
    done, unread = _lately(seen, at), _unread(seen, at)

    def meant(name: str, event: Event) -> bool:
        before = event if done is None else done.page.keys.get(name)
        return not unread and type(before) is type(event) and not _once_more(done, event)

    return MappingProxyType({name: event for name, event in page.keys.items() if isinstance(event, _TYPING) or meant(name, event)})


def _unread(seen: UnreadGuard, at: int) -> bool:
    return at - seen.since < MIN_NS


def _lately(seen: UnreadGuard, at: int) -> Answered | None:
    return seen.done if seen.done is not None and at - seen.done.at < MIN_NS else None


def _once_more(done: Answered | None, event: Event) -> bool:
    return done is not None and type(event) is type(done.event) and not isinstance(event, _REPEATED)
