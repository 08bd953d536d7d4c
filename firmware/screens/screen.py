"""The protocol of the clock's screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from appliance.display import screen
from firmware.face.value import Face, FillFace
from firmware.screens.keys import ScreenInput


class Screen(screen.Screen[Face, ScreenInput], Protocol):
    """Shows faces."""

    @property
    def drawn(self) -> int:
        """The number of pictures drawn."""
        ...

    def warm(self, fills: Iterable[FillFace]) -> None:
        """Prepare what pictures of a game need, so that none is late; ``fills`` have every text of a fill. Called after the first picture."""
        ...
