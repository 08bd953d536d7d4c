"""The round: what has not started, who is late, who will be in overtime when."""

from __future__ import annotations

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from hall.desk.cards.round import RoundView, round_view
from hall.desk.store.round_start import set_round_start
from hall.desk.web.acting import acting, number_of, text_of, who
from hall.desk.web.pages import context, page


async def rounds(request: Request) -> HTMLResponse:
    """Show the page."""
    return _shown(request, "round.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return _shown(request, "_round.html")


async def begin(request: Request) -> Response:
    """Set when the round begins, or that no time is set."""
    form = await request.form()
    given, clears = text_of(form, "minutes"), bool(text_of(form, "clear"))
    minutes = None if clears else number_of(given, MOST_MINUTES)
    if minutes is None and not clears:
        return page(
            request,
            "round.html",
            status=422,
            view=_view(request),
            round=context(request).desk.round,
            problem=f"Expected 0 to {MOST_MINUTES} minutes, found {given!r}.",
        )
    desk = context(request).desk
    desk.begin_round(await run_in_threadpool(set_round_start, acting(request).log, who(request), minutes, desk.round))
    return RedirectResponse("/round", 303)


def _shown(request: Request, template: str) -> HTMLResponse:
    return page(request, template, view=_view(request), round=context(request).desk.round, problem="")


def _view(request: Request) -> RoundView:
    desk, now = context(request).desk, context(request).now()
    return round_view(tuple(desk.cards.values()), desk.seats, desk.round_began, now)


routes = (Route("/round", rounds), Route("/round/part", part), Route("/round", begin, methods=["POST"]))
MOST_MINUTES: Final = 240
