"""The players' side of the station: the screen and the wired board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from appliance.display import screen
from hardware.buttons.board_pins import BoardPins
from hardware.pins.retrying import RetryingPins
from kiosk.face.page import Page
from kiosk.screens.inputs import ScreenInput
from kiosk.shell.face import PageMaker
from kiosk.shell.panel import ButtonPanel


class Screen(screen.Screen[Page, ScreenInput], Protocol):
    """Shows pages."""

    def warm(self, pages: Iterable[Page]) -> None:
        """Draw ``pages`` off the screen, so that each later appears as fast as any other."""
        ...


@dataclass(frozen=True, slots=True)
class Front:
    """The players' side of the station."""

    screen: Screen
    face: PageMaker
    """Makes the page of a station at an instant (ns)."""
    panel: ButtonPanel | None = None
    """Button, key switch and lamps, if present."""
    retrying_pins: RetryingPins[BoardPins] | None = None
    """The retried pins of a board that is not available yet; meanwhile the screen does everything."""
