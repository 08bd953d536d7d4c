"""The pages as one application, and what a request has to pass before it. Each page is a module with its ``routes``; add it to ``_PAGES``."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.display.layout import TYPEFACE
from appliance.log import get_logger
from faults.errors import Phrase, TileclockError, as_phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import LOGIN, SAFE, Access, DeskRoute, Guard
from hall.desk.desk import DirectorsDesk
from hall.desk.other_desks import OtherDesks
from hall.desk.publisher import Publisher
from hall.desk.rows import ResultKeeper, ResultWatch
from hall.desk.web import api, devices, event, login, orders, pages, public, results, rounds, tables
from hall.desk.web.api import RoundMeasures
from hall.desk.web.pages import Acting, PageContext, page, said
from hall.desk.web.public import PublicView, ShownStandings
from hall.desk.web.rounds import TimerKeeper
from hall.store.database import FAULTS, described

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: a browser would then send the origin "null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Return ``app`` with our headers in its answers. Not Starlette's own base class, which holds streams back."""

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if message["status"] >= 400:
                    headers.setdefault("Cache-Control", "no-store")
                    if scope["method"] not in SAFE:
                        # The rest of a request that is refused is not read.
                        headers["Connection"] = "close"
            await send(message)

        await app(scope, receive, answering if scope["type"] == "http" else send)

    return asked


MAX_BYTES: Final = 10 * 1024 * 1024
"""Of a request's body: the largest import is a tenth of it."""
MAX_BYTES_OF_ANYBODY: Final = 16 * 1024
"""Of a login, the one form that is read without a session."""


def secured_public(app: Starlette, hosts: Sequence[str]) -> ASGIApp:
    return _reached(RequestBodyLimitMiddleware(app, MAX_BYTES_OF_ANYBODY), hosts)


def secured(app: Starlette, access: Access, hosts: Sequence[str], now: Callable[[], int] = time.monotonic_ns) -> ASGIApp:
    """Return ``app`` behind the limits and the guard; browsers may ask for it by the names ``hosts``. ``now``: CLOCK_MONOTONIC in ns."""

    def refused(scope: Scope, role: DeskRole) -> Response:
        # The guard stands before the application, which would add itself.
        return page(Request({**scope, "app": app}), "refused.html", status=403, role=role.word)

    def say(scope: Scope, phrase: Phrase) -> str:
        return said(Request(scope), phrase)

    guard = Guard(app, access, refused=refused, say=say, now=now)
    of_anybody, of_sessions = (RequestBodyLimitMiddleware(guard, most) for most in (MAX_BYTES_OF_ANYBODY, MAX_BYTES))

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        await (of_anybody if scope.get("path") == LOGIN else of_sessions)(scope, receive, send)

    return _reached(limited, hosts)


def _reached(app: ASGIApp, hosts: Sequence[str]) -> ASGIApp:
    return _with_headers(TrustedHostMiddleware(app, hosts, www_redirect=False))


_PAGES: Final[tuple[Sequence[BaseRoute], ...]] = (
    *(tables.routes, rounds.routes, results.routes, devices.routes, login.routes),
    *(orders.routes, event.routes, public.routes, api.routes, pages.routes),
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


async def repeated(look: Callable[[], Awaitable[None]], failing: str, every_s: float) -> None:
    """Look until it is cancelled. What is ``failing`` because of the desk's files or the store is logged once, and tried again."""
    said = ""
    while True:
        why = ""
        try:
            await look()
        except (TileclockError, *FAULTS) as error:
            why = str(error) if isinstance(error, TileclockError) else described(error).problem
        if why and why != said:
            get_logger().warning(failing, why=why)
        said = why
        await asyncio.sleep(every_s)


_STATIC: Final = StaticFiles(directory=Path(__file__).parent / "static")


async def _file(request: Request) -> Response:
    """Return a file that a browser caches but asks for again: otherwise it would run an old script for days with the pages of a new desk."""
    answer = await _STATIC.get_response(request.path_params["path"], request.scope)
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
    return PlainTextResponse(said(request, as_phrase(error.detail)), error.status_code, headers=error.headers)


EVERY_S: Final = 2.0
FILES: Final = (
    DeskRoute("/typeface.ttf", _typeface, DeskRole.SPECTATOR),
    DeskRoute("/static/{path:path}", _file, DeskRole.SPECTATOR),
)


def _spectators(desk: DirectorsDesk, now: Callable[[], int]) -> Publisher:
    """Return one event stream more: what spectators see is less than what works in the hall."""
    view = PublicView(desk)

    def shared_changes(now: int) -> tuple[dict[str, Any], int]:
        content, due = view.changes(now)
        if content:
            desk.on_public(content)
        return content, due

    return Publisher(shared_changes, view.snapshot, now)


def living(*parts: Callable[[], Awaitable[None]]) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return the life of an application: ``parts`` run as long as it does."""

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        running = asyncio.gather(*(each() for each in parts))
        yield
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    return life


Look: TypeAlias = tuple[Callable[[], None], str, float]
"""What looks for news in a thread, what is wrong when that fails, and after how many seconds it looks again."""


def create_app(
    desk: DirectorsDesk,
    publisher: Publisher,
    acting: Acting,
    now: Callable[[], int] = time.monotonic_ns,
    looks: Sequence[Look] = (),
) -> Starlette:
    """Return the application, open to everybody: ``secured`` puts the guard before it.

    ``publisher`` runs as long as it; ``now`` is CLOCK_MONOTONIC in ns; ``looks`` are made as long as it runs.
    """
    acting.ordering.on_change = partial(desk.mark_old, "orders")
    measures = RoundMeasures(desk, desk.store, now)
    result_keeper = ResultKeeper(desk, desk.store)
    watch = ResultWatch(desk, desk.store, result_keeper)
    others = OtherDesks(desk, acting.store, result_keeper)
    spectators = _spectators(desk, now)
    publisher.closes_too.append(spectators)
    keeper = TimerKeeper(desk, acting, now)

    life = living(
        *(publisher.run, spectators.run),
        partial(repeated, measures.keep, "the clocks' measures cannot be kept now", EVERY_S),
        partial(repeated, watch.look, "the results cannot be read or kept now", EVERY_S / 2),
        partial(repeated, partial(run_in_threadpool, others.look), "another desk's results cannot be read or kept now", EVERY_S),
        partial(repeated, keeper.look, "the hall's timer cannot be looked after now", EVERY_S),
        partial(repeated, partial(tables.look_at_calls, desk, acting.store), "who goes to which call cannot be read now", EVERY_S),
        partial(repeated, partial(run_in_threadpool, lambda: acting.access.sessions.sweep(now())), "sessions cannot be ended now", EVERY_S),
        *(partial(repeated, partial(run_in_threadpool, look), failing, every_s) for look, failing, every_s in looks),
    )
    faults: dict[Any, Any] = {HTTPException: _no_page, **dict.fromkeys(FAULTS, _files_away)}
    app = Starlette(
        routes=[
            *(route for page in _PAGES for route in page),
            *(DeskRoute(path, RedirectResponse(page, 303), DeskRole.DEPUTY) for path, page in FORMS_OF.items()),
            *FILES,
        ],
        lifespan=life,
        exception_handlers=faults,
    )
    app.state.context = PageContext(desk, publisher, now)
    app.state.timer_keeper = keeper
    app.state.acting, app.state.public, app.state.measures = acting, spectators, measures
    app.state.result_keeper, app.state.other_desks, app.state.standings = result_keeper, others, ShownStandings(desk)
    return app
