"""The protocol of the clock's screens."""

from __future__ import annotations

from typing import Protocol

from appliance.display import screen
from firmware.face.value import Face
from firmware.screens.keys import Input


class Screen(screen.Screen[Face, Input], Protocol):
    """Shows faces."""

    @property
    def drawn(self) -> int:
        """The number of pictures drawn."""
        ...

    def warm(self) -> None:
        """Prepare what pictures of a game need, so that none is late. Called after the first picture."""
        ...
