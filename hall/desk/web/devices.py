"""The devices: versions, link, power, record, last seen."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hall.desk.web.pages import context, page


async def devices(request: Request) -> HTMLResponse:
    """Show the page."""
    return _shown(request, "devices.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return _shown(request, "_devices.html")


def _shown(request: Request, template: str) -> HTMLResponse:
    cards = context(request).desk.devices(context(request).now())
    newest = {name: max((dict(card.versions).get(name, "") for card in cards), default="") for card in cards for name, _ in card.versions}
    return page(request, template, devices=cards, newest=newest)


routes = (Route("/devices", devices), Route("/devices/part", part))
