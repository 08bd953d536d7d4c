"""The station's rows on their way into the log, and what it means for the players where they cannot be written."""

from __future__ import annotations

from dataclasses import replace

from hardware.clocks import Clocks
from hardware.logbook import log as logbook
from kiosk.challenge.entry import Entry, Kind
from kiosk.challenge.standing import Ailment, Trouble
from kiosk.log.errors import NotLogged
from kiosk.log.log import Log


class Record:
    """Writes rows, and knows whether they can be written.

    Args:
        log: the log.
        clocks: the instants of the rows.
        station: the station's name, as it is now; set anew when it changes.
    """

    def __init__(self, log: Log, clocks: Clocks, station: str) -> None:
        self.station = station
        self._log = log
        self._clocks = clocks
        self._lost = 0
        self._why = log.trouble

    @property
    def trouble(self) -> Trouble | None:
        """Why nothing can be written, as far as it was tried; None: the last row was."""
        # Asked once: the self-test reads it in a thread of its own.
        why = self._why
        return None if why is None else Trouble(Ailment.LOG, why)

    @property
    def told(self) -> str | None:
        """What became of a log that was damaged or lost; None: the log is the one it was."""
        return self._log.told

    def commit(self, entry: Entry) -> int:
        """Return the row that ``entry`` has now: it is on the disk.

        Raises:
            NotLogged: it is not.
        """
        try:
            row = self._log.append(self._with_the_gap(entry), self._clocks.now(), self.station)
        except NotLogged as error:
            self._lost += 1
            if self._why is None:
                logbook().error("the log cannot be written", why=str(error))
            self._why = str(error)
            raise
        if self._why is not None:
            logbook().info("the log is written again", lost=self._lost)
        self._why, self._lost = None, 0
        return row

    def keep(self, entry: Entry) -> int | None:
        """Return the row that ``entry`` has now, or None where it could not be written: nobody waits for it."""
        try:
            return self.commit(entry)
        except NotLogged:
            return None

    def try_again(self) -> bool:
        """Try to write that nothing could be written; tell whether it can be now."""
        return self._why is None or self.keep(Entry(Kind.REFUSED, why=f"for a time: {self._why}")) is not None

    def _with_the_gap(self, entry: Entry) -> Entry:
        """The first row after a gap says how many are missing."""
        if not self._lost:
            return entry
        return replace(entry, why=f"{entry.why or ''} [{self._lost} rows before this one could not be written]".strip())
