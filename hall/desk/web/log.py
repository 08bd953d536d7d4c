"""The log of what the desk did, and who gives the orders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from faults.errors import Phrase, as_phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.store import (
    CANNOT_COME,
    CHANGED,
    CORRECTED_RESULT,
    DISCARDED_RESULT,
    ENTERED_RESULT,
    IMPORTED,
    LOGIN,
    LOGOUT,
    NOT_LET_IN,
    PLACED_RESULT,
    PLAYS_ROUND,
    ROUND_BEGINS,
    SENT_TIMER,
    SET_OVERLAY,
    SET_TIMER,
    TOOK_CALL,
    TOOK_OVER,
    LogEntry,
)
from hall.desk.web.orders import WORDS
from hall.desk.web.pages import Acting, acting, counted, note, order_words, page, text_of, who
from hall.orders.sender import OrderState

_MAX: Final = 100
_OTHERS: Final = 8
_WORDS: Final = {
    **WORDS,
    LOGIN: Phrase("Logged in"),
    NOT_LET_IN: Phrase("Login refused"),
    LOGOUT: Phrase("Logged out"),
    CHANGED: Phrase("Changed the password"),
    TOOK_OVER: Phrase("Took over"),
    TOOK_CALL: Phrase("Took call"),
    CANNOT_COME: Phrase("Cannot come"),
    IMPORTED: Phrase("Imported"),
    ENTERED_RESULT: Phrase("Entered a result"),
    CORRECTED_RESULT: Phrase("Corrected a result"),
    PLACED_RESULT: Phrase("Gave a clock's result its pairing"),
    DISCARDED_RESULT: Phrase("Discarded a clock's result"),
}
"""What an act is called."""
_BEFORE: Final = {
    PLAYS_ROUND: as_phrase("Current round set to {said}"),
    ROUND_BEGINS: as_phrase("Round begins: {said}"),
    SET_OVERLAY: as_phrase("Overlay {said}"),
    SET_TIMER: as_phrase("Hall timer: {said}"),
    SENT_TIMER: as_phrase("Hall timer: {said}"),
}
"""What an act is called together with what the log has of it."""
_RESULTS: Final = (ENTERED_RESULT, CORRECTED_RESULT, PLACED_RESULT, DISCARDED_RESULT)


_STATES: Final = {
    OrderState.ACCEPTED: Phrase("accepted"),
    OrderState.REFUSED: Phrase("refused"),
    OrderState.SILENT: Phrase("silent"),
    OrderState.WAITING: Phrase("waiting"),
}


class LoggedAct(Struct, frozen=True):
    entry: LogEntry
    what: str
    to: str
    text: str
    answers: str
    """How many accepted, refused, or were silent. What became of a freeze later is in its matrix, to which this leads."""


async def log(request: Request) -> HTMLResponse:
    """Show the latest entries, or those before ``?before=``."""
    before = request.query_params.get("before", "")
    number = int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None
    lines = await run_in_threadpool(_lines, acting(request), number)
    return page(
        request,
        "log.html",
        lines=lines,
        older=lines[-1].entry.n if len(lines) == _MAX else None,
        holding=await run_in_threadpool(acting(request).lease.holding),
        own=acting(request).ordering.desk,
    )


async def take_over(request: Request) -> Response:
    """Let this desk give the orders."""
    form = await request.form()
    term = text_of(form, "term")
    if term.isascii() and term.isdigit() and len(term) < 18:
        before = await run_in_threadpool(acting(request).lease.holding)
        if await run_in_threadpool(acting(request).lease.take_over, int(term), who(request)):
            await note(request, TOOK_OVER, {"from": before.holder})
    return RedirectResponse("/log", 303)


def _lines(parts: Acting, before: int | None) -> list[LoggedAct]:
    return [_line(parts, entry) for entry in parts.log.latest(_MAX, before)]


def _line(parts: Acting, entry: LogEntry) -> LoggedAct:
    shown = whom([str(each) for each in entry.detail.get("to", [])])
    said = str(entry.detail.get("text", ""))
    if (before := _BEFORE.get(entry.what)) is not None:
        return LoggedAct(entry, Phrase(before.template, said=said), shown, "", _answers(parts, entry))
    what = _WORDS.get(entry.what, entry.what)
    if entry.what in _RESULTS:
        return LoggedAct(entry, what, shown, said, "")
    if entry.what == IMPORTED:
        text = Phrase("{title}: {value}", title=said, value=entry.detail["added"]) if "added" in entry.detail else as_phrase(said)
    elif entry.what in WORDS:
        text = order_words(entry.what, entry.detail)
    else:
        text = Phrase("from {address}", address=entry.detail["from"]) if "from" in entry.detail else Phrase("")
    return LoggedAct(entry, what, shown, text, _answers(parts, entry))


def whom(titles: Sequence[str]) -> Phrase:
    """Return whom an act was for, in a few words: tables in a row as one span."""
    tables = {int(each.removeprefix("Table ")) for each in titles if re.fullmatch(r"Table \d{1,3}", each)}
    parts = [tables_words(tables)] if tables else []
    others = [each for each in titles if not re.fullmatch(r"Table \d{1,3}", each)]
    more = [Phrase("{count} more", count=len(others) - _OTHERS)] if len(others) > _OTHERS else []
    return in_a_row(*parts, *others[:_OTHERS], *more, between="; ")


def tables_words(tables: Collection[int]) -> Phrase:
    return counted(len(tables), "Table {tables}", "Tables {tables}", tables=spans(tables))


def spans(tables: Iterable[int]) -> str:
    """Return tables in words such as ``1-4, 7``."""
    found: list[list[int]] = []
    for table in sorted(tables):
        if found and table == found[-1][-1] + 1:
            found[-1].append(table)
        else:
            found.append([table])
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in found)


def _answers(parts: Acting, entry: LogEntry) -> str:
    if entry.request is None:
        return ""
    counts = Counter(order.state for order in parts.ordering.orders_of(entry.request))
    words = (Phrase("{count} {state}", count=count, state=_STATES[state]) for state, count in sorted(counts.items()))
    return in_a_row(*words, between=", ") if counts else Phrase("nothing was sent")


routes = (DeskRoute("/log", log, DeskRole.DEPUTY), DeskRoute("/lease", take_over, DeskRole.DIRECTOR, method="POST"))
