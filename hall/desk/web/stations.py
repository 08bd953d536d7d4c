"""The stations: challenges that wait, what each station does, which word list it has."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hall.desk.cards.need import NeedKind
from hall.desk.web.pages import context, page


async def stations(request: Request) -> HTMLResponse:
    """Show the page."""
    return _shown(request, "stations.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return _shown(request, "_stations.html")


def _shown(request: Request, template: str) -> HTMLResponse:
    now, desk = context(request).now(), context(request).desk
    queue = [(card, need) for card in desk.by_need() for need in card.needs if need.kind is NeedKind.CHALLENGE]
    found = desk.stations(now)
    lists = {card.lexicon.sha256 for card in found if card.lexicon is not None}
    return page(request, template, queue=queue, stations=found, lists=len(lists))


routes = (Route("/stations", stations), Route("/stations/part", part))
