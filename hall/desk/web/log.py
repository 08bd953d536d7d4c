"""The log of what the desk did, and who gives the orders."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from hall.desk.store.desk_log import TOOK_OVER, LogEntry
from hall.desk.web.acting import Acting, acting, note, text_of, who
from hall.desk.web.orders import WORDS
from hall.desk.web.pages import page

_MOST: Final = 100
_TARGETS: Final = 12


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """An entry in words."""

    entry: LogEntry
    what: str
    to: str
    text: str
    answers: str
    """How many accepted, refused, or were silent."""


async def log(request: Request) -> HTMLResponse:
    """Show the latest entries, or those before ``?before=``."""
    before = request.query_params.get("before", "")
    number = int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None
    lines = await run_in_threadpool(_lines, acting(request), number)
    return page(
        request,
        "log.html",
        lines=lines,
        older=lines[-1].entry.n if len(lines) == _MOST else None,
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
    return [_line(parts, entry) for entry in parts.log.latest(_MOST, before)]


def _line(parts: Acting, entry: LogEntry) -> LoggedAct:
    to = [str(each) for each in entry.detail.get("to", [])]
    shown = ", ".join(to[:_TARGETS]) + (f" and {len(to) - _TARGETS} more" if len(to) > _TARGETS else "")
    text = str(entry.detail.get("text", "")) or " ".join(f"{key} {value}" for key, value in entry.detail.items() if key == "from")
    return LoggedAct(entry, WORDS.get(entry.what, entry.what.capitalize()), shown, text, _answers(parts, entry))


def _answers(parts: Acting, entry: LogEntry) -> str:
    if entry.request is None:
        return ""
    counts = Counter(order.state.value for order in parts.ordering.orders_of(entry.request))
    return ", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "nothing was sent"


routes = (Route("/log", log), Route("/lease", take_over, methods=["POST"]))
