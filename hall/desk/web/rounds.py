"""The round: what has not started, who is late, who will be in overtime when."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hall.desk.cards.round import round_view
from hall.desk.web.pages import context, page


async def rounds(request: Request) -> HTMLResponse:
    """Show the page."""
    return _shown(request, "round.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return _shown(request, "_round.html")


def _shown(request: Request, template: str) -> HTMLResponse:
    desk, now = context(request).desk, context(request).now()
    return page(request, template, view=round_view(tuple(desk.cards.values()), desk.round_began, now))


routes = (Route("/round", rounds), Route("/round/part", part))
