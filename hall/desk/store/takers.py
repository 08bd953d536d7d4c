"""Who goes to which call of the players: the first who says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from appliance.clocks import wall_time
from hall.desk.store.tables import TAKERS


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
