"""The desk's log: who did what when; and when the round begins, as the director has set it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine, Select, insert, select

from appliance.clocks import wall_time
from hall.desk.store.tables import LOG
from rules.duration import NS

LOGIN: Final = "login"
NOT_LET_IN: Final = "not let in"
LOGOUT: Final = "logout"
CHANGED: Final = "changed the password"
TOOK_OVER: Final = "took over"
TOOK_CALL: Final = "took call"
CANNOT_COME: Final = "cannot come"
ROUND_BEGINS: Final = "set the round's beginning"
IMPORTED: Final = "imported"
PLAYS_ROUND: Final = "set the round that is played"
SET_OVERLAY: Final = "set an overlay"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One act."""

    n: int
    at: str
    """UTC, ISO 8601."""
    desk: str
    who: str
    what: str
    """An order's ``do``, or one of the words above."""
    request: str | None
    """The id of the act whose orders and answers are in the book of orders."""
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DeskLog:
    """The log of one hall, as this desk writes it."""

    engine: Engine
    hall: str
    desk: str

    def add(self, who: str, what: str, detail: Mapping[str, Any], request: str | None = None) -> None:
        """Add an entry, on the disk when this returns."""
        text = json.dumps(detail, ensure_ascii=False)
        entry = {"hall": self.hall, "at": wall_time(), "desk": self.desk, "who": who, "what": what, "request": request, "detail": text}
        with self.engine.begin() as connection:
            connection.execute(insert(LOG).values(entry))

    def last(self, what: str) -> LogEntry | None:
        """Return the latest entry of that act; None: there is none."""
        return next(iter(self._read(select(LOG).where(LOG.c.what == what), 1)), None)

    def latest(self, most: int, before: int | None = None) -> tuple[LogEntry, ...]:
        """Return the latest entries, newest first; those before number ``before`` where it is given."""
        return self._read(select(LOG) if before is None else select(LOG).where(LOG.c.n < before), most)

    def _read(self, query: Select[Any], most: int) -> tuple[LogEntry, ...]:
        query = query.where(LOG.c.hall == self.hall).order_by(LOG.c.n.desc()).limit(most)
        with self.engine.connect() as connection:
            return tuple(
                LogEntry(row.n, row.at, row.desk, row.who, row.what, row.request, json.loads(row.detail))
                for row in connection.execute(query)
            )


_AT: Final = "at"
_ROUND: Final = "round"


def set_round_start(log: DeskLog, who: str, minutes: int | None, number: int, order_request: str | None = None) -> int | None:
    """Note that the round begins in so many minutes, or that no time is set (None); return the instant (ns of CLOCK_MONOTONIC).

    ``number``: the round that is current. ``order_request``: the id of the orders that take it to the clocks; None: there are none.
    """
    at = None if minutes is None else datetime.now(UTC) + timedelta(minutes=minutes)
    text = "no start time" if minutes is None else f"in {minutes} min" if minutes else "now"
    log.add(who, ROUND_BEGINS, {_AT: None if at is None else at.isoformat(timespec="seconds"), _ROUND: number, "text": text}, order_request)
    return None if minutes is None else time.monotonic_ns() + minutes * 60 * NS


def end_with_round(log: DeskLog, who: str, number: int) -> int | None:
    """Note that the start time ends because round ``number`` is current now; return what ``round_start`` then does.

    A start time that is still ahead stays: it is that of the round to come.
    """
    at, entry = round_start(log), log.last(ROUND_BEGINS)
    if at is None or entry is None:
        return None
    if entry.detail.get(_ROUND) == number:
        # Another desk of this log knew of the round earlier: the time was set in it, or kept for it.
        return at
    current = f"round {number}" if number else "no round"
    if at > time.monotonic_ns():
        log.add(who, ROUND_BEGINS, {**entry.detail, _ROUND: number, "text": f"as set before, although {current} is current now"})
        return at
    log.add(who, ROUND_BEGINS, {_AT: None, "text": f"no start time, because {current} is current now"})
    return None


def round_of_start(log: DeskLog) -> int:
    """Return the round that was current when the start time was set, or kept; 0: there is no start time, or no round was known."""
    entry = log.last(ROUND_BEGINS)
    return 0 if entry is None or entry.detail.get(_AT) is None else int(entry.detail.get(_ROUND, 0))


def round_start(log: DeskLog) -> int | None:
    """Return when the round begins or began (ns of CLOCK_MONOTONIC); None: no time is set."""
    entry = log.last(ROUND_BEGINS)
    at = None if entry is None else entry.detail.get(_AT)
    if not isinstance(at, str):
        return None
    ahead = datetime.fromisoformat(at) - datetime.now(UTC)
    return time.monotonic_ns() + round(ahead.total_seconds() * NS)
