"""Who may act for the hall: the director who has taken a call, and the desk that gives orders (the lease)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from appliance.clocks import wall_time
from hall.desk.store.tables import LEASE, TAKERS


class CallKey(NamedTuple):
    """One call: closed and opened again it is another."""

    device: str
    boot: str
    since: int


@dataclass(frozen=True, slots=True)
class Taker:
    """Who goes, and since when (UTC, ISO 8601)."""

    who: str
    at: str


@dataclass(frozen=True, slots=True)
class Takers:
    """The takers of a hall's calls."""

    engine: Engine
    hall: str

    def take(self, call: CallKey, who: str) -> bool:
        """Note that ``who`` goes; False: somebody goes already."""
        row = {"hall": self.hall, "device": call.device, "boot": call.boot, "since": str(call.since), "who": who, "at": wall_time()}
        try:
            with self.engine.begin() as connection:
                connection.execute(insert(TAKERS).values(row))
        except IntegrityError:
            return False
        return True

    def give_back(self, call: CallKey, who: str) -> bool:
        """Note that ``who`` does not go after all; False: it is not ``who`` that goes."""
        theirs = (
            TAKERS.c.hall == self.hall,
            *(TAKERS.c[name] == str(value) for name, value in call._asdict().items()),
            TAKERS.c.who == who,
        )
        with self.engine.begin() as connection:
            return connection.execute(delete(TAKERS).where(*theirs)).rowcount > 0

    def all(self) -> Mapping[CallKey, Taker]:
        """Return who goes where."""
        with self.engine.connect() as connection:
            rows = connection.execute(select(TAKERS).where(TAKERS.c.hall == self.hall))
            return {CallKey(row.device, row.boot, int(row.since)): Taker(row.who, row.at) for row in rows}


AT_START: Final = "the first desk"


@dataclass(frozen=True, slots=True)
class Holding:
    """Who holds the lease."""

    holder: str
    """The desk's name, as its certificate has it."""
    by: str
    """Who took it over."""
    since: str
    """UTC, ISO 8601."""
    term: int
    """Counts the holders."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease of a hall, as one desk sees it."""

    engine: Engine
    hall: str
    desk: str

    def holding(self) -> Holding:
        """Return who holds it now. The first desk of a hall that asks does."""
        query = select(LEASE).where(LEASE.c.hall == self.hall)
        with self.engine.connect() as connection:
            found = connection.execute(query).one_or_none()
        if found is not None:
            return Holding(found.holder, found.by, found.since, found.term)
        try:
            with self.engine.begin() as connection:
                first = {"hall": self.hall, "holder": self.desk, "by": AT_START, "since": wall_time(), "term": 1}
                connection.execute(insert(LEASE).values(first))
        except IntegrityError:
            pass  # another desk was first
        return self.holding()

    @property
    def is_ours(self) -> bool:
        """Whether this desk gives the orders."""
        return self.holding().holder == self.desk

    def take_over(self, seen: int, who: str) -> bool:
        """Move it to this desk; False: it has moved since term ``seen``, which the director saw.

        Args:
            seen: the term on the page.
            who: the director.
        """
        change = (
            update(LEASE)
            .where(LEASE.c.hall == self.hall, LEASE.c.term == seen)
            .values(holder=self.desk, by=who, since=wall_time(), term=seen + 1)
        )
        with self.engine.begin() as connection:
            return connection.execute(change).rowcount == 1
