"""Looks after the event while the desk runs: an import, or another round, brings other names to the tables."""

from __future__ import annotations

import threading
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from appliance.log import get_logger
from faults.errors import TileclockError
from hall.desk.desk import DirectorsDesk
from hall.desk.store import PLAYS_ROUND, SET_OVERLAY, DeskLog, end_with_round, round_of_start
from hall.desk.tiles.seating import seats_of
from hall.store.database import StorePlace
from hall.store.events import StoredEvent, changes_of, read_stored

_EVERY_S: Final = 2.0
_WHO: Final = "command line"
"""Who has changed what the desk itself did not: ``tilehall event``."""


def take_over(desk: DirectorsDesk, log: DeskLog, who: str, stored: StoredEvent) -> None:
    """Let the desk show a stored event; the start time ends with its round. Any thread."""
    # A later round may have become current while the desk was down. Another desk of the same log may have a later round than this one.
    before = desk.round or min(round_of_start(log), stored.round)
    if before not in (0, stored.round):
        desk.begin_round(end_with_round(log, who, stored.round))
    desk.take_event(stored, seats_of(stored.event, stored.round))


class EventWatch:
    """Gives the desk its seats, from a thread of its own. ``log``: where the desk keeps the round's start, and who has set the round or an overlay."""

    def __init__(self, desk: DirectorsDesk, place: StorePlace, log: DeskLog) -> None:
        self._desk, self._place, self._log = desk, place, log
        self._end = threading.Event()
        self._changes: int | None = None
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
            with self._desk.event_changes:
                stored = read_stored(self._place, self._desk.hall)
                # What changed while the desk was down is not known.
                if self._changes is not None:
                    self._note(stored)
                take_over(self._desk, self._log, _WHO, stored)
        except (TileclockError, SQLAlchemyError) as error:
            # The store's own trouble is shown by the listener.
            if str(error) != self._why:
                get_logger().warning("the event cannot be read now", why=str(error))
            self._why = str(error)
            return
        self._changes, self._why = stored.changes, ""

    def _note(self, stored: StoredEvent) -> None:
        if stored.round != self._desk.round:
            self._log.add(_WHO, PLAYS_ROUND, {"text": str(stored.round or "none")})
        for slot in sorted({slot for slot, _ in stored.overlays.items() ^ self._desk.overlays.items()}):
            table = stored.overlays.get(slot)
            shows = "has no table of its own" if table is None else f"shows table {table}"
            self._log.add(_WHO, SET_OVERLAY, {"text": f"{slot} {shows}"})
