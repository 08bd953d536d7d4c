"""What the loop knows of a screen, whichever it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from kiosk.face.page import Page
from kiosk.screens.inputs import Input


class Screen(Protocol):
    """Shows pages and hands over what was pressed on them. One thread draws, polls and waits; any thread may wake it."""

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps until something happens. Where it is false the loop waits on its inbox instead, and polls now and then."""
        ...

    def draw(self, page: Page) -> bool:
        """Show ``page``; return whether anything had to be drawn."""
        ...

    def warm(self, pages: Iterable[Page]) -> None:
        """Draw ``pages`` where nobody sees it, so that they are shown as fast as any other when they come."""
        ...

    def poll(self) -> list[Input]:
        """Return what was done since the last call, oldest first, without waiting."""
        ...

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until there may be something to poll, ``wake`` is called, or ``timeout_ms`` have passed; None: without limit."""
        ...

    def wake(self) -> None:
        """End a ``wait``, this one or the next. From any thread; harmless once closed."""
        ...

    def close(self) -> None:
        """Give the screen back. More than once does no harm."""
        ...
