"""One table: both clocks, every event in words, what each side has used by turn, and what the rows prove."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hall.desk.web.pages import context, page
from rules.side import Side


async def table(request: Request) -> HTMLResponse:
    """Show the page."""
    return _shown(request, "table.html")


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return _shown(request, "_table_rows.html")


def _shown(request: Request, template: str) -> HTMLResponse:
    desk, name = context(request).desk, request.path_params["name"]
    card = desk.card(name)
    if card is None:
        raise HTTPException(404)
    return page(request, template, card=card, name=name, game=desk.game(card), sides=tuple(Side))


routes = (Route("/table/{name}", table), Route("/table/{name}/part", part))
