"""What the shell knows of a screen, whichever it is."""

from __future__ import annotations

from typing import Protocol

from firmware.face.value import Face
from firmware.screens.keys import Input


class Screen(Protocol):
    """Shows faces and hands over what was pressed on it. One thread draws, polls and waits; any thread may wake it."""

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn."""
        ...

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps until something happens. Where it is false the shell waits on its own queue instead and polls at its leisure."""
        ...

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether anything had to be drawn, which is only where it differs from what stands there."""
        ...

    def warm(self) -> None:
        """Make what pictures of a game need beforehand, so that none of them comes late. Called once the first picture stands."""
        ...

    def poll(self) -> list[Input]:
        """Return what was pressed since the last call, oldest first, without waiting."""
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
