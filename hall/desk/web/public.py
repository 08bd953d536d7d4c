"""For anybody: the board, overlays for broadcasts, each at one address for ever, and the standings, all live. Names and remaining times; no calls, no devices, no troubles.

Also the stream that keeps the pages of the hall live.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from appliance.texts import received, sent
from game.game import Phase
from hall.desk.access.accounts import AccountError, DeskRole
from hall.desk.access.guard import DeskRoute, visit_of
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import Publisher, tile_json
from hall.desk.tiles.folded import TileSide
from hall.desk.tiles.table import TableTile
from hall.desk.web.pages import acting, context, live, page
from hall.event.model import Event
from hall.results.book import ResultBook, applied
from hall.results.standings import Caps, Standing, standings, standings_csv
from hall.status import phase_words
from rules.duration import NS
from rules.side import BySide, Side

_KEYS: Final = ("id", "table", "division", "sides", "at", "runs", "about", "phase", "doing", "stale", "game")


def public_tile(tile: TableTile) -> dict[str, Any]:
    whole = tile_json(tile)
    # Why a clock stands, and whether the desk has stopped it, is not for spectators.
    doing = phase_words(tile.phase, None) if tile.phase == Phase.NEUTRAL.value else tile.doing
    return {key: whole[key] for key in _KEYS} | {"doing": sent(doing)}


def tile_of(shown: Mapping[str, Any]) -> TableTile:
    """Return the tile that ``public_tile`` shows; what is not public is empty."""
    sides, runs, at, stale = shown["sides"], shown["runs"], shown["at"], shown["stale"]
    return TableTile(
        id=shown["id"],
        table=shown["table"],
        name="",
        division=shown["division"],
        sides=None if sides is None else BySide(_side(sides["left"]), _side(sides["right"])),
        named=False,
        at=None if at is None else at * 1000,
        running=None if runs is None else Side(runs),
        about=shown["about"],
        phase=shown["phase"],
        doing=received(shown["doing"]),
        since=None,
        needs=(),
        stale=None if stale is None else stale * 1000,
        up=True,
        rulebook="",
        game=shown["game"],
        rows=0,
        missing=0,
    )


def _side(shown: Mapping[str, Any]) -> TileSide:
    return TileSide(shown["left"], 0, shown["penalty"], shown["name"])


class PublicView:
    """The public stream's content, from the desk's tiles. Used in the event loop."""

    def __init__(self, desk: DirectorsDesk) -> None:
        self._desk = desk
        self._seen: dict[str, TableTile] = {}
        self._shown: dict[str, dict[str, Any]] = {}
        self._beside: dict[str, Any] = {"round": 0, "overlays": {}, "timer": None, "standings": 0}
        self._event, self._results = Event(), ResultBook()

    def changes(self, now: int) -> tuple[dict[str, Any], int]:
        content: dict[str, Any] = {}
        changed = []
        for name, tile in self._desk.tiles.items():
            # A tile stays the same value until something changes.
            if self._seen.get(name) is tile:
                continue
            self._seen[name] = tile
            shown = public_tile(tile)
            if self._shown.get(name) != shown:
                self._shown[name] = shown
                changed.append(shown)
        if changed:
            content["tiles"] = changed
        beside = {**self._beside, "round": self._desk.round, "overlays": dict(self._desk.overlays), "timer": self._desk.timer}
        if self._event is not self._desk.event or self._results is not self._desk.results:
            self._event, self._results = self._desk.event, self._desk.results
            beside["standings"] += 1
        content |= {name: value for name, value in beside.items() if value != self._beside[name]}
        self._beside = beside
        return content, now + NS // 4

    def snapshot(self) -> dict[str, Any]:
        return {"hall": self._desk.hall, "tiles": list(self._shown.values()), **self._beside}


async def board(request: Request) -> HTMLResponse:
    return page(request, "board.html", round=context(request).desk.round)


async def overlay(request: Request) -> HTMLResponse:
    """Show the table of a slot on a transparent ground."""
    slot = request.path_params["slot"]
    if not re.fullmatch(r"[0-9A-Za-z-]{1,40}", slot):
        raise HTTPException(404)
    return page(request, "overlay.html", slot=slot)


async def stream(request: Request) -> Response:
    """Answer with events until the browser leaves, or its session ends."""
    return _events(context(request).publisher, partial(_is_open, request))


async def public_stream(request: Request) -> Response:
    return _events(request.app.state.public, lambda: True)


def _events(publisher: Publisher, may_go_on: Callable[[], bool]) -> Response:
    async def events() -> AsyncIterator[bytes]:
        async for each in publisher.events():
            if not may_go_on():
                return
            yield each

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def _is_open(request: Request) -> bool:
    session = visit_of(request).session
    with suppress(AccountError):
        return session is None or acting(request).access.find(session.id, context(request).now(), counts=False) is not None
    return False


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
            found = standings(applied(event, book), caps)
            self._made = made = event, book, caps, found
        return made[3]


async def show_standings(request: Request, template: str) -> HTMLResponse:
    desk = context(request).desk
    return page(request, template, divisions=await _standings(request), round=desk.round, cap=desk.caps.spread or desk.caps.standings)


async def export_standings(request: Request) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="standings.csv"'}
    return Response(standings_csv(await _standings(request)), media_type="text/csv; charset=utf-8", headers=headers)


async def _standings(request: Request) -> ByDivision:
    kept: ShownStandings = request.app.state.standings
    return await run_in_threadpool(kept.now)


public_routes = (
    DeskRoute("/board", board, DeskRole.SPECTATOR),
    DeskRoute("/overlay/{slot}", overlay, DeskRole.SPECTATOR),
    DeskRoute("/public/stream", public_stream, DeskRole.SPECTATOR),
    *live("/standings", "standings", show_standings, DeskRole.SPECTATOR),
)
routes = (
    *public_routes,
    DeskRoute("/stream", stream, DeskRole.DEPUTY),
    DeskRoute("/export/standings.csv", export_standings, DeskRole.DEPUTY),
)
