"""The players' side of the station: its pages, its screen, and the wired board.

The board's edges become the station's events, its lamps show the station's state. If pins fail, they are disabled and the screen goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from msgspec import Struct

from appliance.display import screen
from appliance.log import get_logger
from faults.errors import Phrase, TileclockError
from hardware.buttons.board_pins import BoardPins
from hardware.buttons.reader import Edge
from hardware.pins.opening import RetryingPins
from kiosk.events import Adjudicate, Event, KeyTurned
from kiosk.face.page import Page
from kiosk.face.view import PageMaker
from kiosk.screens.pressing import ScreenInput
from kiosk.station import board
from kiosk.station.board import ContactChange
from kiosk.station.station import Station
from records.entry import Way

_STUCK: Final = Phrase(
    "The adjudication button has been down for a minute: free it, or look for a short in its wires. Screen and keyboard adjudicate meanwhile."
)
Timed = tuple[Event, int]
"""An event and its instant, ns."""


class ButtonPanel:
    """A board with button, key switch and lamps; a button that is down at ``now`` (ns) is not a press."""

    def __init__(self, pins: BoardPins, now: int) -> None:
        self._pins = pins
        self._lit = True
        self._rereads = True
        self._lost = 0
        self._contacts, self._startup_changes = board.begin(pins.down(), now)

    def startup_events(self) -> list[Timed]:
        """Return the events at startup: a key switch that is on."""
        return list(_events(self._startup_changes))

    def edge(self, edge: Edge) -> list[Timed]:
        self._contacts, turned = board.apply_edge(self._contacts, edge.button, edge.at, down=edge.down)
        return list(_events(turned))

    def tick(self, now: int) -> list[Timed]:
        """Return the events until ``now`` (ns)."""
        self._contacts, turned = board.tick(self._contacts, now)
        return list(_events(turned))

    def next_due(self, station: Station, now: int) -> list[int | None]:
        """Return the next instants after ``now`` (ns) at which a contact settles or a lamp changes."""
        stuck = board.stuck_at(self._contacts)
        return [
            board.contacts_next_due(self._contacts),
            board.lamps_next_due(station, now),
            stuck if stuck is not None and stuck > now else None,
        ]

    def stuck(self, now: int) -> Phrase | None:
        """Return the judge desk's text if the button is stuck at ``now`` (ns), else None."""
        since = board.stuck_at(self._contacts)
        return None if since is None or now < since else _STUCK

    def reread(self, now: int) -> int | None:
        """Reread the lines at ``now`` (ns) once they are quiet, so that a press with lost edges still counts; return when to reread."""
        if not self._rereads:
            return None
        try:
            again = self._pins.reread(now)
        except TileclockError as error:
            self._rereads = False
            get_logger().error("the buttons are no longer read again", why=str(error))
            return None
        if again is None and self._pins.lost != self._lost:
            self._lost = self._pins.lost
            get_logger().warning("edges of the buttons were lost; their lines are read again", lost=self._lost)
        return again

    def show(self, station: Station, now: int) -> None:
        """Light the lamps for the state at ``now`` (ns)."""
        if not self._lit:
            return
        try:
            self._pins.light(board.lit(station, now))
        except TileclockError as error:
            # Darken all lamps: the next players would take a lit one for their verdict.
            self._lit = False
            self._pins.release_lamps()
            get_logger().error("the lamps are given up", why=str(error))


def _events(turned: Iterable[ContactChange]) -> Iterable[Timed]:
    for each in turned:
        if each.button == board.KEY:
            yield KeyTurned(each.on), each.at
        elif each.on:
            yield Adjudicate(Way.BUTTON), each.at


Screen: TypeAlias = screen.Screen[Page, ScreenInput]
"""Shows pages."""


class Front(Struct, frozen=True):
    """The players' side of the station."""

    screen: Screen
    face: PageMaker
    """Makes the page of a station at an instant (ns)."""
    panel: ButtonPanel | None = None
    """Button, key switch and lamps, if present."""
    retrying_pins: RetryingPins[BoardPins] | None = None
    """The retried pins of a board that is not available yet; meanwhile the screen does everything."""
