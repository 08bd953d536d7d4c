"""The whole face: the station's one page, of the players, the desk, or the director's door. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from appliance.texts import Texts
from kiosk.challenge.context import StationContext
from kiosk.director.door import Door, Doorway, shuts_at
from kiosk.events import Back, Event
from kiosk.face.desk import desk_pages
from kiosk.face.desk_parts import TYPED, DeskView
from kiosk.face.page import Page, Target, footer
from kiosk.face.players import players_page, table_label
from kiosk.face.targets import back, keys, on, pad, with_help
from kiosk.keyboards import Keyboard
from kiosk.station.value import Station
from rules.duration import seconds_shown

DOT: Final = "•"


def door_page(door: Door, context: StationContext, now: int, texts: Texts) -> Page:
    """Return the page of a door that is not closed, at ``now`` (ns)."""
    if door.way is Doorway.CHECKING:
        return _door_page("door.checking", context, texts, (texts.say("door.checking"),), ())
    by_key = (texts.say("door.key"),) if door.lock.key else ()
    if not door.lock.pin:
        return _door_page("door.none", context, texts, (texts.say("door.none"), *by_key), (back(texts),))
    if door.shut_until is not None and door.shut(now):
        wait = texts.say("door.shut", seconds=seconds_shown(door.shut_until - now))
        return _door_page("door.shut", context, texts, (wait, *by_key), (back(texts),))
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


def _door_page(name: str, context: StationContext, texts: Texts, lines: tuple[str, ...], actions: tuple[Target, ...]) -> Page:
    escape: dict[str, Event] = {"escape": Back()} if actions else {}
    return Page(name, texts.say("door.title"), footer(context, texts), lines=lines, actions=actions, keys=keys((), escape))


def page(station: Station, now: int, texts: Callable[[str], Texts], keys: Keyboard) -> Page:
    """Return the page on the screen.

    Args:
        now: an instant of the station's clock, in ns.
        texts: returns a language's texts; the players' language may differ from the director's.
        keys: the tiles of the lexicon's alphabet, as rows of keys; none without a lexicon.
    """
    language = station.flow.language if station.door.is_closed else station.flow.station.language
    shown = _page(station, now, texts(language), keys)
    if station.close_asked_until is None:
        return shown
    # On every page: a first request to close that shows nothing seems to be ignored. Beside a list there is room for one text.
    return replace(shown, notice=texts(language).say("window.leaving"), success=False, lines=() if shown.rows else shown.lines)


def _page(station: Station, now: int, texts: Texts, keys: Keyboard) -> Page:
    if station.door.is_closed:
        return players_page(station.flow, now, texts, keys)
    context = station.flow.station
    view = DeskView(station.desk, context, station.opinions, station.flow.in_progress, shuts_at(station.door), texts, keys)
    if station.door.is_open:
        shown = desk_pages(view, now)
    else:
        # The door hides the players' challenge, which waits for them.
        shown = replace(door_page(station.door, context, now, texts), table=table_label(station.flow, texts))
    return with_help(shown, texts, shown=station.door.helping)
