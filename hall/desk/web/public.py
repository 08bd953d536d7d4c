"""For anybody: the board, and overlays for broadcasts, each at one address for ever."""

from __future__ import annotations

import re
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from hall.desk.stream.publisher import Publisher
from hall.desk.web.pages import context, page
from hall.desk.web.stream import streamed

_SLOT: Final = re.compile(r"[0-9A-Za-z-]{1,40}")


async def board(request: Request) -> HTMLResponse:
    """Show all tables with their remaining times."""
    return page(request, "board.html", round=context(request).desk.round)


async def overlay(request: Request) -> HTMLResponse:
    """Show the table of a slot on a transparent ground."""
    slot = request.path_params["slot"]
    if not _SLOT.fullmatch(slot):
        raise HTTPException(404)
    return page(request, "overlay.html", slot=slot)


async def stream(request: Request) -> Response:
    """Answer with what spectators see until the browser leaves."""
    publisher: Publisher = request.app.state.public
    return streamed(request, publisher)


routes = (Route("/board", board), Route("/overlay/{slot}", overlay), Route("/public/stream", stream))
