"""The stations: challenges that wait, what each station does, which word list it has, its last verdicts."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hall.desk.cards.need import NeedKind
from hall.desk.cards.station import usual_list
from hall.desk.earlier import latest_verdicts
from hall.desk.web.pages import context, page


async def stations(request: Request) -> HTMLResponse:
    """Show the page."""
    return await _shown(request, "stations.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return await _shown(request, "_stations.html")


async def _shown(request: Request, template: str) -> HTMLResponse:
    now, desk = context(request).now(), context(request).desk
    queue = [(card, need) for card in desk.by_need() for need in card.needs if need.kind is NeedKind.CHALLENGE]
    found, devices = desk.stations(now), desk.remote_devices()
    lists = {card.lexicon.sha256 for card in found if card.lexicon is not None}
    verdicts = await run_in_threadpool(latest_verdicts, desk.store, devices)
    return page(request, template, queue=queue, stations=found, lists=len(lists), verdicts=verdicts, usual=usual_list(devices))


routes = (Route("/stations", stations), Route("/stations/part", part))
