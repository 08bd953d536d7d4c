"""The lease: of several desks of a hall one gives orders. It never moves by itself: taking over is a director's act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine, insert, select, update
from sqlalchemy.exc import IntegrityError

from appliance.clocks import wall_time
from hall.desk.store.tables import LEASE

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
