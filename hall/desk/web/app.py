"""The pages as one application. Each page is a module with its ``routes``; add it to ``_PAGES``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles

from appliance.display.layout import TYPEFACE
from appliance.log import get_logger
from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole, Sessions
from hall.desk.access.guard import DeskFiles, DeskRoute
from hall.desk.desk import DirectorsDesk
from hall.desk.device_tests import KnownTests
from hall.desk.earlier import KnownProofs
from hall.desk.publisher import Publisher
from hall.desk.results import ResultKeeper, ResultWatch
from hall.desk.web import api, calls, devices, event, language, log, login, orders, public, results, rounds, tables, timer
from hall.desk.web.api import RoundMeasures
from hall.desk.web.pages import Acting, PageContext, said
from hall.desk.web.public import PublicView, ShownStandings
from hall.desk.web.timer import TimerKeeper
from hall.store.database import FAULTS, described

_PAGES: Final[tuple[Sequence[BaseRoute], ...]] = (
    *(tables.routes, rounds.routes, results.routes, timer.routes, devices.routes, login.routes, calls.routes),
    *(orders.routes, event.routes, log.routes, public.routes, api.routes, language.routes),
)
# A browser shows the address that a form was sent to, and asks for it when somebody loads the page again or opens a bookmark of it.
FORMS_OF: Final = {
    "/event/round": "/event",
    "/devices/update": "/devices",
    "/setup": "/assign",
    "/lease": "/log",
    "/logout": "/",
    "/slip": "/round",
}
"""Addresses that take only what a form sends, and the page with the form."""


async def _sweep(sessions: Sessions, now: Callable[[], int]) -> None:
    while True:
        sessions.sweep(now())
        await asyncio.sleep(_SWEEP_S)


class _Revalidated(StaticFiles):
    """Files that a browser keeps but asks for again: it would else run an old script for days with the pages of a new desk."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        answer = super().file_response(*args, **kwargs)
        answer.headers["Cache-Control"] = "no-cache"
        return answer


async def _typeface(_: Request) -> FileResponse:
    return FileResponse(TYPEFACE, media_type="font/ttf", headers={"Cache-Control": "max-age=86400"})


async def _files_away(request: Request, error: Exception) -> Response:
    problem = described(error).problem
    get_logger().warning("a page could not use the desk's files", why=problem)
    words = Phrase(
        "The desk cannot use its files now: {problem}. Look at the page once more before you repeat what you have sent.", problem=problem
    )
    return PlainTextResponse(said(request, words), 503, headers={"Cache-Control": "no-store"})


async def _no_page(request: Request, error: HTTPException) -> Response:
    return PlainTextResponse(said(request, error.detail), error.status_code, headers=error.headers)


_SWEEP_S: Final = 2.0
_TO_FORMS: Final = tuple(DeskRoute(path, RedirectResponse(page, 303), DeskRole.DEPUTY) for path, page in FORMS_OF.items())
FILES: Final = (
    DeskRoute("/typeface.ttf", _typeface, DeskRole.SPECTATOR),
    DeskFiles("/static", _Revalidated(directory=Path(__file__).parent / "static")),
)


def _spectators(view: PublicView, share: Callable[[Mapping[str, Any]], None], now: Callable[[], int]) -> Publisher:
    """Return one event stream more: what spectators see is less than what works in the hall."""

    def shared_changes(now: int) -> tuple[dict[str, Any], int]:
        content, due = view.changes(now)
        if content:
            share(content)
        return content, due

    return Publisher(shared_changes, view.snapshot, now)


def create_app(
    desk: DirectorsDesk,
    publisher: Publisher,
    acting: Acting,
    now: Callable[[], int] = time.monotonic_ns,
    share: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> Starlette:
    """Return the application, open to everybody: ``secured`` puts the guard before it.

    ``publisher`` runs as long as it; ``now`` is CLOCK_MONOTONIC in ns; ``share`` gets each change of what spectators see, as the keys of an event.
    """
    acting.ordering.on_change = partial(desk.mark_old, "orders")
    measures = RoundMeasures(desk, desk.store, now)
    result_keeper = ResultKeeper(desk, desk.store)
    watch = ResultWatch(desk, desk.store, result_keeper)
    spectators = _spectators(PublicView(desk), share, now)
    publisher.also_closes(spectators)
    keeper = TimerKeeper(desk, acting, now)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        running = asyncio.gather(
            *(publisher.run(), spectators.run(), measures.run(), watch.run(), keeper.run()),
            calls.watch(desk, acting.takers),
            _sweep(acting.access.sessions, now),
        )
        yield
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    faults: dict[Any, Any] = {HTTPException: _no_page, **dict.fromkeys(FAULTS, _files_away)}
    app = Starlette(routes=[*(route for page in _PAGES for route in page), *_TO_FORMS, *FILES], lifespan=life, exception_handlers=faults)
    app.state.context = PageContext(desk, publisher, now)
    app.state.timer_keeper = keeper
    app.state.acting, app.state.public, app.state.measures, app.state.proofs = acting, spectators, measures, KnownProofs(desk.store)
    app.state.tests = KnownTests(desk.store)
    app.state.result_keeper, app.state.standings = result_keeper, ShownStandings(desk)
    return app
