"""Limits that hold for everybody: how an address is counted, and the time of a request."""

from __future__ import annotations

import asyncio
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        """Answer one request."""
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
