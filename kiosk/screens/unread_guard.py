"""Drop input to a page that the players cannot have read yet. Pure; time is an argument.

A second tap of the same finger hits whatever the first one opened. So a touch or key in a page's first half second does nothing. Nor does a touch
that finds something else on the same page than the previous tap, or that would repeat a single action. Letters, digits and targets meant for
repeated taps (another word, the next page of a list) are exempt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from kiosk.events import AddWord, ChooseCount, ChooseWord, Erase, Event, Next, TurnPage, Type, TypeTile
from kiosk.face.page import Page, Target
from kiosk.layout.placed import Arranged, hit
from rules.duration import NS

MIN_NS: Final = NS // 2
"""The same half second as for the adjudication key."""
_TYPING: Final = (Type, TypeTile, Erase)
_REPEATED: Final = (AddWord, ChooseCount, ChooseWord, Next, TurnPage)
"""Actions that a second tap repeats and that are easily reversed."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The last action on the present page, and what the page showed then."""

    at: int
    """ns."""
    event: Event
    page: Page
    arranged: Arranged


@dataclass(frozen=True, slots=True)
class UnreadGuard:
    """How long the page has been visible, and the last action on it."""

    since: int
    """When the page was drawn, ns."""
    done: Answered | None = None
    """None: no action yet, or something was typed since."""


def after(seen: UnreadGuard, event: Event, page: Page, arranged: Arranged, at: int) -> UnreadGuard:
    """Return the state after ``event`` at ``at`` (ns) on ``page``, arranged as ``arranged``."""
    return replace(seen, done=None if isinstance(event, _TYPING) else Answered(at, event, page, arranged))


def touched(seen: UnreadGuard, arranged: Arranged, spot: tuple[int, int], at: int) -> Target | None:
    """Return the target of a touch that begins at ``at`` (ns) on that pixel; None if there is none, or if it comes too early."""
    target = hit(arranged, *spot)
    if target is None or isinstance(target.event, _TYPING):
        return target
    done = _lately(seen, at)
    before = target if done is None else hit(done.arranged, *spot)
    moved = before is None or before.id != target.id
    return None if _unread(seen, at) or moved or _once_more(done, target.event) else target


def struck(seen: UnreadGuard, page: Page, at: int) -> Mapping[str, Event]:
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
