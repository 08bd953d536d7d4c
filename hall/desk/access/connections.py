"""Where the desk may listen, and limits that hold for everybody: connections by address, the time for a request's headers, the time of a request."""

from __future__ import annotations

import asyncio
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar, Final

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
HEADERS_S: Final = 15.0
"""From the connection to the end of the first request's headers; after an answer uvicorn's own keep-alive time counts."""


class LimitedConnection(H11Protocol):
    """A connection of the desk's server."""

    _open: ClassVar[dict[str, dict[LimitedConnection, None]]] = {}
    """By address, the oldest first; of this process."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._address: str | None = None
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as the base does
        """Count the connection, or close it."""
        super().connection_made(transport)
        address = shortened(self.client[0]) if self.client else ""
        if len(self._open.get(address, ())) >= MAX_CONNECTIONS:
            transport.abort()
            return
        self._address = address
        self._open.setdefault(address, {})[self] = None
        self._patience = self.loop.call_later(HEADERS_S, self._lose_patience)
        if sum(map(len, self._open.values())) > MAX_OF_ALL:
            crowded = max(self._open, key=lambda each: len(self._open[each]))
            next(iter(self._open[crowded])).end()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._forget()
        super().connection_lost(exc)

    def end(self) -> None:
        """Close it at once."""
        self._forget()
        self.transport.abort()

    def _forget(self) -> None:
        if self._address is not None:
            same = self._open[self._address]
            del same[self]
            if not same:
                del self._open[self._address]
            self._address = None

    def _lose_patience(self) -> None:
        if self.scope is None:
            self.transport.abort()  # type: ignore[unreachable] # the base's type leaves out that it begins with None
