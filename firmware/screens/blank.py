"""The screen of a clock without one."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.face.value import Face, FillFace
from firmware.screens.keys import ScreenInput


class BlankScreen:
    """Accepts faces, shows nothing, and counts as a screen would."""

    blocks = False

    def __init__(self) -> None:
        self.face: Face | None = None
        """The last face."""
        self.drawn = 0

    def draw(self, face: Face) -> bool:
        """Store ``face``; return whether it differs from the last."""
        changed = face != self.face
        self.face = face
        self.drawn += changed
        return changed

    def warm(self, fills: Iterable[FillFace]) -> None:
        """Do nothing: nothing is drawn."""

    def poll(self) -> list[ScreenInput]:
        """Return nothing: there is no input."""
        return []

    def wait(self, timeout_ms: int | None) -> None:
        """Do not wait: the shell waits on its queue."""

    def wake(self) -> None:
        """Nothing to wake."""

    def close(self) -> None:
        """Nothing to close."""
