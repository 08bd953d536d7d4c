"""The station's rows on their way into the log, and what it means for the players where they cannot be written.

What could not be written is held in memory, each row with its own instant, and written in order before the next one, marked ``late``. A crash or a loss of power
meanwhile loses what is held: nothing but the log outlives the program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from appliance.checks.finding import counted
from appliance.clocks import Clocks
from appliance.errors import Diagnosis
from appliance.log import get_logger as logbook
from appliance.phrase import Phrase
from kiosk.challenge.context import Ailment, Trouble
from kiosk.challenge.entry import Entry, Kind
from kiosk.log.body import cut, encode
from kiosk.log.errors import NotLogged
from kiosk.log.log import Log
from kiosk.log.row import Row

MOST_HELD: Final = 1000
"""Rows: days of a full disk, in a megabyte. The oldest are kept; how many there were beyond that the next row says."""
AT_ONCE: Final = 100
"""Late rows in one commit: a disk with little room takes some, and the verdict that waits behind them does not wait for each."""
LONGEST_REASON: Final = 300
"""Characters of why a row is late: what it says itself has room beside that."""


class Record:
    """Writes rows, and knows whether they can be written.

    Args:
        log: the log.
        clocks: the instants of the rows.
        station: the station's name, as it is now; set anew when it changes.
        judges_on: the director lets verdicts be given that cannot be written. Else none is: the row, once it can be written, says that nothing was judged.
        most: so many rows are held at once.
    """

    def __init__(self, log: Log, clocks: Clocks, station: str, *, judges_on: bool = False, most: int = MOST_HELD) -> None:
        self.station = station
        self._log = log
        self._clocks = clocks
        self._judges_on = judges_on
        self._most = most
        self._held: list[Row] = []
        self._lost = 0
        self._why = log.trouble

    @property
    def trouble(self) -> Trouble | None:
        """Why nothing can be written, as far as it was tried; None: the last row was."""
        # Asked once: the self-test reads it in a thread of its own.
        why = self._why
        return None if why is None else Trouble(Ailment.LOG, why)

    @property
    def told(self) -> Phrase | None:
        """What became of a log that was damaged or lost; None: the log is the one it was."""
        return self._log.told

    def commit(self, entry: Entry) -> int:
        """Return the row that ``entry``, a verdict, has now: it is on the disk.

        Raises:
            NotLogged: it is not. Where verdicts are given all the same it is held, else that it was not given.
        """
        return self._written(entry, entry if self._judges_on else replace(entry, kind=Kind.REFUSED, acceptable=None))

    def keep(self, entry: Entry) -> int | None:
        """Return the row that ``entry`` has now, or None where it could not be written and is held: nobody waits for it."""
        try:
            return self._written(entry, entry)
        except NotLogged:
            return None

    def try_again(self) -> bool:
        """Try to write that nothing could be written, and before it what is held; tell whether it can be now."""
        if self._why is None:
            return True
        # Where verdicts were given nothing was refused.
        kind = Kind.CHANGED if self._judges_on else Kind.REFUSED
        try:
            self._written(Entry(kind, why=f"for a time: {self._why}"), None)
        except NotLogged:
            return False
        return True

    def stop(self, why: str) -> None:
        """Keep that the program ends, and ``why``; say how many rows end with it, for they could not be written to the last."""
        self.keep(Entry(Kind.STOPPED, why=why))
        if lost := len(self._held) + self._lost:
            logbook().error("rows of the log are lost", rows=lost, why=str(self._why))

    def _written(self, entry: Entry, late: Entry | None) -> int:
        """Write ``entry``; where it cannot be, hold ``late``."""
        at = self._clocks.now()
        row = self._log.row(self._with_the_gap(entry), at, self.station)
        try:
            self._catch_up()
            seq = self._log.write((row,))
        except NotLogged as error:
            self._failed(Diagnosis.of(error))
            if late is not None:
                self._hold(late, row)
            raise
        if self._why is not None:
            logbook().info("the log is written again", lost=self._lost)
        self._why, self._lost = None, 0
        return seq

    def _catch_up(self) -> None:
        while self._held:
            self._log.write(self._held[:AT_ONCE], late=True)
            del self._held[:AT_ONCE]

    def _failed(self, why: Diagnosis) -> None:
        if self._why is None:
            logbook().error("the log cannot be written", why=str(why))
        self._why = why

    def _hold(self, entry: Entry, tried: Row) -> None:
        """Keep ``entry`` for later, with the instant at which it was ``tried``."""
        if len(self._held) >= self._most:
            self._lost += 1
            return
        late = self._with_the_gap(_remarked(entry, f"late: {cut(str(self._why or ''), LONGEST_REASON)}"))
        self._held.append(replace(tried, kind=late.kind.value, body=encode(late)))
        self._lost = 0

    def _with_the_gap(self, entry: Entry) -> Entry:
        """The first row after a gap says how many are missing."""
        return _remarked(entry, f"{counted(self._lost, 'row')} before this one could not be written") if self._lost else entry


def _remarked(entry: Entry, remark: str) -> Entry:
    # Before what the row says itself, whose end is cut where it is too long.
    return replace(entry, why=f"[{remark}] {entry.why or ''}".strip())
