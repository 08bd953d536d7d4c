"""The devices, and what a clock takes between two games: table, names, set-up, settings, the update; and the stations, with the challenges that wait and the last verdicts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from appliance.texts import language_names
from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, form_of
from hall.desk.rows import TestedDevice, last_tests, latest_verdicts, tested_devices
from hall.desk.tiles.device import NOW, device_tiles, station_tiles, usual_list
from hall.desk.tiles.folded import NOWHERE, TableSeat
from hall.desk.tiles.table import NeedKind
from hall.desk.web.orders import send, send_to_chosen
from hall.desk.web.pages import (
    REQUEST,
    RESULTS,
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
from hall.desk.web.rounds import round_change
from hall.orders.sender import Act, new_id
from hall.picture import RemoteDevice
from rules.rulebooks import shipped_ids

_YES_OR_NO: Final = {"on": True, "off": False}
_FIELDS: Final = ("language", "brightness", "buzzer", "choose", "results")


async def part(request: Request) -> HTMLResponse:
    return page(request, "_devices.html", **await _listed(request))


async def tests(request: Request) -> HTMLResponse:
    return page(request, "device_tests.html", tests=await _tests(request))


async def _tests(request: Request) -> list[TestedDevice]:
    desk = context(request).desk
    devices = desk.remote_devices()
    return tested_devices(devices, await run_in_threadpool(last_tests, desk.store, desk.hall, devices))


async def order_update(request: Request) -> Response:
    desk, now = context(request).desk, context(request).now()
    free = {each.device.id for each in device_tiles(desk.remote_devices(), now) if not each.device.is_station and each.update == NOW}
    wanted = [each for each in targets(desk, now) if each.id in free]
    order_request = text_of(form_of(request), REQUEST)
    if not wanted and not await run_in_threadpool(acting(request).ordering.orders_of, order_request):
        return await _shown(request, Phrase("No clock that is free now has older software."))
    return await send(request, order_request, {each.id: {"do": "update"} for each in wanted}, wanted, _shown)


def _settings(form: FormData, _: DeskTarget) -> Act:
    made = {
        "language": text_of(form, "language") or None,
        "led_brightness": _brightness(text_of(form, "brightness")),
        "buzzer_enabled": _YES_OR_NO.get(text_of(form, "buzzer")),
        "players_choose_rulebook": _YES_OR_NO.get(text_of(form, "choose")),
        "results": text_of(form, "results") or None,
    }
    if all(each is None for each in made.values()):
        raise ValueError(Phrase("Choose at least one setting to change."))
    return {"do": "settings", **{key: each for key, each in made.items() if each is not None}}


def _brightness(percent: str) -> int | None:
    if not percent:
        return None
    if (found := number_of(percent, 100)) is None:
        raise ValueError(Phrase('Expected a brightness from 0 to 100, found "{found}".', found=percent))
    return found


async def _listed(request: Request) -> dict[str, Any]:
    devices = device_tiles(context(request).desk.remote_devices(), context(request).now())
    return {"devices": devices, "tests": await _tests(request)}


async def _shown(request: Request, problem: str = "", status: int = 422) -> HTMLResponse:
    # What a director has filled in stays, however wrong one field of it was.
    form = form_of(request) if problem else FormData()
    return page(
        request,
        "devices.html",
        clocks=targets(context(request).desk, context(request).now()),
        checked=frozenset(texts_of(form, "clock")),
        filled_in={name: text_of(form, name) for name in _FIELDS},
        titles=SETTINGS,
        results=RESULTS,
        languages=language_names(),
        # A form of its own: an update asked for after settings is no repetition.
        request_to_update=new_id(),
        problem=problem,
        status=status if problem else 200,
        **await _listed(request),
        **await order_form(request),
    )


async def stations(request: Request, template: str) -> HTMLResponse:
    now, desk = context(request).now(), context(request).desk
    queue = [(tile, need) for tile in desk.by_need() for need in tile.needs if need.kind is NeedKind.CHALLENGE]
    devices = desk.remote_devices()
    found = station_tiles(devices, now)
    lists = {tile.lexicon.sha256 for tile in found if tile.lexicon is not None}
    verdicts = await run_in_threadpool(latest_verdicts, desk.store, desk.hall, devices)
    return page(request, template, queue=queue, stations=found, lists=len(lists), verdicts=verdicts, usual=usual_list(devices))


class ClockRow(Struct, frozen=True):
    clock: DeskTarget
    table: str
    left: str
    right: str
    checked: bool


async def assigned(request: Request) -> Response:
    form = form_of(request)
    return await (_sent_to_all(request, form) if text_of(form, "all") else send_to_chosen(request, _assignment, assign_page))


async def _sent_to_all(request: Request, form: FormData) -> Response:
    desk = context(request).desk
    clocks = targets(desk, context(request).now())
    acts = unnamed(clocks, desk.seats)
    if not acts:
        return await assign_page(request, Phrase("No clock waits for names. Nothing was sent."))
    return await send(request, text_of(form, REQUEST), acts, [each for each in clocks if each.id in acts], assign_page)


def unnamed(clocks: Iterable[DeskTarget], seats: Mapping[int, TableSeat]) -> dict[str, Act]:
    """Return table and names for each clock that does not have the names of its table's pairing."""
    found = {}
    for clock in clocks:
        seat = NOWHERE if clock.table is None else seats.get(clock.table, NOWHERE)
        names = seat.names.map(_fitted)
        if clock.table is not None and seat.names != NOWHERE.names and clock.names != names:
            found[clock.id] = _named(clock.table, names.left, names.right)
    return found


