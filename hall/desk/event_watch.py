"""Looks after the event while the desk runs: an import, or another round, brings other names to the tables."""

from __future__ import annotations

import threading
from typing import Final

from appliance.errors import TileclockError
from appliance.log import get_logger
from hall.desk.cards.seating import seats_of
from hall.desk.desk import DirectorsDesk
from hall.store.database import StorePlace
from hall.store.events import changes_of, read_stored

_EVERY_S: Final = 2.0


class EventWatch:
    """Gives the desk its seats, from a thread of its own.

    Args:
        desk: whose seats.
        place: where the event is stored.
    """

    def __init__(self, desk: DirectorsDesk, place: StorePlace) -> None:
        self._desk, self._place = desk, place
        self._end = threading.Event()
        self._changes = 0
        self._why = ""

    def stop(self) -> None:
        """End ``run``; any thread."""
        self._end.set()

    def run(self) -> None:
        """Look until ``stop``."""
        while True:
            self.look()
            if self._end.wait(_EVERY_S):
                return

    def look(self) -> None:
        """Take over what has changed."""
        try:
            changes = changes_of(self._place, self._desk.hall)
            if changes == self._changes:
                return
            stored = read_stored(self._place, self._desk.hall)
        except TileclockError as error:
            # The store's own trouble is shown by the listener.
            if str(error) != self._why:
                get_logger().warning("the event cannot be read now", why=str(error))
            self._why = str(error)
            return
        self._changes, self._why = stored.changes, ""
        self._desk.take_event(stored, seats_of(stored.event, stored.round))
