"""The log of what the desk did, and who gives the orders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.store import (
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
    TOOK_OVER,
    LogEntry,
)
from hall.desk.web.orders import WORDS
from hall.desk.web.pages import Acting, acting, note, order_words, page, text_of, who

_MAX: Final = 100
_OTHERS: Final = 8
_WORDS: Final = {
    **WORDS,
    LOGIN: "Logged in",
    NOT_LET_IN: "Login refused",
    LOGOUT: "Logged out",
    PLAYS_ROUND: "Current round set to",
    ROUND_BEGINS: "Round begins:",
    SET_OVERLAY: "Overlay",
    SET_TIMER: "Hall timer:",
    SENT_TIMER: "Hall timer:",
}
"""What an act is called, where not by its own words."""
_RESULTS: Final = (ENTERED_RESULT, CORRECTED_RESULT, PLACED_RESULT, DISCARDED_RESULT)


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
    what, said = _WORDS.get(entry.what, entry.what.capitalize()), str(entry.detail.get("text", ""))
    if entry.what in (PLAYS_ROUND, ROUND_BEGINS, SET_OVERLAY, SET_TIMER, SENT_TIMER):
        return LoggedAct(entry, f"{what} {said}", shown, "", _answers(parts, entry))
    if entry.what in _RESULTS:
        return LoggedAct(entry, what, shown, said, "")
    if entry.what == IMPORTED:
        text = ": ".join(filter(None, (said, entry.detail.get("added"))))
    elif entry.what in WORDS:
        text = order_words(entry.what, entry.detail)
    else:
        text = f"from {entry.detail['from']}" if "from" in entry.detail else ""
    return LoggedAct(entry, what, shown, text, _answers(parts, entry))


def whom(titles: Sequence[str]) -> str:
    """Return whom an act was for, in a few words: tables in a row as one span."""
    tables = sorted({int(each.removeprefix("Table ")) for each in titles if re.fullmatch(r"Table \d{1,3}", each)})
    spans: list[list[int]] = []
    for table in tables:
        if spans and table == spans[-1][-1] + 1:
            spans[-1].append(table)
        else:
            spans.append([table])
    words = [str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans]
    parts = [f"Table{'s' if len(tables) > 1 else ''} {', '.join(words)}"] if tables else []
    others = [each for each in titles if not re.fullmatch(r"Table \d{1,3}", each)]
    more = [f"{len(others) - _OTHERS} more"] if len(others) > _OTHERS else []
    return "; ".join([*parts, *others[:_OTHERS], *more])


def _answers(parts: Acting, entry: LogEntry) -> str:
    if entry.request is None:
        return ""
    counts = Counter(order.state.value for order in parts.ordering.orders_of(entry.request))
    return ", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "nothing was sent"


routes = (DeskRoute("/log", log, DeskRole.DEPUTY), DeskRoute("/lease", take_over, DeskRole.DIRECTOR, method="POST"))
