"""The protocol of the station's screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from appliance.display import screen
from kiosk.face.page import Page
from kiosk.screens.inputs import Input


class Screen(screen.Screen[Page, Input], Protocol):
    """Shows pages."""

    def warm(self, pages: Iterable[Page]) -> None:
        """Draw ``pages`` invisibly in advance, so that none is slow when first shown."""
        ...
