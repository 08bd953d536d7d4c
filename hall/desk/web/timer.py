"""The hall's timer, as duplicate has it: a director starts one countdown on all clocks and on the board, and stops it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.ordering import OrderRequest
from hall.desk.publisher import us
from hall.desk.store import SET_TIMER, set_timer
from hall.desk.web.acting import OTHER_DESK, acting, number_of, text_of, who
from hall.desk.web.pages import context, counted, page
from hall.desk.web.rounds import reached, signs
from hall.desk.web.timer_keeper import timer_words
from hall.orders.instruction import NO_TIMER, timer
from hall.orders.sender import new_id
from rules.duration import NS
from wire.proposals import LONGEST_LABEL, LONGEST_TIMER_S

_REFUSED: Final = f"Expected a length of 5 to {LONGEST_TIMER_S} seconds, and a warning that is shorter."


async def shown(request: Request, problem: str = "", status: int = 200) -> HTMLResponse:
    last = await run_in_threadpool(acting(request).log.last, SET_TIMER)
    return page(request, "timer.html", problem=problem, status=status, label=LONGEST_LABEL, longest=LONGEST_TIMER_S, last=last)


async def act(request: Request) -> Response:
    """Start the timer, send it again to all clocks, or stop it."""
    form, desk, now = await request.form(), context(request).desk, context(request).now()
    do, key = text_of(form, "do"), await signs(request)
    wanted = _started(form, now) if do == "start" else desk.timer if do == "again" else None
    if wanted is None and do != "stop":
        return await shown(request, _REFUSED if do == "start" else "There is no timer to send again.", 422)
    if key is None:
        return await shown(request, OTHER_DESK, 409)
    heard = reached(desk.remote_devices(), now, any_offset=wanted is None)
    order_request = new_id()
    to = f"to {len(heard)} of {counted(sum(not each.is_station for each in desk.remote_devices()), 'clock')}"
    text, keeper = f"{timer_words(wanted)}, {to}", request.app.state.timer_keeper
    entry = await run_in_threadpool(set_timer, acting(request).log, who(request), wanted, text, order_request if heard else None)
    keeper.begin(wanted, entry)
    orders = {each.device: NO_TIMER if wanted is None else timer(wanted, each.offset) for each in heard}
    if orders:
        sent = OrderRequest(order_request, key, orders, {each.device: each.address for each in heard})
        await asyncio.wrap_future(acting(request).ordering.send(sent))
    return RedirectResponse("/timer", 303)


def _started(form: FormData, now: int) -> Mapping[str, Any] | None:
    seconds = number_of(text_of(form, "seconds") or text_of(form, "length"), LONGEST_TIMER_S)
    warning, label = number_of(text_of(form, "warning"), LONGEST_TIMER_S), text_of(form, "label", LONGEST_LABEL)
    if seconds is None or warning is None or not max(4, warning) < seconds or not label.isprintable():
        return None
    # One second ahead: the order is at all clocks by then.
    return {"begins": us(now + NS), "seconds": seconds, "warnings": [warning] if warning else [], "label": label}


routes = (DeskRoute("/timer", shown, DeskRole.DEPUTY), DeskRoute("/timer", act, DeskRole.DIRECTOR, method="POST"))
