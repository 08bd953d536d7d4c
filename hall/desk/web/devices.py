"""The devices, with the settings that free clocks take and the order to update; and the stations, with the challenges that wait and the last verdicts."""

from __future__ import annotations

from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from appliance.texts import language_names
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.earlier import latest_verdicts
from hall.desk.tiles.device import NOW, usual_list
from hall.desk.tiles.need import NeedKind
from hall.desk.web.orders import send, send_to_chosen
from hall.desk.web.pages import (
    REQUEST,
    SETTINGS,
    DeskTarget,
    acting,
    context,
    live,
    number_of,
    order_form,
    page,
    targets,
    text_of,
    texts_of,
)
from hall.orders.instruction import UPDATE, Instruction, new_settings
from hall.orders.sender import new_id

_YES_OR_NO: Final = {"on": True, "off": False}
_FIELDS: Final = ("language", "brightness", "buzzer", "choose", "results")


async def devices(request: Request) -> HTMLResponse:
    return await _shown(request)


async def part(request: Request) -> HTMLResponse:
    """Show only what changes."""
    return page(request, "_devices.html", **_listed(request))


async def set_settings(request: Request) -> Response:
    return await send_to_chosen(request, _settings, _shown)


async def order_update(request: Request) -> Response:
    """Order the update at all clocks that are free now and have older software."""
    desk, now = context(request).desk, context(request).now()
    free = {each.id for each in desk.devices(now) if each.kind == "clock" and each.update == NOW}
    wanted = [each for each in targets(desk, now) if each.id in free]
    order_request = text_of(await request.form(), REQUEST)
    if not wanted and not await run_in_threadpool(acting(request).ordering.orders_of, order_request):
        return await _shown(request, "No clock that is free now has older software.")
    return await send(request, order_request, {each.id: UPDATE for each in wanted}, wanted, _shown)


def _settings(form: FormData, _: DeskTarget) -> Instruction:
    made = new_settings(
        text_of(form, "language") or None,
        _brightness(text_of(form, "brightness")),
        buzzer_enabled=_YES_OR_NO.get(text_of(form, "buzzer")),
        players_choose_rulebook=_YES_OR_NO.get(text_of(form, "choose")),
        results=text_of(form, "results") or None,
    )
    if not made.keys:
        raise ValueError("Choose at least one setting to change.")
    return made


def _brightness(percent: str) -> int | None:
    if not percent:
        return None
    if (found := number_of(percent, 100)) is None:
        raise ValueError(f'Expected a brightness from 0 to 100, found "{percent}".')
    return found


def _listed(request: Request) -> dict[str, Any]:
    return {"devices": context(request).desk.devices(context(request).now())}


async def _shown(request: Request, problem: str = "", status: int = 422) -> HTMLResponse:
    # What a director has filled in stays, however wrong one field of it was.
    form = await request.form() if problem else FormData()
    return page(
        request,
        "devices.html",
        clocks=targets(context(request).desk, context(request).now()),
        checked=frozenset(texts_of(form, "clock")),
        filled_in={name: text_of(form, name) for name in _FIELDS},
        titles=SETTINGS,
        languages=language_names(),
        # A form of its own: an update asked for after settings is no repetition.
        request_to_update=new_id(),
        problem=problem,
        status=status if problem else 200,
        **_listed(request),
        **await order_form(request),
    )


async def stations(request: Request, template: str) -> HTMLResponse:
    now, desk = context(request).now(), context(request).desk
    queue = [(tile, need) for tile in desk.by_need() for need in tile.needs if need.kind is NeedKind.CHALLENGE]
    found, devices = desk.stations(now), desk.remote_devices()
    lists = {tile.lexicon.sha256 for tile in found if tile.lexicon is not None}
    verdicts = await run_in_threadpool(latest_verdicts, desk.store, devices)
    return page(request, template, queue=queue, stations=found, lists=len(lists), verdicts=verdicts, usual=usual_list(devices))


routes = (
    DeskRoute("/devices", devices, DeskRole.DEPUTY),
    DeskRoute("/devices", set_settings, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/devices/update", order_update, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/devices/part", part, DeskRole.DEPUTY),
    *live("/stations", "stations", stations),
)
