"""The standings for anybody, by division, live; and as a file for who works in the hall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.desk import DirectorsDesk
from hall.desk.web.pages import context, page
from hall.event.model import Event
from hall.results.book import ResultBook, applied
from hall.results.standings import Caps, Standing, standings
from hall.results.tables import standings_csv

ByDivision: TypeAlias = Mapping[str, Sequence[Standing]]


class ShownStandings:
    """The standings by a desk's results, made once for all who look. Any thread."""

    def __init__(self, desk: DirectorsDesk) -> None:
        self._desk = desk
        self._made: tuple[Event, ResultBook, Caps, ByDivision] | None = None

    def now(self) -> ByDivision:
        event, book, caps = self._desk.event, self._desk.results, self._desk.caps
        made = self._made
        if made is None or made[0] is not event or made[1] is not book or made[2] != caps:
            found = standings(applied(event, book).event, caps)
            self._made = made = event, book, caps, found
        return made[3]


async def shown(request: Request) -> HTMLResponse:
    return await _shown(request, "standings.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return await _shown(request, "_standings.html")


async def export(request: Request) -> Response:
    """Answer with the standings as a file to keep."""
    text = standings_csv(await _found(request))
    headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="standings.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


async def _found(request: Request) -> ByDivision:
    kept: ShownStandings = request.app.state.standings
    return await run_in_threadpool(kept.now)


async def _shown(request: Request, template: str) -> HTMLResponse:
    desk = context(request).desk
    return page(request, template, divisions=await _found(request), round=desk.round, cap=desk.caps.spread or desk.caps.standings)


public_routes = (
    DeskRoute("/standings", shown, DeskRole.SPECTATOR),
    DeskRoute("/standings/part", part, DeskRole.SPECTATOR),
)
routes = (*public_routes, DeskRoute("/export/standings.csv", export, DeskRole.DEPUTY))
