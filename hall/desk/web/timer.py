"""The hall's timer, as duplicate has it: a director starts one countdown on all clocks and on the board, and stops it.

Its keeper counts on after a restart of the desk, and clocks that lack the timer get it again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.desk import DirectorsDesk
from hall.desk.publisher import us
from hall.desk.store import SENT_TIMER, SET_TIMER, is_stop, set_timer, timer_of
from hall.desk.web.pages import OTHER_DESK, Acting, DeskTarget, acting, context, counted, number_of, page, reached, text_of, who
from hall.desk.web.rounds import signs
from hall.orders.instruction import NO_TIMER, timer
from hall.orders.sender import new_id
from hall.picture import RemoteDevice
from rules.duration import NS, reading
from wire.keys import SigningKey
from wire.proposals import LONGEST_LABEL, LONGEST_TIMER_S

_AGAIN_NS: Final = 5 * NS
"""After an order a clock has so long to report that it has the timer."""
_MOST: Final = 5
"""So often a clock gets the same timer that it never shows."""
_SAME_NS: Final = NS
"""Ends as far apart as this are one timer: the desk learns a clock's time better while it counts."""
ITSELF: Final = "the desk itself"


def timer_words(shown: Mapping[str, Any] | None) -> str:
    return Phrase("stopped") if shown is None else f"{reading(shown['seconds'] * NS)} {shown['label']}".rstrip()


def sent_words(shown: Mapping[str, Any] | None, heard: int, clocks: int) -> Phrase:
    """Return which timer a director has sent, and to how many of the clocks."""
    return counted(clocks, "{timer}, to {heard} of 1 clock", "{timer}, to {heard} of {count} clocks", timer=timer_words(shown), heard=heard)


class TimerKeeper:
    """Brings the clocks to the timer that a director has started or stopped last. Used in the event loop.

    A clock says in its report when its timer ends. One that lacks the timer was not heard at the start, has started again, or had no connection. Orders are
    signed with the key of a director who is logged in; without one the clocks wait. A clock that has had a game in progress meanwhile gets the
    timer only from a director.
    """

    def __init__(self, desk: DirectorsDesk, acting: Acting, now: Callable[[], int]) -> None:
        self._desk, self._acting, self._now = desk, acting, now
        self._read = self._known = 0
        self._stopped = False
        self._quiet_until: dict[str, int] = {}
        self._tries: Counter[str] = Counter()
        self._played: set[str] = set()

    def begin(self, shown: Mapping[str, Any] | None, entry: int) -> None:
        """Take a timer, or that a director has stopped it (None), with the number of its entry in the log: its orders go out now."""
        self._adopt(shown, entry, stopped=shown is None)

    def _adopt(self, shown: Mapping[str, Any] | None, entry: int, *, stopped: bool) -> None:
        self._known, self._stopped, self._desk.timer = entry, stopped, shown
        self._tries.clear()
        self._played.clear()
        self._wait_for(each.id for each in self._desk.remote_devices())
        self._desk.on_news()

    async def look(self) -> None:
        """Follow the log, in which another desk may have written, and give the timer to the clocks that lack it."""
        await self._follow()
        lacking = tuple(self._lacking())
        key = await run_in_threadpool(self._key) if lacking else None
        if key is not None:
            await self._send(lacking, key)

    async def _follow(self) -> None:
        log = self._acting.log
        newest = await run_in_threadpool(log.newest)
        if newest == self._read:
            return
        entry = await run_in_threadpool(log.last, SET_TIMER, self._known)
        self._read = newest
        # Since it was read, a director may have set another one here.
        if entry is not None and entry.n > self._known:
            self._adopt(timer_of(entry), entry.n, stopped=is_stop(entry))

    def _lacking(self) -> Iterator[DeskTarget]:
        now, shown = self._now(), self._desk.timer
        ends = None if shown is None else (shown["begins"] + shown["seconds"] * 1_000_000) * 1000
        if (ends is None and not self._stopped) or (ends is not None and ends <= now):
            return
        up = {each.id: each for each in self._desk.remote_devices() if each.presence is not None and each.presence.up}
        if ends is not None:
            self._played |= {name for name, each in up.items() if each.clock is not None and not each.clock.between_games}
        for clock in (each for each in reached(self._desk, now, any_offset=False) if each.id in up):
            if not _lacks(up[clock.id], clock.offset or 0, ends, now) or clock.id in self._played:
                self._tries.pop(clock.id, None)
            elif self._tries[clock.id] < _MOST and now >= self._quiet_until.get(clock.id, 0):
                yield clock

    def _key(self) -> SigningKey | None:
        return self._acting.access.signing_key(self._now()) if self._acting.lease.is_ours else None

    async def _send(self, clocks: tuple[DeskTarget, ...], key: SigningKey) -> None:
        request, shown = new_id(), self._desk.timer
        self._tries.update(each.id for each in clocks)
        self._wait_for(each.id for each in clocks)
        orders = {each.id: NO_TIMER if shown is None else timer(shown, each.offset or 0) for each in clocks}
        text = counted(len(clocks), "{timer}, to 1 clock without it", "{timer}, to {count} clocks without it", timer=timer_words(shown))
        await run_in_threadpool(self._acting.log.add, ITSELF, SENT_TIMER, {"text": text}, request)
        # A director may have been quicker.
        if self._desk.timer is shown:
            await asyncio.wrap_future(self._acting.ordering.send(request, key, orders, clocks))

    def _wait_for(self, devices: Iterable[str]) -> None:
        self._quiet_until |= dict.fromkeys(devices, self._now() + _AGAIN_NS)


