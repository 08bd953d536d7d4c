"""The stream that keeps every page live."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from hall.desk.access.accounts import DeskRole
from hall.desk.access.connections import client_address
from hall.desk.access.guard import DeskRoute
from hall.desk.publisher import Publisher
from hall.desk.web.pages import context

MAX_OF_ONE: Final = 256
"""Streams from one address: a browser opens one."""
MAX: Final = 2048
"""Of one publisher: spectators never take the streams of those who work in the hall."""


class _CountedStream(StreamingResponse):
    """Counts as open until it ends, also where the browser has left before its first event."""

    def __init__(self, publisher: Publisher, address: str, last: str) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(publisher.events(last), media_type="text/event-stream", headers=headers)
        self._readers, self._address = publisher.readers, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._readers[self._address] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._readers.subtract((self._address,))
            if not self._readers[self._address]:
                del self._readers[self._address]


async def stream(request: Request) -> Response:
    return streamed(request, context(request).publisher)


def streamed(request: Request, publisher: Publisher) -> Response:
    """Answer with a publisher's events until the browser leaves."""
    address, readers = client_address(request.scope), publisher.readers
    if readers[address] >= MAX_OF_ONE or readers.total() >= MAX:
        return PlainTextResponse("Too many streams are open.", 503, headers={"Retry-After": "5"})
    last = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return _CountedStream(publisher, address, last)


routes = (DeskRoute("/stream", stream, DeskRole.DEPUTY),)
