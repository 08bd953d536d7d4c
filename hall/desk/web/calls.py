"""The queue of calls: who waits, since when, and who goes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.desk import DirectorsDesk
from hall.desk.store import CANNOT_COME, TOOK_CALL, CallKey, Taker, Takers
from hall.desk.web.pages import acting, context, counted, live, note, page, text_of, who


class QueuedCall(Struct, frozen=True):
    key: CallKey
    title: str
    since: int
    """When it was first heard, in ns of the listener."""
    taker: Taker | None


async def take(request: Request) -> Response:
    """Note who goes, or does not go after all."""
    form = await request.form()
    wanted = text_of(form, "device"), text_of(form, "boot"), text_of(form, "since")
    open_calls = {tuple(map(str, each.key)): each for each in await _open_calls(request)}
    # A call that is closed meanwhile waits no longer.
    if (found := open_calls.get(wanted)) is not None:
        takers = acting(request).takers
        act, what = (takers.give_back, CANNOT_COME) if text_of(form, "cannot") else (takers.take, TOOK_CALL)
        if await run_in_threadpool(act, found.key, who(request)):
            see(context(request).desk, await run_in_threadpool(takers.all))
            await note(request, what, {"to": [found.title]})
    return RedirectResponse("/calls", 303)


async def look(desk: DirectorsDesk, takers: Takers) -> None:
    """Notice who goes where by the other desks of this store."""
    if queued(desk, {}):
        see(desk, await run_in_threadpool(takers.all))


def see(desk: DirectorsDesk, takers: Mapping[CallKey, Taker]) -> None:
    """Show on all pages who goes where."""
    desk.set_call_takers({(key.device, key.boot, key.since): taker.who for key, taker in takers.items()})


async def calls(request: Request, template: str) -> HTMLResponse:
    queue = await _open_calls(request)
    return page(request, template, calls=queue, summary=_summary(len(queue), sum(each.taker is None for each in queue)))


def _summary(count: int, free: int) -> Phrase:
    """Return how many calls wait, and how many of them have no director on the way yet."""
    if count == 0:
        return Phrase("No calls.")
    if free == count:
        return counted(count, "1 call waiting. Nobody is on the way yet.", "{count} calls waiting. Nobody is on the way yet.")
    if free:
        return Phrase("{count} calls waiting. Nobody is on the way to {free} of them.", count=count, free=free)
    return counted(count, "1 call waiting. Someone is on the way.", "{count} calls waiting. Someone is on the way to each.")


async def _open_calls(request: Request) -> list[QueuedCall]:
    takers = await run_in_threadpool(acting(request).takers.all)
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
    *live("/calls", "calls", calls),
    DeskRoute("/calls", take, DeskRole.DEPUTY, method="POST"),
)
