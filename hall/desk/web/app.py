"""The pages as one application. Each page is a module with its ``routes``; add it to ``_PAGES``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from appliance.display.typeface import TYPEFACE
from hall.desk.desk import DirectorsDesk
from hall.desk.stream.publisher import Publisher
from hall.desk.web import devices, hall, rounds, stations, stream, table
from hall.desk.web.headers import SecurityHeaders
from hall.desk.web.pages import PageContext

_PAGES: Final[tuple[Sequence[BaseRoute], ...]] = (hall.routes, table.routes, stations.routes, rounds.routes, devices.routes, stream.routes)


async def _typeface(_: Request) -> FileResponse:
    return FileResponse(TYPEFACE, media_type="font/ttf")


_FILES: Final = (Route("/typeface.ttf", _typeface), Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")))


def create_app(
    desk: DirectorsDesk, publisher: Publisher, middleware: Sequence[Middleware] = (), now: Callable[[], int] = time.monotonic_ns
) -> Starlette:
    """Return the application.

    Args:
        desk: what the pages show.
        publisher: their stream; it runs as long as the application.
        middleware: who may see what; it is asked before any page.
        now: CLOCK_MONOTONIC in ns.
    """

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        running = asyncio.create_task(publisher.run())
        yield
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    app = Starlette(
        routes=[*(route for page in _PAGES for route in page), *_FILES],
        middleware=[Middleware(SecurityHeaders), *middleware],
        lifespan=life,
    )
    app.state.context = PageContext(desk, publisher, now)
    return app
