"""Limits that strangers meet at the desk: where it may listen, connections by address, and passwords.

What uvicorn and asyncio have to say is mostly of strangers' requests too: it is counted here, and does not fill the log.

For passwords: the wait of a known browser after wrong ones, and the pace of unknown ones. A browser is known by a signed cookie
(OWASP, "device cookies"), not by an address: whoever guesses from any number of addresses delays no browser that has logged in before.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import h11
from msgspec import Struct, field
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from appliance.log import get_logger
from hall.errors import HallError
from hall.keys.pages import PageFiles, hosts_of
from hall.listening import LimitedSocket, shortened
from hall.settings import DeskSettings
from rules.duration import NS

FREE: Final = 3
"""This many wrong passwords in a row have no wait."""
FIRST_NS: Final = 2 * NS
"""The wait after the next one; each further one doubles it."""
LONGEST_WAIT_NS: Final = 900 * NS


def wait_ns(wrong: int) -> int:
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
"""Of unknown browsers that wait."""
RETRY_S: Final = 5


class TooBusy(Exception):
    """Too many wait already."""


AT_ONCE: Final = 100
"""Tries of unknown browsers without a pause (NIST SP 800-63B 5.2.2 allows so many for an account)."""
PAUSE_NS: Final = 15 * NS
"""Between two further ones: about 6,000 a day, over all accounts. Each pause without a try gives one back."""


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
                await asyncio.sleep(0.1)
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
        if len(self._tries) > 10_000:
            del self._tries[next(iter(self._tries))]


class CountedLog(logging.Handler):
    """Writes the first record of a minute, with how many came since the last written one: a line, or a traceback, for each logger and level."""

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__()
        self._now = now
        self._counts: Counter[tuple[str, int]] = Counter()
        self._next: dict[tuple[str, int], int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        kind, now = (record.name, record.levelno), self._now()
        self._counts[kind] += 1
        if now < self._next.get(kind, now):
            return
        self._next[kind] = now + 60 * NS
        said, count = record.getMessage().partition("\n")[0], self._counts.pop(kind)
        if record.exc_info:
            get_logger().exception(said, source=record.name, times=count, error=repr(record.exc_info[1]))
        else:
            get_logger().warning(said, source=record.name, times=count)


_COUNTED: Final = CountedLog()


def count_server_log() -> None:
    """Let the log have what uvicorn and asyncio say, counted; else Python writes each record to the standard error output."""
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addHandler(_COUNTED)


_NAMES: Final = ("localhost", "127.0.0.1", "::1")


def require_safe_bind(host: str, files: PageFiles | None, *, login: bool = True) -> None:
    """Check where the desk is to listen.

    Args:
        host: a name or an address.
        files: the certificate.
        login: whether everybody logs in.

    Raises:
        HallError: the network can reach it, and there is no certificate or no login.
    """
    if not login and not is_loopback(host):
        raise HallError(
            where=host,
            expected="a login for pages that the network can reach",
            found="none",
            remedy="Leave --no-login out, or let the desk listen on 127.0.0.1",
        )
    if files is None and not is_loopback(host):
        raise HallError(
            where=host,
            expected="a certificate for pages that the network can reach",
            found="none, so passwords would cross the network in plain text",
            remedy="Issue one with tilehall https, or let the desk listen on 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def page_certificate(settings: DeskSettings) -> PageFiles | None:
    """Return the certificate of the pages; None: plain HTTP on the loopback."""
    found = PageFiles.beside(Path(settings.folder))
    files = found if found.certificate.exists() and found.key.exists() and not is_loopback(settings.address) else None
    require_safe_bind(settings.address, files, login=settings.login)
    return files


def allowed_hosts(files: PageFiles | None) -> tuple[str, ...]:
    """Return the names that a request may ask for; another one is that of a site which leads its own name to this desk."""
    own = hosts_of(files.certificate) if files is not None else ()
    return tuple(dict.fromkeys((*_NAMES, *(f"[{each}]" for each in (*_NAMES, *own) if ":" in each), *own)))


def client_address(scope: Scope) -> str:
    """Return the address of the other end; of IPv6 its network, since one machine has as many addresses there as it likes."""
    client = scope.get("client")
    return shortened(client[0]) if client else ""


class PageSocket(LimitedSocket):
    of_one, of_all = 600, 4_000


class LimitedConnection(H11Protocol):
    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, unless an answer has begun, and end the connection. Over TLS its end takes a while, in which nothing more may be sent."""
        if self.cycle is not None:
            self.cycle.disconnected = not self.cycle.response_complete
            self.cycle.message_event.set()
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()
