"""The round: what has not started, who is late, who will be in overtime when. And the hall's timer, as duplicate has it: one countdown on all clocks and on the board.

The timer's keeper counts on after a restart of the desk, and clocks that lack the timer get it again.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from faults.errors import Phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, form_of, visit_of
from hall.desk.desk import ITSELF, DirectorsDesk
from hall.desk.publisher import us
from hall.desk.store import SENT_TIMER, SET_TIMER, is_stop, set_round_start, set_timer, timer_of
from hall.desk.tiles.folded import NOWHERE
from hall.desk.tiles.round import explained, round_lines, round_view, unfinished
from hall.desk.web.orders import spans, tables_words
from hall.desk.web.pages import OTHER_DESK, Acting, DeskTarget, acting, context, counted, live, number_of, page, reached, text_of, who
from hall.event.model import without_table
from hall.event.parsing import MAX_ROUNDS
from hall.orders.sender import new_id, timer
from hall.picture import RemoteDevice
from rules.duration import NS, reading
from wire.keys import SigningKey
from wire.proposals import LONGEST_LABEL, LONGEST_TIMER_S

NOT_TYPED: Final[Mapping[str, str]] = {"table": "", "one": "", "two": ""}


async def rounds(request: Request, template: str) -> HTMLResponse:
    return round_page(request, template)


async def begin(request: Request) -> Response:
    form = form_of(request)
    given, clears = text_of(form, "minutes"), bool(text_of(form, "clear"))
    minutes = None if clears else number_of(given, MAX_MINUTES)
    if minutes is None and not clears:
        return round_page(
            request, "round.html", Phrase("Expected 0 to {most} minutes, found {found}.", most=MAX_MINUTES, found=repr(given))
        )
    desk, key = context(request).desk, await signs(request)
    heard = () if key is None else reached(desk, context(request).now(), any_offset=clears)
    order_request = new_id() if heard else None
    at = await run_in_threadpool(set_round_start, acting(request).store, who(request), minutes, desk.round, order_request)
    desk.begin_round(at)
    if order_request is not None and key is not None:
        starts = {each.id: {"do": "round", "began": None if at is None else at - (each.offset or 0)} for each in heard}
        await asyncio.wrap_future(acting(request).ordering.send(order_request, key, starts, heard))
    return RedirectResponse("/round", 303)


async def signs(request: Request) -> SigningKey | None:
    """Return the key that signs orders here; None if there is none, or if another desk gives the orders."""
    session = visit_of(request).session
    ours = await run_in_threadpool(lambda: acting(request).store.is_ours)
    return session.key if session is not None and ours else None


def round_page(
    request: Request, template: str, problem: str = "", of: int | None = None, typed: Mapping[str, str] = NOT_TYPED
) -> HTMLResponse:
    """Show a round: ``of``, or the one of ``?of=``, or the one that is played. ``typed``: a slip that was not entered."""
    desk, now, query = context(request).desk, context(request).now(), request.query_params
    number = of or number_of(query.get("of", ""), MAX_ROUNDS) or desk.round
    view = round_view(tuple(desk.tiles.values()), desk.seats, desk.round_began, now)
    lines = round_lines(desk.event, number, desk.results, desk.tiles.values(), now)
    return page(
        request,
        template,
        status=422 if problem else 200,
        view=view,
        round=desk.round,
        of=number,
        results=lines,
        unplaced=[explained(each, desk.event, desk.round, desk.results) for each in desk.results.unplaced.values()],
        elsewhere=desk.elsewhere,
        rounds=sorted({each.round for each in desk.event.pairings}),
        entered=next((each for each in lines.lines if each.table is not None and str(each.table) == query.get("entered")), None),
        typed=typed,
        new_request=new_id(),
        untabled=without_table(desk.event, desk.event.round(desk.round)),
        problem=problem,
    )


MAX_MINUTES: Final = 240


class RoundChange(Struct, frozen=True):
    current: int
    """0: there is none."""
    following: int | None
    unfinished: tuple[int, ...]
    paired: frozenset[int]
    clockless: tuple[int, ...]
    untabled: str
    """How many pairings of it have no table, in a sentence; empty: none."""

    @property
    def lacks(self) -> Phrase:
        """What its pairings lack to have names at clocks, in sentences; empty: nothing."""
        lacking = counted(
            len(self.clockless), "Table {tables} has no clock.", "Tables {tables} have no clock.", tables=spans(self.clockless)
        )
        return in_a_row(*filter(None, (self.untabled, lacking if self.clockless else "")))

    @property
    def at_clocks(self) -> bool:
        """Whether it has pairings, each at a table with a clock: only then the desk can speak of all of them."""
        return bool(self.paired) and not self.lacks

    @property
    def waits_for(self) -> Phrase:
        """Which tables have not finished it, in a sentence; empty: all have."""
        if not self.unfinished:
            return Phrase("")
        return counted(
            len(self.unfinished),
            "1 table has not finished round {round}: {tables}.",
            "{count} tables have not finished round {round}: {tables}.",
            round=self.current,
            tables=tables_words(self.unfinished),
        )

    def asks_first(self, number: int) -> bool:
        """Return whether round ``number`` becomes current only for a director who says so twice."""
        return number != self.current and bool(self.unfinished)


def round_change(desk: DirectorsDesk) -> RoundChange:
    following = min((each.round for each in desk.event.pairings if each.round > desk.round), default=None)
    paired = frozenset(table for table, seat in desk.seats.items() if seat.names != NOWHERE.names)
    clockless = tuple(sorted(paired.difference(tile.table for tile in desk.tiles.values())))
    untabled = without_table(desk.event, desk.event.round(desk.round))
    return RoundChange(desk.round, following, unfinished(desk.tiles.values(), desk.seats), paired, clockless, untabled)


def timer_words(shown: Mapping[str, Any] | None) -> str:
    return Phrase("stopped") if shown is None else f"{reading(shown['seconds'] * NS)} {shown['label']}".rstrip()


def sent_words(shown: Mapping[str, Any] | None, heard: int, clocks: int) -> Phrase:
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

    def adopt(self, shown: Mapping[str, Any] | None, entry: int, *, stopped: bool) -> None:
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
        log = self._acting.store
        newest = await run_in_threadpool(log.newest)
        if newest == self._read:
            return
        entry = await run_in_threadpool(log.last, SET_TIMER, self._known)
        self._read = newest
        # Since it was read, a director may have set another one here.
        if entry is not None and entry.n > self._known:
            self.adopt(timer_of(entry), entry.n, stopped=is_stop(entry))

    def _lacking(self) -> Iterator[DeskTarget]:
        now, shown = self._now(), self._desk.timer
        ends = None if shown is None else (shown["begins"] + shown["seconds"] * 1_000_000) * 1000
        if (ends is None and not self._stopped) or (ends is not None and ends <= now):
            return
        up = {each.id: each for each in self._desk.remote_devices() if each.up}
        if ends is not None:
            self._played |= {name for name, each in up.items() if each.clock is not None and not each.clock.between_games}
        for clock in (each for each in reached(self._desk, now, any_offset=False) if each.id in up):
            if not _lacks(up[clock.id], clock.offset or 0, ends, now) or clock.id in self._played:
                self._tries.pop(clock.id, None)
            # Five times a clock gets the same timer that it never shows.
            elif self._tries[clock.id] < 5 and now >= self._quiet_until.get(clock.id, 0):
                yield clock

    def _key(self) -> SigningKey | None:
        return self._acting.access.signing_key(self._now()) if self._acting.store.is_ours else None

    async def _send(self, clocks: tuple[DeskTarget, ...], key: SigningKey) -> None:
        request, shown = new_id(), self._desk.timer
        self._tries.update(each.id for each in clocks)
        self._wait_for(each.id for each in clocks)
        orders = {each.id: timer(shown, each.offset or 0) for each in clocks}
        text = counted(len(clocks), "{timer}, to 1 clock without it", "{timer}, to {count} clocks without it", timer=timer_words(shown))
        await run_in_threadpool(self._acting.store.add, ITSELF, SENT_TIMER, {"text": text}, request)
        # A director may have been quicker.
        if self._desk.timer is shown:
            await asyncio.wrap_future(self._acting.ordering.send(request, key, orders, clocks))

    def _wait_for(self, devices: Iterable[str]) -> None:
        # After an order a clock has so long to report that it has the timer.
        self._quiet_until |= dict.fromkeys(devices, self._now() + 5 * NS)


def _lacks(device: RemoteDevice, offset: int, ends: int | None, now: int) -> bool:
    """Return whether a clock shows another timer than the one that ends at ``ends`` (ns; None: there is none)."""
    if device.clock is None:
        return False
    shown = None if device.clock.timer is None else device.clock.timer + offset
    if ends is None:
        return shown is not None and shown > now
    # Ends as far apart as a second are one timer: the desk learns a clock's time better while it counts.
    return device.clock.between_games and (shown is None or abs(shown - ends) > NS)


_SENT: Final = "sent"
"""The timer, how many clocks were heard, and how many there were; in the detail of an entry."""


async def timer_page(request: Request, problem: str = "", status: int = 200) -> HTMLResponse:
    last = await run_in_threadpool(acting(request).store.last, SET_TIMER)
    said = None if last is None else sent_words(*last.detail[_SENT]) if _SENT in last.detail else last.text
    return page(request, "timer.html", problem=problem, status=status, label=LONGEST_LABEL, longest=LONGEST_TIMER_S, last=last, said=said)


async def set_hall_timer(request: Request) -> Response:
    form, desk, now = form_of(request), context(request).desk, context(request).now()
    do, key = text_of(form, "do"), await signs(request)
    wanted = _started(form, now) if do == "start" else desk.timer if do == "again" else None
    if wanted is None and do != "stop":
        return await timer_page(
            request,
            Phrase("Expected a length of 5 to {longest} seconds, and a warning that is shorter.", longest=LONGEST_TIMER_S)
            if do == "start"
            else Phrase("There is no timer to send again."),
            422,
        )
    if key is None:
        return await timer_page(request, OTHER_DESK, 409)
    heard = reached(desk, now, any_offset=wanted is None)
    order_request = new_id()
    last, keeper = (wanted, len(heard), sum(not each.is_station for each in desk.remote_devices())), request.app.state.timer_keeper
    detail = {"text": sent_words(*last), _SENT: last}
    entry = await run_in_threadpool(set_timer, acting(request).store, who(request), wanted, detail, order_request if heard else None)
    keeper.adopt(wanted, entry, stopped=wanted is None)
    orders = {each.id: timer(wanted, each.offset or 0) for each in heard}
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


routes = (
    *live("/round", "round", rounds),
    DeskRoute("/round", begin, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/timer", timer_page, DeskRole.DEPUTY),
    DeskRoute("/timer", set_hall_timer, DeskRole.DIRECTOR, method="POST"),
)