def _named(table: int, left: str, right: str) -> Act:
    return {"do": "assign", "table": table, "left": left, "right": right, "lexicon": None}


def _fitted(name: str) -> str:
    return " ".join(name.split())[:40]


def _assignment(form: FormData, clock: DeskTarget) -> Act:
    given = text_of(form, f"table-{clock.id}")
    if not (table := number_of(given, 999)):
        raise ValueError(Phrase('{clock}: expected a table number from 1 to 999, found "{found}".', clock=clock.title, found=given))
    left, right = (_fitted(text_of(form, f"{side}-{clock.id}")) for side in ("left", "right"))
    return _named(table, left, right)


def _setup(form: FormData, clock: DeskTarget) -> Act:
    left, right = (_seconds(text_of(form, f"minutes-{side}")) for side in ("left", "right"))
    if not (rulebook := text_of(form, "rulebook")):
        raise ValueError(Phrase("Choose a rulebook."))
    return {"do": "setup", "rulebook": rulebook, "left_seconds": left, "right_seconds": right}


def _seconds(minutes: str) -> int | None:
    if not minutes:
        return None
    if (found := number_of(minutes, 24 * 60)) is None:
        raise ValueError(Phrase('Expected whole minutes, or nothing for the rulebook\'s own, found "{found}".', found=minutes))
    return found * 60


def usual_rulebook(devices: Iterable[RemoteDevice]) -> str:
    """Return what most clocks play by, so that a director can change only the times; empty: no clock has reported."""
    counts = Counter(each.clock.rulebook for each in devices if each.clock is not None)
    return max(sorted(counts), key=counts.__getitem__, default="")


def _filled_in(clock: DeskTarget, seat: TableSeat, form: FormData) -> ClockRow:
    def kept(name: str, otherwise: object) -> str:
        return text_of(form, name) if name in form else str(otherwise or "")

    return ClockRow(
        clock,
        kept(f"table-{clock.id}", clock.table),
        kept(f"left-{clock.id}", seat.names.left or clock.names.left),
        kept(f"right-{clock.id}", seat.names.right or clock.names.right),
        clock.id in texts_of(form, "clock"),
    )


async def assign_page(request: Request, problem: str = "", status: int = 422) -> HTMLResponse:
    desk = context(request).desk
    clocks = targets(desk, context(request).now())
    # What a director has filled in stays, however wrong one field of it was.
    form = form_of(request) if problem else FormData()
    return page(
        request,
        "assign.html",
        rows=[_filled_in(each, NOWHERE if each.table is None else desk.seats.get(each.table, NOWHERE), form) for each in clocks],
        minutes={name: text_of(form, name) for name in ("minutes-left", "minutes-right")},
        rulebook=text_of(form, "rulebook") if "rulebook" in form else usual_rulebook(desk.remote_devices()),
        unnamed=len(unnamed(clocks, desk.seats)),
        change=round_change(desk),
        rulebooks=shipped_ids(),
        problem=problem,
        status=status if problem else 200,
        **await order_form(request),
    )


routes = (
    DeskRoute("/devices", _shown, DeskRole.DEPUTY),
    DeskRoute("/devices", partial(send_to_chosen, made=_settings, form=_shown), DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/devices/update", order_update, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/devices/part", part, DeskRole.DEPUTY),
    DeskRoute("/devices/tests", tests, DeskRole.DEPUTY),
    *live("/stations", "stations", stations),
    DeskRoute("/assign", assign_page, DeskRole.DEPUTY),
    DeskRoute("/assign", assigned, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/setup", partial(send_to_chosen, made=_setup, form=assign_page), DeskRole.DIRECTOR, method="POST"),
)
