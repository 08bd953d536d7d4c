"""No screen at all: a clock that is only lamps, or one that is watched by other means."""

from __future__ import annotations

from firmware.face.value import Face
from firmware.screens.keys import Input


class BlankScreen:
    """Takes faces and shows none; counts them as a screen would."""

    blocks = False

    def __init__(self) -> None:
        self.face: Face | None = None
        """The last face it was given."""
        self.drawn = 0

    def draw(self, face: Face) -> bool:
        """Take ``face``; return whether it differs from the last."""
        changed = face != self.face
        self.face = face
        self.drawn += changed
        return changed

    def warm(self) -> None:
        """Do nothing: nothing is drawn."""

    def poll(self) -> list[Input]:
        """Return nothing: there is nothing to press."""
        return []

    def wait(self, timeout_ms: int | None) -> None:
        """Do not wait: the shell waits on its queue."""

    def wake(self) -> None:
        """Nothing to wake."""

    def close(self) -> None:
        """Nothing to close."""
