"""The round: what has not started, who is late, who will be in overtime when."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from faults.errors import Phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, visit_of
from hall.desk.desk import DirectorsDesk
from hall.desk.store import set_round_start
from hall.desk.tiles.round import explained, round_lines, round_view, unfinished
from hall.desk.tiles.seating import NOWHERE
from hall.desk.web.log import spans, tables_words
from hall.desk.web.pages import acting, context, counted, live, number_of, page, reached, text_of, who
from hall.event.lists import MAX_ROUNDS
from hall.event.model import without_table
from hall.orders.instruction import Instruction
from hall.orders.sender import new_id
from wire.keys import SigningKey

NOT_TYPED: Final[Mapping[str, str]] = {"table": "", "one": "", "two": ""}


async def rounds(request: Request, template: str) -> HTMLResponse:
    return round_page(request, template)


async def begin(request: Request) -> Response:
    """Set when the round begins, or that no time is set."""
    form = await request.form()
    given, clears = text_of(form, "minutes"), bool(text_of(form, "clear"))
    minutes = None if clears else number_of(given, MAX_MINUTES)
    if minutes is None and not clears:
        return round_page(
            request, "round.html", Phrase("Expected 0 to {most} minutes, found {found}.", most=MAX_MINUTES, found=repr(given))
        )
    desk, key = context(request).desk, await signs(request)
    heard = () if key is None else reached(desk, context(request).now(), any_offset=clears)
    order_request = new_id() if heard else None
    at = await run_in_threadpool(set_round_start, acting(request).log, who(request), minutes, desk.round, order_request)
    desk.begin_round(at)
    if order_request is not None and key is not None:
        starts = {each.id: Instruction("round", {"began": None if at is None else at - (each.offset or 0)}) for each in heard}
        await asyncio.wrap_future(acting(request).ordering.send(order_request, key, starts, heard))
    return RedirectResponse("/round", 303)


async def signs(request: Request) -> SigningKey | None:
    """Return the key that signs orders here; None if there is none, or if another desk gives the orders."""
    session = visit_of(request).session
    ours = await run_in_threadpool(lambda: acting(request).lease.is_ours)
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
        rounds=sorted({each.round for each in desk.event.pairings}),
        entered=next((each for each in lines.lines if each.table is not None and str(each.table) == query.get("entered")), None),
        typed=typed,
        new_request=new_id(),
        untabled=without_table(desk.event, desk.event.round(desk.round)),
        problem=problem,
    )


routes = (
    *live("/round", "round", rounds),
    DeskRoute("/round", begin, DeskRole.DIRECTOR, method="POST"),
)
MAX_MINUTES: Final = 240


class RoundChange(Struct, frozen=True):
    current: int
    """0: there is none."""
    following: int | None
    """The next round that is imported."""
    unfinished: tuple[int, ...]
    """The tables that have not finished the current round."""
    paired: frozenset[int]
    """The tables with a pairing of it."""
    clockless: tuple[int, ...]
    """Those without a clock."""
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
