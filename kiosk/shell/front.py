"""The players' side of the station: the screen and the wired board."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.pins.retrying import RetryingPins
from kiosk.shell.face import Face
from kiosk.shell.panel import ButtonPanel
from kiosk.shell.pins import StationPins
from kiosk.shell.screen import Screen


@dataclass(frozen=True, slots=True)
class Front:
    """The players' side of the station."""

    screen: Screen
    face: Face
    """Makes the page of a station at an instant (ns)."""
    panel: ButtonPanel | None = None
    """Button, key switch and lamps, if present."""
    retrying_pins: RetryingPins[StationPins] | None = None
    """The retried pins of a board that is not available yet; meanwhile the screen does everything."""
