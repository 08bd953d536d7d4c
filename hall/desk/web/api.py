"""For other programs: the hall as JSON, described by OpenAPI, and a round as CSV or JSON."""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from appliance.version import VERSION
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.exports import ExportedRound, RoundMeasures, as_csv
from hall.desk.tiles.table import TableTile
from hall.desk.web.pages import context
from rules.side import Side

_FILE: Final = re.compile(r"round-([1-9][0-9]{0,2})\.(csv|json)")
_NO_STORE: Final = {"Cache-Control": "no-store"}


class ApiSide(BaseModel):
    """One player."""

    model_config = ConfigDict(extra="forbid")
    name: str
    remaining_ms: int
    """At the time of the answer; negative in overtime."""
    penalty: int


class ApiTable(BaseModel):
    """One table as anybody may see it."""

    model_config = ConfigDict(extra="forbid")
    table: int | None
    division: str
    phase: str
    running: str | None
    """left or right; null: no clock runs."""
    about: bool
    """The running time may be off by more than 250 ms."""
    stale: bool
    """The clock has not been heard for 15 s."""
    left: ApiSide | None
    right: ApiSide | None


class ApiTables(BaseModel):
    """All tables, by number."""

    model_config = ConfigDict(extra="forbid")
    hall: str
    round: int
    """The one that is played; 0: no pairings were imported."""
    tables: list[ApiTable]


async def tables(request: Request) -> Response:
    desk = context(request).desk
    found = sorted(desk.tiles.values(), key=lambda tile: (tile.table or 1000, tile.id))
    now = context(request).now()
    return _json(ApiTables(hall=desk.hall, round=desk.round, tables=[_table(tile, now) for tile in found]))


async def table(request: Request) -> Response:
    name = request.path_params["table"]
    tile = context(request).desk.tile(name) if name.isascii() and name.isdigit() else None
    if tile is None:
        raise HTTPException(404)
    return _json(_table(tile, context(request).now()))


async def one_round(request: Request) -> Response:
    """Answer with a round's games."""
    number = request.path_params["number"]
    return _json(await _round(request, f"round-{number}.json"))


async def export(request: Request) -> Response:
    """Answer with a round as a file to keep."""
    file = request.path_params["file"]
    found = await _round(request, file)
    headers = {**_NO_STORE, "Content-Disposition": f'attachment; filename="{file}"'}
    if file.endswith(".json"):
        return Response(found.model_dump_json(indent=1), media_type="application/json", headers=headers)
    return Response(as_csv(found), media_type="text/csv; charset=utf-8", headers=headers)


async def openapi(request: Request) -> Response:
    """Answer with the description of what this server has: a worker has no rounds."""
    served = {route.path for route in request.app.routes if isinstance(route, Route)}
    return JSONResponse(
        {**_DOCUMENT, "paths": {path: about for path, about in _DOCUMENT["paths"].items() if path in served}}, headers=_NO_STORE
    )


async def _round(request: Request, file: str) -> ExportedRound:
    found = _FILE.fullmatch(file)
    measures: RoundMeasures = request.app.state.measures
    if found is None or not context(request).desk.event.round(int(found[1])):
        raise HTTPException(404)
    return await measures.exported(int(found[1]))


def _table(tile: TableTile, now: int) -> ApiTable:
    sides = {side.value: None if tile.sides is None else _side(tile, side, now) for side in Side}
    running = None if tile.running is None else tile.running.value
    return ApiTable(
        table=tile.table, division=tile.division, phase=tile.phase, running=running, about=tile.about, stale=tile.stale is not None, **sides
    )


def _side(tile: TableTile, side: Side, now: int) -> ApiSide | None:
    if tile.sides is None:
        return None
    account = tile.sides.of(side)
    gone = max(0, now - tile.at) if tile.running is side and tile.at is not None else 0
    return ApiSide(name=account.name, remaining_ms=(account.remaining - gone) // 1_000_000, penalty=account.penalty)


def _json(answer: BaseModel) -> Response:
    return Response(answer.model_dump_json(), media_type="application/json", headers=_NO_STORE)


def _document() -> dict[str, Any]:
    models = (ApiTables, ApiTable, ExportedRound)
    _, schemas = models_json_schema([(model, "serialization") for model in models], ref_template="#/components/schemas/{model}")

    def path(summary: str, model: type[BaseModel], *parameters: str) -> dict[str, Any]:
        answer = {"description": summary, "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}}
        needed = [{"name": name, "in": "path", "required": True, "schema": {"type": "integer"}} for name in parameters]
        return {"get": {"summary": summary, "parameters": needed, "responses": {"200": answer}}}

    paths = {
        "/api/tables": path("All tables", ApiTables),
        "/api/tables/{table}": path("One table", ApiTable, "table"),
        "/api/rounds/{number}": path("The games of a round; for deputies and directors", ExportedRound, "number"),
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tilehall", "version": VERSION},
        "paths": paths,
        "components": {"schemas": schemas["$defs"]},
    }


_DOCUMENT: Final = _document()
public_routes = (
    DeskRoute("/api/openapi.json", openapi, DeskRole.SPECTATOR),
    DeskRoute("/api/tables", tables, DeskRole.SPECTATOR),
    DeskRoute("/api/tables/{table}", table, DeskRole.SPECTATOR),
)
routes = (
    *public_routes,
    DeskRoute("/api/rounds/{number}", one_round, DeskRole.DEPUTY),
    DeskRoute("/export/{file}", export, DeskRole.DEPUTY),
)
