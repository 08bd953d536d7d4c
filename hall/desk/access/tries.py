"""The limits of logging in: how long a try waits after wrong passwords, counted by account and address across restarts, and the place where all are checked."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar

from msgspec import Struct, field
from sqlalchemy import ColumnElement, Connection, Engine, delete, func, insert, select, update

from hall.desk.store import TRIES
from rules.duration import NS

FREE: Final = 3
"""This many wrong passwords in a row have no wait."""
FIRST_NS: Final = 2 * NS
"""The wait after the next one; each further one doubles it."""
LONGEST_FROM_ADDRESS_NS: Final = 900 * NS
LONGEST_FOR_ACCOUNT_NS: Final = 60 * NS
"""Shorter: whoever types wrong passwords on purpose must not lock a director out. An address that the account was opened from does not wait for the account at all."""
MAX: Final = 10_000
"""Pairs of account and address; the oldest goes."""


def wait_ns(wrong: int, longest: int) -> int:
    """Return the wait after ``wrong`` wrong passwords in a row, in ns."""
    # Bound the shift: a million wrong passwords must not give a number of a million bits.
    return min(FIRST_NS << min(wrong - FREE - 1, 20), longest) if wrong > FREE else 0


class Tries(Struct):
    """Counts the wrong passwords. Used from any thread.

    The store holds counts, no instants, since no wall clock is trusted: after a restart of the desk each wait begins again.
    """

    engine: Engine
    start: int
    """When the desk started, in ns of CLOCK_MONOTONIC."""
    _last: dict[tuple[str, str], int] = field(default_factory=dict)
    """The last wrong password since the start: by account (with an empty address), and by address (with an empty account)."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _known: set[tuple[str, str]] = field(default_factory=set)
    _addresses: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        with self.engine.connect() as connection:
            rows = connection.execute(select(TRIES.c.account, TRIES.c.address).where(TRIES.c.known == 1))
            for row in rows:
                self._learn(row.account, row.address)

    def is_known(self, account: str, address: str) -> bool:
        """Return whether the account has been opened from that address, without asking the store."""
        return (account, address) in self._known

    def knows(self, address: str) -> bool:
        """Return whether any account has been opened from that address, without asking the store."""
        return address in self._addresses

    def begin(self, account: str, address: str, now: int) -> int:
        """Count a try as wrong until ``right``, and return 0; or how long it has to wait yet (ns): then nothing is counted.

        Counting comes first, so that many tries at once are as slow as one after the other.
        """
        with self._lock, self.engine.begin() as connection:
            wait = self._wait(connection, account, address, now)
            if wait <= 0:
                _count(connection, account, address)
                self._last[account, ""] = self._last["", address] = now
            return max(0, wait)

    def right(self, account: str, address: str) -> None:
        """Note that the password was right."""
        with self._lock, self.engine.begin() as connection:
            connection.execute(update(TRIES).where(_pair(account, address)).values(wrong=0, known=1))
        self._learn(account, address)

    def _learn(self, account: str, address: str) -> None:
        self._known.add((account, address))
        self._addresses.add(address)

    def _wait(self, connection: Connection, account: str, address: str, now: int) -> int:
        at_address = _sum(connection, TRIES.c.address == address)
        wait = wait_ns(at_address, LONGEST_FROM_ADDRESS_NS) - (now - self._last.get(("", address), self.start))
        if connection.execute(select(TRIES.c.known).where(_pair(account, address))).scalar():
            return wait
        for_account = wait_ns(_sum(connection, TRIES.c.account == account), LONGEST_FOR_ACCOUNT_NS)
        return max(wait, for_account - (now - self._last.get((account, ""), self.start)))


def _pair(account: str, address: str) -> ColumnElement[bool]:
    return (TRIES.c.account == account) & (TRIES.c.address == address)


def _sum(connection: Connection, where: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.coalesce(func.sum(TRIES.c.wrong), 0)).where(where)).scalar_one())


def _count(connection: Connection, account: str, address: str) -> None:
    counted = connection.execute(update(TRIES).where(_pair(account, address)).values(wrong=TRIES.c.wrong + 1))
    if counted.rowcount == 0:
        oldest = select(func.max(TRIES.c.n)).scalar_subquery() - MAX
        connection.execute(delete(TRIES).where(TRIES.c.n <= oldest, TRIES.c.known == 0))
        connection.execute(insert(TRIES).values(account=account, address=address, wrong=1, known=0))


PLACES: Final = 16
"""Of those who wait, on each side: a few seconds' work."""
PLACES_OF_ONE: Final = 4
"""Places of one address: one address cannot fill them all."""
RETRY_S: Final = 5
_Made = TypeVar("_Made")


class TooBusy(Exception):
    """Too many wait already."""


class _Side:
    """Those who wait together, in the order in which they came."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        return self._waiting.total()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        if self._waiting[address] >= PLACES_OF_ONE or self.waiting >= PLACES:
            raise TooBusy
        self._waiting[address] += 1
        try:
            yield
        finally:
            self._waiting -= Counter((address,))


class InTurn:
    """Heavy work, one piece after the other in a thread of its own, so that no page waits for it: a password takes 64 MiB and much of a second.

    Whoever is known waits on a side of their own, which has every second turn. Used in one event loop.
    """

    def __init__(self, name: str) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._turn = asyncio.Lock()
        self._sides = {known: _Side() for known in (True, False)}

    @property
    def waiting(self) -> int:
        """How many have a place, the one whose turn it is included."""
        return sum(each.waiting for each in self._sides.values())

    async def run(self, address: str, work: Callable[[], _Made], *, known: bool) -> _Made:
        """Return what ``work`` returns.

        Raises:
            TooBusy: at once, without any work.
        """
        side = self._sides[known]
        with side.place(address):
            async with side.turn, self._turn:
                return await asyncio.get_running_loop().run_in_executor(self._worker, work)
