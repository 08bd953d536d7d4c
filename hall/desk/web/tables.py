"""The tables: the hall with all of them, whoever needs somebody first; each one with its clocks, events, turns, proofs and earlier games; and the queue of calls."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from faults.errors import Phrase
from game.game import Game
from game.table import NO_NAMES
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, form_of
from hall.desk.desk import DirectorsDesk
from hall.desk.rows import EarlierGame, earlier_games, journal_proof
from hall.desk.store import CANNOT_COME, TOOK_CALL, CallKey, DeskStore, Taker
from hall.desk.tiles.history import TurnUse, history, turns, turns_now
from hall.desk.tiles.table import WORDS, NeedKind, TableTile
from hall.desk.web.pages import acting, context, counted, live, note, page, text_of, who
from hall.status import phase_words
from rules.duration import NS, reading
from rules.side import BySide, Side


async def hall(request: Request) -> HTMLResponse:
    desk = context(request).desk
    tiles = desk.by_need()
    counts = Counter(need.kind for tile in tiles for need in tile.needs)
    kinds = [(kind.name.lower(), WORDS[kind], counts[kind]) for kind in NeedKind]
    divisions = sorted({tile.division for tile in tiles if tile.division})
    plan = {table: seat.place for table, seat in desk.seats.items() if seat.place is not None}
    return page(request, "hall.html", tiles=tiles, kinds=kinds, divisions=divisions, plan=plan, sides=tuple(Side))


HEIGHT: Final = 200
"""Of the plot; the axis lies in the middle."""
_HALF: Final = HEIGHT // 2 - 14
_STEPS_S: Final = (15, 30, 60, 120, 300, 600, 1500)
_WIDTH: Final = 900


class Bar(Struct, frozen=True):
    x: int
    y: int
    width: int
    height: int
    turn: TurnUse


class TurnPlot(Struct, frozen=True):
    """The plot, for a view box of ``width`` by ``HEIGHT``."""

    width: int
    bars: tuple[Bar, ...]
    grid: tuple[tuple[int, int], ...]
    """Where each line is, and its seconds."""


def turn_plot(turns: Sequence[TurnUse]) -> TurnPlot:
    longest = max((turn.used for turn in turns), default=0)
    step = next((each for each in _STEPS_S if longest <= 4 * each * NS), _STEPS_S[-1])
    levels = max(1, min(4, -(-longest // (step * NS))))
    pitch = min(26, _WIDTH // max(1, len(turns)))
    width = max(320, pitch * len(turns))
    middle, top = HEIGHT // 2, levels * step * NS

    def bar(place: int, turn: TurnUse) -> Bar:
        height = max(1, min(_HALF, turn.used * _HALF // top))
        return Bar(place * pitch, middle - height if turn.side is Side.LEFT else middle, max(1, pitch - 2), height, turn)

    marks = [level * step for level in range(1, levels + 1)]
    grid = [(middle + sign * mark * NS * _HALF // top, mark) for mark in marks for sign in (-1, 1)]
    return TurnPlot(width, tuple(bar(place, turn) for place, turn in enumerate(turns)), tuple(grid))


async def earlier(request: Request) -> HTMLResponse:
    tile, number = _tile(request), request.path_params["game"]
    game = next((each for each in await _earlier(request, tile) if each.folded.number == number), None)
    if game is None:
        raise HTTPException(404)
    played, end, lines = game.folded.history, game.end, history(game.folded, game.names)
    return page(
        request,
        "game.html",
        tile=tile,
        name=request.path_params["name"],
        game=game.folded,
        followed=game.followed,
        lines=lines[::-1],
        final="" if played is None or end is None else _final(played.game_at(end), end),
        plot=None if played is None or end is None else turn_plot(turns(played, end)),
        names=game.names,
    )


def _final(game: Game, end: int) -> Phrase:
    left, right = (reading(game.remaining(side, end)) for side in Side)
    return Phrase("{left} / {right}, {how}", left=left, right=right, how=phase_words(game.phase.value, game.reason))


async def _earlier(request: Request, tile: TableTile) -> tuple[EarlierGame, ...]:
    desk = context(request).desk
    device = desk.device(tile.id)
    if device is None or device.epoch is None:
        return ()
    return await run_in_threadpool(earlier_games, desk.store, desk.hall, device.id, device.epoch, tile.game)


def _tile(request: Request) -> TableTile:
    tile = context(request).desk.tile(request.path_params["name"])
    if tile is None:
        raise HTTPException(404)
    return tile


async def table(request: Request, template: str) -> HTMLResponse:
    desk, tile = context(request).desk, _tile(request)
    game, device = desk.game(tile), desk.device(tile.id)
    names = NO_NAMES if tile.sides is None else BySide(tile.sides.left.name, tile.sides.right.name)
    lines = () if game is None else history(game, names)
    epoch = None if device is None else device.epoch
    found = None if epoch is None else await run_in_threadpool(journal_proof, desk.store, desk.hall, tile.id, epoch)
    return page(
        request,
        template,
        tile=tile,
        name=request.path_params["name"],
        game=game,
        lines=lines[::-1],
        plot=None if game is None or device is None else turn_plot(turns_now(game, device, context(request).now())),
        names=names,
        proof=found,
        earlier=await _earlier(request, tile) if template == "table.html" else (),
        device=device,
        sides=tuple(Side),
    )


class QueuedCall(Struct, frozen=True):
    key: CallKey
    title: str
    since: int
    """When it was first heard, in ns of the listener."""
    taker: Taker | None


async def take(request: Request) -> Response:
    form = form_of(request)
    wanted = text_of(form, "device"), text_of(form, "boot"), text_of(form, "since")
    open_calls = {tuple(map(str, each.key)): each for each in await _open_calls(request)}
    # A call that is closed meanwhile waits no longer.
    if (found := open_calls.get(wanted)) is not None:
        store = acting(request).store
        act, what = (store.give_call_back, CANNOT_COME) if text_of(form, "cannot") else (store.take_call, TOOK_CALL)
        if await run_in_threadpool(act, found.key, who(request)):
            context(request).desk.set_call_takers(await run_in_threadpool(store.call_takers))
            await note(request, what, {"to": [found.title]})
    return RedirectResponse("/calls", 303)


async def look_at_calls(desk: DirectorsDesk, store: DeskStore) -> None:
    """Notice who goes where by the other desks of this store."""
    if queued(desk, {}):
        desk.set_call_takers(await run_in_threadpool(store.call_takers))


async def calls(request: Request, template: str) -> HTMLResponse:
    queue = await _open_calls(request)
    return page(request, template, calls=queue, summary=_summary(len(queue), sum(each.taker is None for each in queue)))


def _summary(count: int, free: int) -> Phrase:
    if count == 0:
        return Phrase("No calls.")
    if free == count:
        return counted(count, "1 call waiting. No director is on the way yet.", "{count} calls waiting. No director is on the way yet.")
    if free:
        return Phrase("{count} calls waiting. No director is on the way to {free} of them.", count=count, free=free)
    return counted(count, "1 call waiting. Someone is on the way.", "{count} calls waiting. Someone is on the way to each.")


async def _open_calls(request: Request) -> list[QueuedCall]:
    takers = await run_in_threadpool(acting(request).store.call_takers)
    return queued(context(request).desk, takers)


def queued(desk: DirectorsDesk, takers: Mapping[CallKey, Taker]) -> list[QueuedCall]:
    """Return the open calls: first those without a director on the way, the oldest before."""
    found = []
    for device in desk.remote_devices():
        if device.call is not None and device.called_at is not None:
            key = CallKey(device.id, device.call.boot, device.call.since)
            title = device.name if device.table is None else Phrase("Table {table}", table=device.table)
            found.append(QueuedCall(key, title, device.called_at, takers.get(key)))
    return sorted(found, key=lambda each: (each.taker is not None, each.since))


routes = (
    DeskRoute("/", hall, DeskRole.DEPUTY),
    *live("/table/{name}", "table", table),
    DeskRoute("/table/{name}/game/{game:int}", earlier, DeskRole.DEPUTY),
    *live("/calls", "calls", calls),
    DeskRoute("/calls", take, DeskRole.DEPUTY, method="POST"),
)
