"""The whole face: from the station to the one page that stands on its screen, the players', the door's or the desk's. Pure."""

from __future__ import annotations

from collections.abc import Callable

from appliance.texts import Texts
from kiosk.director.door import shuts_at
from kiosk.face.desk import desk_pages
from kiosk.face.desk_parts import DeskView
from kiosk.face.door import door_page
from kiosk.face.page import Page
from kiosk.face.players import players_page
from kiosk.keyboards import Keyboard
from kiosk.station.value import Station


def page(station: Station, now: int, texts: Callable[[str], Texts], keys: Keyboard) -> Page:
    """Return what stands on the screen.

    Args:
        station: as it is.
        now: the same clock's instant as the station's, in ns.
        texts: gives a language's texts; the players may have chosen another than the director's.
        keys: the tiles of the lexicon's alphabet, as rows of keys; none where there is no lexicon.
    """
    if station.door.is_closed:
        return players_page(station.flow, now, texts(station.flow.language), keys)
    standing = station.flow.standing
    own = texts(standing.language)
    if not station.door.is_open:
        return door_page(station.door, standing, now, own)
    view = DeskView(station.desk, standing, station.opinions, station.flow.in_progress, shuts_at(station.door), own, keys)
    return desk_pages(view, now)
