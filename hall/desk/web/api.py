"""For other programs: the hall as JSON, described by OpenAPI, and a round as CSV or JSON, with what its clocks measure: as it stands, and kept once a game is over."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec.json
from msgspec import Struct
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from appliance.version import VERSION
from faults.validation import prepare
from game.events import Challenge, Hold
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.desk import DirectorsDesk
from hall.desk.tiles.folded import FoldedGame, TileSide, seats_of
from hall.desk.tiles.round import is_of_round
from hall.desk.tiles.table import TableTile
from hall.desk.web.pages import context
from hall.event.model import BYE, Event
from hall.results.book import ResultBook
from hall.results.standings import csv_text
from hall.store.database import StorePlace
from hall.store.events import keep_measures, kept_measures
from rules.side import BySide, Side

_MS = 1_000_000


class ExportedSide(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player of a pairing. Without a clock the measures are null."""

    name: str
    score: int | None = None
    used_ms: int | None = None
    overtime_ms: int | None = None
    penalty: int | None = None
    holds: int | None = None
    challenges: int | None = None


class TableMeasures(Struct, frozen=True):
    table: int
    over: bool
    journal: str
    sides: BySide[ExportedSide]


prepare(TableMeasures)


def table_measures(tile: TableTile, folded: FoldedGame | None, now: int) -> TableMeasures | None:
    """Return the measures of a table at ``now`` (ns of the listener); None: it has no table, or has not reported."""
    if tile.table is None or tile.sides is None:
        return None
    counts = {(side, kind): 0 for side in Side for kind in (Hold, Challenge)}
    for link in () if folded is None or folded.history is None else folded.history.standing():
        event = link.event
        if not isinstance(event, Hold | Challenge):
            continue
        whose = link.game.holder if isinstance(event, Hold) else event.side or link.game.challenger
        if whose is not None:
            counts[whose, type(event)] += 1

    def side(which: Side, own: TileSide) -> ExportedSide:
        gone = tile.gone(which, now)
        return ExportedSide(
            name=own.name,
            used_ms=(own.used + gone) // _MS,
            overtime_ms=max(0, gone - own.remaining) // _MS,
            penalty=own.penalty,
            holds=counts[which, Hold],
            challenges=counts[which, Challenge],
        )

    sides = BySide(side(Side.LEFT, tile.sides.left), side(Side.RIGHT, tile.sides.right))
    return TableMeasures(tile.table, tile.phase == "over", folded.rows[-1].hash if folded is not None else "", sides)


_OWN: Final = ("used_ms", "overtime_ms", "penalty", "holds", "challenges")
COLUMNS: Final = (
    *("Division", "Round", "Player1", "Score1", "Player2", "Score2"),
    "table",
    *(f"{name}{number}" for number in (1, 2) for name in _OWN),
    "over",
    "journal",
)


class ExportedGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One pairing of a round."""

    division: str
    round: int
    table: int | None
    over: bool
    """The game has ended."""
    journal: str
    """The hash of the last row of the table's journal; empty: no clock of that table has reported."""
    players: list[ExportedSide]


class ExportedRound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All games of a round."""

    hall: str
    round: int
    games: list[ExportedGame]


def exported_round(hall: str, event: Event, book: ResultBook, number: int, measures: Mapping[int, TableMeasures]) -> ExportedRound:
    """Return round ``number`` of the hall ``hall``, its games by table; those without one come last."""
    games = []
    for pairing in event.round(number):
        table = event.table_of(pairing)
        both = [event.by_number[pairing.division, each] if each != BYE else None for each in (pairing.first, pairing.second)]
        names = ["" if each is None else each.name for each in both]
        own = None if table is None or pairing.second == BYE else measures.get(table)
        measured = _in_order(own, ["" if each is None else each.clock_name for each in both])
        players = [
            replace(each or ExportedSide(name=name), name=name, score=score)
            for name, score, each in zip(names, book.scores(pairing), measured, strict=True)
        ]
        games.append(
            ExportedGame(
                division=pairing.division,
                round=number,
                table=table,
                over=own is not None and any(measured) and own.over,
                journal=own.journal if own is not None and any(measured) else "",
                players=players,
            )
        )
    games.sort(key=lambda game: (game.table is None, game.table or 0))
    return ExportedRound(hall=hall, round=number, games=games)


def _in_order(table: TableMeasures | None, names: Sequence[str]) -> list[ExportedSide | None]:
    """Return the measures of both players: by name, because either may sit left. Another pairing's game measures nothing."""
    own = {} if table is None else {side.name: side for side in (table.sides.left, table.sides.right)}
    return [own[name] for name in names] if names[0] != names[1] and own.keys() == set(names) else [None, None]


def as_csv(exported: ExportedRound) -> str:
    rows: list[Sequence[object]] = [COLUMNS]
    for game in exported.games:
        one, two = game.players
        measures = [getattr(player, name) for player in (one, two) for name in _OWN]
        absp = (game.division, game.round, one.name, one.score, two.name, two.score)
        rows.append((*absp, game.table, *measures, int(game.over), game.journal))
    return csv_text(rows)


