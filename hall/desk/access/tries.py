"""The limits of logging in: the wait of a known browser after wrong passwords, the pace of unknown ones, and the place where all passwords are checked.

Known by a signed cookie (OWASP, "device cookies"), not by an address: whoever guesses from any number of addresses delays no browser that has logged in before.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct, field

from rules.duration import NS

FREE: Final = 3
"""This many wrong passwords in a row have no wait."""
FIRST_NS: Final = 2 * NS
"""The wait after the next one; each further one doubles it."""
LONGEST_WAIT_NS: Final = 900 * NS


def wait_ns(wrong: int) -> int:
    """Return the wait after ``wrong`` wrong passwords in a row, in ns."""
    # Bound the shift: a million wrong passwords must not give a number of a million bits.
    return min(FIRST_NS << min(wrong - FREE - 1, 20), LONGEST_WAIT_NS) if wrong > FREE else 0


class Tries(Struct):
    """Counts the wrong passwords from each known browser and each session. Used in the one thread that checks passwords."""

    _wrong: dict[str, tuple[int, int]] = field(default_factory=dict)
    """How many in a row, and when the last one came (ns). At most as many entries as logins: only a browser that has logged in is known."""

    def begin(self, browser: str, now: int) -> int:
        """Count a try as wrong until ``right``, and return 0; or how long it has to wait yet (ns): then nothing is counted."""
        wrong, last = self._wrong.get(browser, (0, now))
        wait = wait_ns(wrong) - (now - last)
        if wait <= 0:
            self._wrong[browser] = wrong + 1, now
        return max(0, wait)

    def right(self, browser: str) -> None:
        self._wrong.pop(browser, None)


PLACES: Final = 16
"""Of those who wait: a few seconds' work."""
PLACES_OF_ONE: Final = 4
"""Places of one address: one address cannot fill them all."""
RETRY_S: Final = 5
_Made = TypeVar("_Made")


class TooBusy(Exception):
    """Too many wait already."""


AT_ONCE: Final = 100
"""Tries of unknown browsers without a pause (NIST SP 800-63B 5.2.2 allows so many for an account)."""
PAUSE_NS: Final = 15 * NS
"""Between two further ones: about 6,000 a day, over all accounts. Each pause without a try gives one back."""
_LOOK_S: Final = 0.1
_MOST_ADDRESSES: Final = 10_000


class _Waiting(NamedTuple):
    """Sorted as they enter."""

    tries_before: int
    number: int
    """The smaller, the later it came."""


class Strangers:
    """Lets the tries of unknown browsers in, one after the other: first the one whose address has tried least, of those the latest. Used in one event loop.

    Who comes from a new address and knows the password therefore waits for one pause, however many guess from theirs, and also while none of those has had its first try.
    """

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        self._now = now
        self._due = now() - AT_ONCE * PAUSE_NS
        self._inside = False
        self._numbers = count()
        self._tries = Counter[str]()
        self._waiting = list[_Waiting]()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for the turn of a try from ``address``, and have it.

        Raises:
            TooBusy: all places are taken by those who come first.
        """
        mine = _Waiting(self._tries[address], -next(self._numbers))
        self._count(address)
        self._waiting.append(mine)
        if len(self._waiting) > PLACES:
            self._waiting.remove(max(self._waiting))
        try:
            while not self._is_turn(mine):  # noqa: ASYNC110 - it comes by time too, and when others leave
                await asyncio.sleep(_LOOK_S)
        finally:
            if mine in self._waiting:
                self._waiting.remove(mine)
        self._inside = True
        self._due = max(self._due, self._now() - AT_ONCE * PAUSE_NS) + PAUSE_NS
        try:
            yield
        finally:
            self._inside = False

    def _is_turn(self, mine: _Waiting) -> bool:
        if mine not in self._waiting:
            raise TooBusy
        return not self._inside and self._due < self._now() and min(self._waiting) is mine

    def _count(self, address: str) -> None:
        self._tries[address] += 1
        if len(self._tries) > _MOST_ADDRESSES:
            del self._tries[next(iter(self._tries))]


class InTurn:
    """Heavy work, one piece after the other in a thread of its own, so that no page waits for it: a password takes 64 MiB and much of a second.

    Used in one event loop.
    """

    def __init__(self, name: str) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """How many have a place, the one whose turn it is included."""
        return self._waiting.total()

    async def run(self, address: str, work: Callable[[], _Made]) -> _Made:
        """Return what ``work`` returns.

        Raises:
            TooBusy: at once, without any work.
        """
        with self._place(address):
            return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    @contextmanager
    def _place(self, address: str) -> Iterator[None]:
        if self._waiting[address] >= PLACES_OF_ONE or self.waiting >= PLACES:
            raise TooBusy
        self._waiting[address] += 1
        try:
            yield
        finally:
            self._waiting -= Counter((address,))
