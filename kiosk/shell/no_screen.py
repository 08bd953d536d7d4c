"""No screen: nothing is shown and nothing is pressed. For a machine that is tried out before its panel is there."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from kiosk.face.page import Page
from kiosk.screens.inputs import Input


class NoScreen:
    """A screen that nobody sees."""

    blocks = True

    def __init__(self) -> None:
        self.page: Page | None = None
        """What would stand on it."""
        self._woken = threading.Event()

    def draw(self, page: Page) -> bool:
        """Keep the page, and show nothing."""
        self.page = page
        return False

    def warm(self, pages: Iterable[Page]) -> None:
        """Nothing will be drawn."""

    def poll(self) -> list[Input]:
        """Nothing was pressed."""
        return []

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until ``wake``, at most so long."""
        self._woken.wait(None if timeout_ms is None else timeout_ms / 1000)
        self._woken.clear()

    def wake(self) -> None:
        """End a sleep, this one or the next."""
        self._woken.set()

    def close(self) -> None:
        """There is nothing to close."""