class RoundMeasures:
    """Keeps them at ``place``. Used in the event loop; ``now``: CLOCK_MONOTONIC in ns."""

    def __init__(self, desk: DirectorsDesk, place: StorePlace, now: Callable[[], int] = time.monotonic_ns) -> None:
        self._desk, self._place, self._now = desk, place, now
        self._kept: dict[tuple[int, int], str] = {}

    async def keep(self) -> None:
        """Keep the measures of all games that are over: of this round, and of the round before, of which a game may end late. Raises ``RecordError``."""
        current = self._desk.round
        before = max((each.round for each in self._desk.event.pairings if each.round < current), default=0)
        for number in filter(None, (current, before)):
            over = {table: msgspec.json.encode(each).decode() for table, each in self._present(number, only_over=True).items()}
            new = {table: content for table, content in over.items() if self._kept.get((number, table)) != content}
            if not new:
                continue
            await run_in_threadpool(keep_measures, self._place, self._desk.hall, number, new)
            self._kept |= {(number, table): content for table, content in new.items()}

    async def exported(self, number: int) -> ExportedRound:
        """Return round ``number``: its games as they were when over; those of the round that is played as they are now. Raises ``RecordError``."""
        kept = await run_in_threadpool(kept_measures, self._place, self._desk.hall, number)
        measures = {table: msgspec.json.decode(content, type=TableMeasures) for table, content in kept.items()}
        if number == self._desk.round:
            measures |= self._present(number)
        return exported_round(self._desk.hall, self._desk.event, self._desk.results, number, measures)

    def _present(self, number: int, *, only_over: bool = False) -> dict[int, TableMeasures]:
        present = self._desk.seats
        seats = present if number == self._desk.round else seats_of(self._desk.event, number)
        now, found = self._now(), {}
        for tile in self._desk.tiles.values():
            # Of two who meet again at the same table the game is one of the round that is played.
            elsewhere = seats is not present and is_of_round(tile, present)
            if elsewhere or not is_of_round(tile, seats) or (only_over and tile.phase != "over"):
                continue
            if (own := table_measures(tile, self._desk.game(tile), now)) is not None:
                found[own.table] = own
        return found


_NO_STORE: Final = {"Cache-Control": "no-store"}


class ApiSide(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player."""

    name: str
    remaining_ms: int
    """At the time of the answer; negative in overtime."""
    penalty: int


class ApiTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table as anybody may see it."""

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


class ApiTables(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All tables, by number."""

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
    return _json(await _round(request, f"round-{request.path_params['number']}.json"))


async def export(request: Request) -> Response:
    file = request.path_params["file"]
    found = await _round(request, file)
    headers = {**_NO_STORE, "Content-Disposition": f'attachment; filename="{file}"'}
    if file.endswith(".json"):
        return Response(msgspec.json.format(msgspec.json.encode(found), indent=1), media_type="application/json", headers=headers)
    return Response(as_csv(found), media_type="text/csv; charset=utf-8", headers=headers)


async def openapi(request: Request) -> Response:
    """Answer with the description of what this server has: a worker has no rounds."""
    served = {route.path for route in request.app.routes if isinstance(route, Route)}
    return JSONResponse(
        {**_DOCUMENT, "paths": {path: about for path, about in _DOCUMENT["paths"].items() if path in served}}, headers=_NO_STORE
    )


async def _round(request: Request, file: str) -> ExportedRound:
    found = re.fullmatch(r"round-([1-9][0-9]{0,2})\.(csv|json)", file)
    if found is None or not context(request).desk.event.round(int(found[1])):
        raise HTTPException(404)
    exported: ExportedRound = await request.app.state.measures.exported(int(found[1]))
    return exported


def _table(tile: TableTile, now: int) -> ApiTable:
    return ApiTable(
        table=tile.table,
        division=tile.division,
        phase=tile.phase,
        running=None if tile.running is None else tile.running.value,
        about=tile.about,
        stale=tile.stale is not None,
        left=_side(tile, Side.LEFT, now),
        right=_side(tile, Side.RIGHT, now),
    )


def _side(tile: TableTile, side: Side, now: int) -> ApiSide | None:
    if tile.sides is None:
        return None
    account = tile.sides.of(side)
    return ApiSide(name=account.name, remaining_ms=tile.remaining(side, now) // _MS, penalty=account.penalty)


def _json(answer: Struct) -> Response:
    return Response(msgspec.json.encode(answer), media_type="application/json", headers=_NO_STORE)


def _document() -> dict[str, Any]:
    _, schemas = msgspec.json.schema_components((ApiTables, ApiTable, ExportedRound), ref_template="#/components/schemas/{name}")

    def path(summary: str, model: type[Struct], *parameters: str) -> dict[str, Any]:
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
        "components": {"schemas": schemas},
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
