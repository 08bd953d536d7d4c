"""No screen and no input, for testing a machine before it has its panel."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from kiosk.face.page import Page
from kiosk.screens.inputs import ScreenInput


class NoScreen:
    """A screen that shows nothing."""

    blocks = True

    def __init__(self) -> None:
        self.page: Page | None = None
        """The page it would show."""
        self._woken = threading.Event()

    def draw(self, page: Page) -> bool:
        """Store the page, and show nothing."""
        self.page = page
        return False

    def warm(self, pages: Iterable[Page]) -> None:
        """Do nothing: nothing is drawn."""

    def poll(self) -> list[ScreenInput]:
        """Return nothing: there is no input."""
        return []

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until ``wake``, for at most ``timeout_ms``."""
        self._woken.wait(None if timeout_ms is None else timeout_ms / 1000)
        self._woken.clear()

    def wake(self) -> None:
        """End this sleep or the next."""
        self._woken.set()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
