"""The log of what the desk did: who, what, to whom. Entries are added, never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Engine, Select, insert, select

from appliance.clocks import wall_time
from hall.desk.store.tables import LOG

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