def _lacks(device: RemoteDevice, offset: int, ends: int | None, now: int) -> bool:
    """Return whether a clock shows another timer than the one that ends at ``ends`` (ns; None: there is none)."""
    if device.clock is None:
        return False
    shown = None if device.clock.timer is None else device.clock.timer + offset
    if ends is None:
        return shown is not None and shown > now
    return device.clock.between_games and (shown is None or abs(shown - ends) > _SAME_NS)


_REFUSED: Final = Phrase("Expected a length of 5 to {longest} seconds, and a warning that is shorter.", longest=LONGEST_TIMER_S)
_SENT: Final = "sent"
"""The timer, how many clocks were heard, and how many there were; in the detail of an entry."""


async def shown(request: Request, problem: str = "", status: int = 200) -> HTMLResponse:
    last = await run_in_threadpool(acting(request).log.last, SET_TIMER)
    said = None if last is None else sent_words(*last.detail[_SENT]) if _SENT in last.detail else last.detail["text"]
    return page(request, "timer.html", problem=problem, status=status, label=LONGEST_LABEL, longest=LONGEST_TIMER_S, last=last, said=said)


async def act(request: Request) -> Response:
    """Start the timer, send it again to all clocks, or stop it."""
    form, desk, now = await request.form(), context(request).desk, context(request).now()
    do, key = text_of(form, "do"), await signs(request)
    wanted = _started(form, now) if do == "start" else desk.timer if do == "again" else None
    if wanted is None and do != "stop":
        return await shown(request, _REFUSED if do == "start" else Phrase("There is no timer to send again."), 422)
    if key is None:
        return await shown(request, OTHER_DESK, 409)
    heard = reached(desk, now, any_offset=wanted is None)
    order_request = new_id()
    last, keeper = (wanted, len(heard), sum(not each.is_station for each in desk.remote_devices())), request.app.state.timer_keeper
    detail = {"text": sent_words(*last), _SENT: last}
    entry = await run_in_threadpool(set_timer, acting(request).log, who(request), wanted, detail, order_request if heard else None)
    keeper.begin(wanted, entry)
    orders = {each.id: NO_TIMER if wanted is None else timer(wanted, each.offset or 0) for each in heard}
    if orders:
        await asyncio.wrap_future(acting(request).ordering.send(order_request, key, orders, heard))
    return RedirectResponse("/timer", 303)


def _started(form: FormData, now: int) -> Mapping[str, Any] | None:
    seconds = number_of(text_of(form, "seconds") or text_of(form, "length"), LONGEST_TIMER_S)
    warning, label = number_of(text_of(form, "warning"), LONGEST_TIMER_S), text_of(form, "label", LONGEST_LABEL)
    if seconds is None or warning is None or not max(4, warning) < seconds or not label.isprintable():
        return None
    # One second ahead: the order is at all clocks by then.
    return {"begins": us(now + NS), "seconds": seconds, "warnings": [warning] if warning else [], "label": label}


routes = (DeskRoute("/timer", shown, DeskRole.DEPUTY), DeskRoute("/timer", act, DeskRole.DIRECTOR, method="POST"))
