"""Where the desk may listen, and limits that hold for everybody: connections by address, the time for a request's headers, the time of a request."""

from __future__ import annotations

import asyncio
import selectors
import socket
from asyncio import sslproto
from collections.abc import Callable, Container
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from itertools import count
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from hall.desk.access.accounts import UnsafeBind
from hall.keys.pages import PageFiles, hosts_of

_NAMES: Final = ("localhost", "127.0.0.1", "::1")


def require_safe_bind(host: str, files: PageFiles | None, *, login: bool = True) -> None:
    """Check where the desk is to listen.

    Args:
        host: a name or an address.
        files: the certificate; None: there is none.
        login: whether everybody logs in.

    Raises:
        UnsafeBind: the network can reach it, and there is no certificate or no login.
    """
    if not login and not is_loopback(host):
        raise UnsafeBind(
            where=host,
            expected="a login for pages that the network can reach",
            found="none",
            remedy="Leave --no-login out, or let the desk listen on 127.0.0.1",
        )
    if files is None and not is_loopback(host):
        raise UnsafeBind(
            where=host,
            expected="a certificate for pages that the network can reach",
            found="none, so passwords would cross the network in plain text",
            remedy="Issue one with tilehall https, or let the desk listen on 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach ``host``."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def allowed_hosts(files: PageFiles | None) -> tuple[str, ...]:
    """Return the names that a request may ask for; another one is that of a site which leads its own name to this desk."""
    own = hosts_of(files.certificate) if files is not None else ()
    return tuple(dict.fromkeys((*_NAMES, *(f"[{each}]" for each in (*_NAMES, *own) if ":" in each), *own)))


LONGEST_S: Final = 30.0
"""From the end of a request's headers to the beginning of the answer: a body that comes byte by byte ends here."""
_IPV6_NETWORK_BITS: Final = 64
_REFUSED: Final = frozenset({400, 401, 403, 404, 405, 413})
"""After these the rest of a large request is not read: the connection ends."""
_SMALL: Final = 64 * 1024


def client_address(scope: Scope) -> str:
    """Return the address of the other end; of IPv6 its network, since one machine has as many addresses there as it likes."""
    client = scope.get("client")
    return shortened(client[0]) if client else ""


def shortened(address: str) -> str:
    """Return the address by which somebody is counted."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> _IPV6_NETWORK_BITS << _IPV6_NETWORK_BITS))


class RequestTime:
    """Ends a request whose answer has not begun after ``LONGEST_S``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        timer = asyncio.timeout(LONGEST_S)

        async def stopping(message: Message) -> None:
            nonlocal started
            started = True
            timer.reschedule(None)
            if message["type"] == "http.response.start" and message["status"] in _REFUSED and _is_large(scope):
                MutableHeaders(scope=message)["connection"] = "close"
            await send(message)

        try:
            async with timer:
                await self._app(scope, receive, stopping)
        except TimeoutError:
            if started:
                raise
            await PlainTextResponse("The request took too long.", 408, headers={"connection": "close"})(scope, receive, send)


def _is_large(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    length = headers.get("content-length", "0")
    return "transfer-encoding" in headers or not length.isdigit() or int(length[:18]) > _SMALL


MAX_CONNECTIONS: Final = 600
"""Open connections from one address. What is above is closed at once, so one machine cannot take all of the process's descriptors."""
MAX_OF_ALL: Final = 4_000
"""Open connections of all addresses. For one more the oldest of the address that has most is closed: a crowd never keeps out who has few."""
ACCEPTED_IN_A_TURN: Final = 32
HEARD_IN_A_TURN: Final = 4
"""In one turn of the event loop, of connections from addresses without a login. A turn that hears a whole crowd takes a tenth of a second of the processor: much more on a busy machine."""
HEADERS_S: Final = 15.0
"""For a TLS handshake, then from there to the end of the first request's headers; after an answer uvicorn's own keep-alive time counts."""


class LimitedSocket(socket.socket):
    """The listening socket. It counts before TLS begins: a connection that never says a word is no request."""

    def __init__(self, family: socket.AddressFamily) -> None:
        # asyncio sends without delay only where the protocol is named: each page would else wait 40 ms for an acknowledgement.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._taken: dict[str, list[socket.socket]] = {}
        """By address, the oldest first; closed ones stay until a limit is reached."""
        self._turns = count(1)
        self.strangers: set[int] = set()
        """Descriptors of connections from addresses that are not known; closed ones stay until their number is used again."""
        self.is_known: Callable[[str], bool] = lambda _: True

    def accept(self) -> tuple[socket.socket, Any]:
        """Take the next connection.

        Raises:
            BlockingIOError: enough for this turn of the loop.
            ConnectionAbortedError: its address has too many; asyncio goes on with the next one.
        """
        if next(self._turns) % (ACCEPTED_IN_A_TURN + 1) == 0:
            raise BlockingIOError
        accepted, place = super().accept()
        address = shortened(place[0])
        (self.strangers.discard if self.is_known(address) else self.strangers.add)(accepted.fileno())
        if len(self._taken.get(address, ())) >= MAX_CONNECTIONS:
            self._forget_closed()
            if len(self._taken.get(address, ())) >= MAX_CONNECTIONS:
                accepted.close()
                raise ConnectionAbortedError
        self._taken.setdefault(address, []).append(accepted)
        if self._count() > MAX_OF_ALL:
            self._forget_closed()
            if self._count() > MAX_OF_ALL:
                crowded = max(self._taken, key=lambda each: len(self._taken[each]))
                oldest = self._taken[crowded].pop(0)
                with suppress(OSError):
                    oldest.shutdown(socket.SHUT_RDWR)
        return accepted, place

    def _count(self) -> int:
        return sum(map(len, self._taken.values()))

    def _forget_closed(self) -> None:
        still = {address: [each for each in taken if each.fileno() >= 0] for address, taken in self._taken.items()}
        self._taken = {address: taken for address, taken in still.items() if taken}


class _FewStrangers(selectors.DefaultSelector):
    """Returns everybody who is known, and a few strangers in the order in which they came."""

    strangers: Container[int] = ()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        few = count()
        return [each for each in super().select(timeout) if each[0].fd not in self.strangers or next(few) < HEARD_IN_A_TURN]


class PageLoop(asyncio.SelectorEventLoop):
    """An event loop in which a crowd of strangers does not delay others, and whose servers wait for a TLS handshake no longer than for a request's headers."""

    def __init__(self) -> None:
        self._few_strangers = _FewStrangers()
        super().__init__(self._few_strangers)

    def create_server(self, *args: Any, **kwargs: Any) -> Any:
        if isinstance(listening := kwargs.get("sock"), LimitedSocket):
            self._few_strangers.strangers = listening.strangers
        if kwargs.get("ssl") is not None:
            kwargs["ssl_handshake_timeout"] = HEADERS_S
        return super().create_server(*args, **kwargs)


# A buffer of each connection over TLS, which asyncio fills with zeros: its own 256 KiB are a gigabyte for a crowd that never says a word.
sslproto.SSLProtocol.max_size = 32 * 1024


class LimitedConnection(H11Protocol):
    """A connection of the desk's server."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as the base does
        super().connection_made(transport)
        self._patience = self.loop.call_later(HEADERS_S, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        super().connection_lost(exc)

    def _lose_patience(self) -> None:
        if self.scope is None:
            self.transport.abort()  # type: ignore[unreachable] # the base's type leaves out that it begins with None
