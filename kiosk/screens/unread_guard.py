"""What has been in sight long enough to be meant: nobody answers a page that they cannot have read. Pure; time is an argument.

A second tap of the same finger lands on whatever the first one brought up. So a touch that began, or a key that was struck, in a page's first half second does
nothing there; nor does one on the same page that finds something else than stood there at the tap before, or would do once more what is done once.
Letters and digits are never held up, and what is tapped repeatedly (a word more, the next page of a list) is not either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from kiosk.challenge.events import AddWord, ChooseCount, ChooseWord, Erase, Next, Type, TypeTile
from kiosk.director.events import Turn
from kiosk.events import Event
from kiosk.face.page import Page, Target
from kiosk.layout.placed import Arranged, hit
from rules.duration import NS

LEAST_NS: Final = NS // 2
"""As the adjudication key's: half a second."""
_TYPING: Final = (Type, TypeTile, Erase)
_REPEATED: Final = (AddWord, ChooseCount, ChooseWord, Next, Turn)
"""What a second tap goes on with, and a look at the screen takes back."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done on the page that is in sight, and what stood there then."""

    at: int
    """ns."""
    event: Event
    page: Page
    arranged: Arranged


@dataclass(frozen=True, slots=True)
class UnreadGuard:
    """How long the page has been in sight, and what was last done on it."""

    since: int
    """When the page came up, as it was drawn, ns."""
    done: Done | None = None
    """None: nothing yet, or something was typed since."""


def after(seen: UnreadGuard, event: Event, page: Page, arranged: Arranged, at: int) -> UnreadGuard:
    """Return what is known once ``event`` was done at ``at`` (ns) on ``page``, which stood there as ``arranged``."""
    return replace(seen, done=None if isinstance(event, _TYPING) else Done(at, event, page, arranged))


def touched(seen: UnreadGuard, arranged: Arranged, spot: tuple[int, int], at: int) -> Target | None:
    """Return what a touch that begins at ``at`` (ns) on that pixel presses; None where there is nothing, or nothing that can be meant."""
    target = hit(arranged, *spot)
    if target is None or isinstance(target.event, _TYPING):
        return target
    done = _lately(seen, at)
    before = target if done is None else hit(done.arranged, *spot)
    moved = before is None or before.id != target.id
    return None if _unread(seen, at) or moved or _once_more(done, target.event) else target


def struck(seen: UnreadGuard, page: Page, at: int) -> Mapping[str, Event]:
    """Return what the named keys do on ``page`` when struck at ``at`` (ns): those that only type always, the others where they can be meant."""
    done, unread = _lately(seen, at), _unread(seen, at)

    def meant(name: str, event: Event) -> bool:
        before = event if done is None else done.page.keys.get(name)
        return not unread and type(before) is type(event) and not _once_more(done, event)

    return MappingProxyType({name: event for name, event in page.keys.items() if isinstance(event, _TYPING) or meant(name, event)})


def _unread(seen: UnreadGuard, at: int) -> bool:
    return at - seen.since < LEAST_NS


def _lately(seen: UnreadGuard, at: int) -> Done | None:
    return seen.done if seen.done is not None and at - seen.done.at < LEAST_NS else None


def _once_more(done: Done | None, event: Event) -> bool:
    return done is not None and type(event) is type(done.event) and not isinstance(event, _REPEATED)
