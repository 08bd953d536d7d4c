"""Log the station's rows, and hold them in memory while the log cannot be written.

Held rows retain their own instants, and are written in order before the next row, marked ``late``. A crash or a power cut loses them, because
nothing but the log survives the program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from appliance.clocks import Clocks
from appliance.errors import Diagnosis
from appliance.finding import counted
from appliance.log import get_logger as logbook
from faults.errors import Phrase
from game.challenge_log.entry import Entry, Kind
from game.challenge_log.row import NotLogged, Row, cut, encode
from kiosk.context import Trouble, TroubleKind
from kiosk.log.log import Log

MAX_HELD: Final = 1000
"""The most rows held: days of a full disk, in a megabyte. The oldest rows are held; the next row states how many more there were."""
AT_ONCE: Final = 100
"""Late rows of one commit: a disk with little room takes some, and a verdict does not wait for a commit of each."""
LONGEST_REASON: Final = 300
"""The most characters of the reason why a row is late, so that its own text fits too."""


class LogRecorder:
    """Writes rows, and knows whether they can be written.

    Args:
        clocks: supply the rows' instants.
        station: the station's present name; set again when it changes.
        judges_on: the director permits verdicts that cannot be logged. Otherwise there is none, and its row later says that nothing was judged.
        most: the most rows held.
    """

    def __init__(self, log: Log, clocks: Clocks, station: str, *, judges_on: bool = False, most: int = MAX_HELD) -> None:
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
        """Why nothing can be written, as of the last attempt; None: it succeeded."""
        # Read once, because the self-test calls this in its own thread.
        why = self._why
        return None if why is None else Trouble(TroubleKind.LOG, why)

    @property
    def news(self) -> Phrase | None:
        """News of a damaged or lost log; None: the log is intact."""
        return self._log.news

    def commit(self, entry: Entry) -> int:
        """Write ``entry``, a verdict, to the disk and return its row.

        Raises:
            NotLogged: it is not on the disk. The verdict is held if the director permits it, otherwise a row that says that none was given.
        """
        return self._written(entry, entry if self._judges_on else replace(entry, kind=Kind.REFUSED, acceptable=None))

    def write(self, entry: Entry) -> int | None:
        """Write ``entry`` and return its row, or None if it is held instead."""
        try:
            return self._written(entry, entry)
        except NotLogged:
            return None

    def try_again(self) -> bool:
        """Try to write a row about the failure, and before it the held rows; return whether that succeeds."""
        if self._why is None:
            return True
        # If verdicts were given meanwhile, nothing was refused.
        kind = Kind.CHANGED if self._judges_on else Kind.REFUSED
        try:
            self._written(Entry(kind, why=f"for a time: {self._why}"), None)
        except NotLogged:
            return False
        return True

    def stop(self, why: str) -> int | None:
        """Log that the program ends, and ``why``; return the row, or None: it could not be written. Report how many rows are lost by that."""
        row = self.write(Entry(Kind.STOPPED, why=why))
        if lost := len(self._held) + self._lost:
            logbook().error("rows of the log are lost", rows=lost, why=str(self._why))
        return row

    def _written(self, entry: Entry, late: Entry | None) -> int:
        """Write ``entry``; on failure, hold ``late``."""
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
        """Hold ``entry``, with the instant of ``tried``."""
        if len(self._held) >= self._most:
            self._lost += 1
            return
        late = self._with_the_gap(_remarked(entry, f"late: {cut(str(self._why or ''), LONGEST_REASON)}"))
        self._held.append(replace(tried, kind=late.kind.value, body=encode(late)))
        self._lost = 0

    def _with_the_gap(self, entry: Entry) -> Entry:
        """Return ``entry``, with the number of missing rows if it is the first after a gap."""
        return _remarked(entry, f"{counted(self._lost, 'row')} before this one could not be written") if self._lost else entry


def _remarked(entry: Entry, remark: str) -> Entry:
    # At the start, because a long reason is cut at its end.
    return replace(entry, why=f"[{remark}] {entry.why or ''}".strip())
