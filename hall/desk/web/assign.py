"""Table numbers, names and the set-up of the next game: what a clock takes between two games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from hall.desk.cards.seating import NOWHERE, TableSeat
from hall.desk.web.acting import REQUEST, acting, text_of, texts_of
from hall.desk.web.orders import send
from hall.desk.web.pages import context, page
from hall.desk.web.targets import OrderTarget, targets
from hall.orders.act import Instruction, assignment, next_game
from hall.orders.sender import new_id
from rules.rulebooks import shipped_ids


async def assign(request: Request) -> HTMLResponse:
    """Show all clocks with what they have, and what the import says."""
    return await _shown(request)


async def assigned(request: Request) -> Response:
    """Send table and names to the chosen clocks, or to all that have not those of the round."""
    form = await request.form(max_fields=5_000)
    return await (_sent_to_all(request, form) if text_of(form, "all") else _sent(request, _assignment))


async def set_up(request: Request) -> Response:
    """Offer the chosen clocks a set-up for their next game."""
    return await _sent(request, _setup)


async def _sent(request: Request, made: Callable[[FormData, OrderTarget], Instruction]) -> Response:
    form = await request.form(max_fields=5_000)
    ids = frozenset(texts_of(form, "clock"))
    wanted = [each for each in targets(context(request).desk, context(request).now()) if each.id in ids]
    if not wanted:
        return await _shown(request, "Choose at least one clock.")
    try:
        instructions = {each.id: made(form, each) for each in wanted}
    except ValueError as error:
        return await _shown(request, str(error))
    return await send(request, text_of(form, REQUEST), instructions, wanted)


async def _sent_to_all(request: Request, form: FormData) -> Response:
    desk = context(request).desk
    clocks = targets(desk, context(request).now())
    instructions = unnamed(clocks, desk.seats)
    if not instructions:
        return await _shown(request, "All clocks have their names already. Nothing was sent.")
    return await send(request, text_of(form, REQUEST), instructions, [each for each in clocks if each.id in instructions])


def unnamed(clocks: Iterable[OrderTarget], seats: Mapping[int, TableSeat]) -> dict[str, Instruction]:
    """Return table and names for each clock that does not have the names of its table's pairing."""
    found = {}
    for clock in clocks:
        seat = NOWHERE if clock.table is None else seats.get(clock.table, NOWHERE)
        names = seat.names.map(_fitted)
        if clock.table is not None and seat.names != NOWHERE.names and clock.names != names:
            found[clock.id] = assignment(clock.table, names.left, names.right)
    return found


def _fitted(name: str) -> str:
    return " ".join(name.split())[:40]


def _assignment(form: FormData, clock: OrderTarget) -> Instruction:
    table = text_of(form, f"table-{clock.id}")
    if not (table.isascii() and table.isdigit() and 1 <= int(table[:9]) <= 999):
        raise ValueError(f'{clock.title}: expected a table number from 1 to 999, found "{table}".')
    left, right = (_fitted(text_of(form, f"{side}-{clock.id}")) for side in ("left", "right"))
    return assignment(int(table), left, right)


def _setup(form: FormData, clock: OrderTarget) -> Instruction:
    left, right = (_seconds(text_of(form, f"minutes-{side}")) for side in ("left", "right"))
    return next_game(text_of(form, "rulebook"), left, right)


def _seconds(minutes: str) -> int | None:
    if not minutes:
        return None
    if not (minutes.isascii() and minutes.isdigit()) or int(minutes[:9]) > 24 * 60:
        raise ValueError(f'Expected whole minutes, or nothing for the rulebook\'s own, found "{minutes}".')
    return int(minutes) * 60


async def _shown(request: Request, problem: str = "") -> HTMLResponse:
    desk, parts = context(request).desk, acting(request)
    clocks = targets(desk, context(request).now())
    return page(
        request,
        "assign.html",
        rows=[(each, NOWHERE if each.table is None else desk.seats.get(each.table, NOWHERE)) for each in clocks],
        unnamed=len(unnamed(clocks, desk.seats)),
        round=desk.round,
        stations=sum(device.is_station for device in desk.remote_devices()),
        rulebooks=shipped_ids(),
        problem=problem,
        new_request=new_id(),
        holding=await run_in_threadpool(parts.lease.holding),
        own=parts.ordering.desk,
        status=422 if problem else 200,
    )


routes = (Route("/assign", assign), Route("/assign", assigned, methods=["POST"]), Route("/setup", set_up, methods=["POST"]))
