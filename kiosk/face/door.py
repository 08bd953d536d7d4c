"""Pages of the director's door: the PIN in dots, the wait after wrong tries, and how to set a PIN if there is none."""

from __future__ import annotations

from typing import Final

from appliance.texts import Texts
from kiosk.challenge.context import StationContext
from kiosk.challenge.events import Back
from kiosk.director.door import Door, Doorway
from kiosk.events import Event
from kiosk.face.desk_parts import TYPED
from kiosk.face.footer import footer
from kiosk.face.page import Page, Target
from kiosk.face.targets import back, keys, on, pad
from rules.duration import seconds_shown

DOT: Final = "•"


def door_page(door: Door, context: StationContext, now: int, texts: Texts) -> Page:
    """Return the page of a door that is not closed, at ``now`` (ns)."""
    if door.way is Doorway.CHECKING:
        return _page("door.checking", context, texts, (texts.say("door.checking"),), ())
    by_key = (texts.say("door.key"),) if door.lock.key else ()
    if not door.lock.pin:
        return _page("door.none", context, texts, (texts.say("door.none"), *by_key), (back(texts),))
    if door.shut_until is not None and door.shut(now):
        wait = texts.say("door.shut", seconds=seconds_shown(door.shut_until - now))
        return _page("door.shut", context, texts, (wait, *by_key), (back(texts),))
    return _pin(door, context, texts, by_key)


def _pin(door: Door, context: StationContext, texts: Texts, by_key: tuple[str, ...]) -> Page:
    return Page(
        name="door.pin",
        title=texts.say("door.title"),
        footer=footer(context, texts),
        lines=(texts.say("door.how"), *by_key),
        entry=DOT * len(door.digits),
        keyboard=pad(on(texts.say("door.open")), texts),
        actions=(back(texts),),
        notice=texts.say("door.wrong") if door.wrong else None,
        typed=True,
        keys=keys((), {**TYPED, "escape": Back()}),
    )


def _page(name: str, context: StationContext, texts: Texts, lines: tuple[str, ...], actions: tuple[Target, ...]) -> Page:
    escape: dict[str, Event] = {"escape": Back()} if actions else {}
    return Page(name, texts.say("door.title"), footer(context, texts), lines=lines, actions=actions, keys=keys((), escape))
