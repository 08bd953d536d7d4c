"""What the shell knows of a clock's screen, whichever it is."""

from __future__ import annotations

from typing import Protocol

from appliance.display import screen
from firmware.face.value import Face
from firmware.screens.keys import Input


class Screen(screen.Screen[Face, Input], Protocol):
    """Shows faces."""

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn."""
        ...

    def warm(self) -> None:
        """Make what pictures of a game need beforehand, so that none of them comes late. Called once the first picture stands."""
        ...
