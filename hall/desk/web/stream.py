"""The stream that keeps every page live."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from hall.desk.publisher import Publisher
from hall.desk.web.pages import context

MAX_OF_ONE: Final = 256
"""Streams from one address: a browser opens one."""
MAX: Final = 2048
"""Streams at all."""


class _Open:
    """How many streams are open, by address."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        if self._counts[address] >= MAX_OF_ONE or self._counts.total() >= MAX:
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._counts[address] -= 1
        if self._counts[address] <= 0:
            del self._counts[address]


async def stream(request: Request) -> Response:
    """Answer with events until the browser leaves."""
    return streamed(request, context(request).publisher)


def streamed(request: Request, publisher: Publisher) -> Response:
    """Answer with a publisher's events until the browser leaves."""
    streams: _Open = request.app.state.__dict__["_state"].setdefault("streams", _Open())
    address = "" if request.client is None else request.client.host
    if not streams.enter(address):
        return PlainTextResponse("Too many streams are open.", 503, headers={"Retry-After": "5"})
    last = request.headers.get("last-event-id") or request.query_params.get("after", "")
    events = publisher.events(last)

    async def sent() -> AsyncIterator[bytes]:
        try:
            async for each in events:
                yield each
        finally:
            streams.leave(address)

    return StreamingResponse(sent(), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


routes = (Route("/stream", stream),)
