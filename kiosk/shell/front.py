"""What players see of the station, and what they press: the screen, and the board that is wired to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.awaited import Awaited
from kiosk.face.page import Page
from kiosk.shell.panel import Panel
from kiosk.shell.pins import StationPins
from kiosk.shell.screen import Screen
from kiosk.station.value import Station


@dataclass(frozen=True, slots=True)
class Front:
    """What players see of the station."""

    screen: Screen
    face: Callable[[Station, int], Page]
    """The page of a station at an instant (ns)."""
    panel: Panel | None = None
    """Button, key switch and lamps, where there are any."""
    awaited: Awaited[StationPins] | None = None
    """They cannot be had yet: the screen does all of it until they can."""
