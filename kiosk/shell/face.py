"""The station's page, with texts and on-screen keyboard in the reader's language."""

from __future__ import annotations

from typing import Final

from kiosk.challenge.context import StationContext
from kiosk.face.page import Page
from kiosk.face.rehearsal import rehearsal
from kiosk.face.view import page
from kiosk.keyboards import Keyboard, keyboard
from kiosk.station.value import Station
from kiosk.texts import load_texts

AUTO: Final = "auto"
_BY_LANGUAGE: Final = {"fr": "azerty", "de": "qwertz"}
_ELSE: Final = "qwerty"


class PageMaker:
    """Makes pages.

    Args:
        layout: of the on-screen keyboard; ``auto`` selects it by the page's language.
    """

    def __init__(self, layout: str) -> None:
        self._layout = layout

    def __call__(self, station: Station, now: int) -> Page:
        """Return the page at ``now`` (ns)."""
        flow, judging = station.flow, station.desk.judging
        # A slip has the tiles of its table's division.
        context = flow.context if judging is None else judging.slip.context
        return page(station, now, load_texts, self._keys(context, flow.language))

    def rehearsal(self, context: StationContext) -> tuple[Page, ...]:
        """Return the pages whose speed matters, for the screen to draw in advance."""
        return rehearsal(context, load_texts(context.language), self._keys(context, context.language))

    def _keys(self, context: StationContext, language: str) -> Keyboard:
        spelling = context.spelling
        layout = _BY_LANGUAGE.get(language, _ELSE) if self._layout == AUTO else self._layout
        return () if spelling is None else keyboard(layout, spelling.tiles)
