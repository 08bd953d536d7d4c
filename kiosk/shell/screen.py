"""What the loop knows of a station's screen, whichever it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from appliance.display import screen
from kiosk.face.page import Page
from kiosk.screens.inputs import Input


class Screen(screen.Screen[Page, Input], Protocol):
    """Shows pages."""

    def warm(self, pages: Iterable[Page]) -> None:
        """Draw ``pages`` where nobody sees it, so that they are shown as fast as any other when they come."""
        ...
