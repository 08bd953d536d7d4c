"""The whole face: the station's one page, of the players, the door or the desk. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from appliance.texts import Texts
from kiosk.director.door import shuts_at
from kiosk.face.desk import desk_pages
from kiosk.face.desk_parts import DeskView
from kiosk.face.door import door_page
from kiosk.face.help import with_help
from kiosk.face.page import Page
from kiosk.face.players import players_page, table_label
from kiosk.keyboards import Keyboard
from kiosk.station.value import Station


def page(station: Station, now: int, texts: Callable[[str], Texts], keys: Keyboard) -> Page:
    """Return the page on the screen.

    Args:
        station: the station.
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
