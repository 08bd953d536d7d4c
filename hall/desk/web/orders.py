"""Notices and freezes: the form, and the matrix of what has become of an order. And the log of what the desk did, and who gives the orders."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from appliance.texts import received
from faults.errors import Phrase, TileclockError, as_phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, form_of, visit_of
from hall.desk.desk import COMMAND_LINE, ITSELF
from hall.desk.store import (
    BEGAN_ANEW,
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
from hall.desk.tiles.folded import FrozenBy
from hall.desk.tiles.table import TableTile
from hall.desk.web.pages import (
    OTHER_DESK,
    REQUEST,
    Acting,
    DeskTarget,
    acting,
    chosen,
    context,
    counted,
    live,
    note,
    number_of,
    order_form,
    order_words,
    page,
    targets,
    text_of,
    texts_of,
    who,
)
from hall.orders.sender import Act, KeptOrder, OrderState

ID: Final = re.compile(r"[0-9a-f]{32}")
_SECONDS: Final = 60
STOP_TEXT: Final = Phrase("\u201cPlease wait\u201d in each clock's own language")
"""What the players read if the director has no time to write, after the clock's own words: THE DIRECTOR ASKS YOU TO STOP."""
WORDS: Final = {
    "notice": Phrase("Notice"),
    "stop": Phrase("Freeze"),
    "clear": Phrase("Freeze and notice taken back"),
    "assign": Phrase("Table and names"),
    "setup": Phrase("Set-up of the next game"),
    "round": Phrase("Start of the round"),
    "timer": Phrase("Hall timer"),
    "settings": Phrase("Settings"),
    "update": Phrase("Update of the software"),
}
_NAMES: Final = ("/assign", Phrase("Names"))
_ORIGINS: Final = {
    "assign": _NAMES,
    "setup": _NAMES,
    "round": ("/round", Phrase("Round")),
    "timer": ("/timer", Phrase("Hall timer")),
    "settings": ("/devices#settings", Phrase("Devices")),
    "update": ("/devices#update", Phrase("Devices")),
}
"""The page with the form of an order, where it is not that of notices: path and title."""
RefusedForm = Callable[[Request, str, int], Awaitable[Response]]
"""Shows a page again as it was filled in, with the problem and a status."""


class MatrixCell(Struct, frozen=True):
    title: str
    kind: str
    """``frozen``, ``asked``, ``over``, ``accepted``, ``refused``, ``silent``, ``waiting``."""
    words: str
    why: str


async def fire(request: Request) -> Response:
    form = form_of(request)
    everything = targets(context(request).desk, context(request).now())
    try:
        wanted = everything if text_of(form, "to") == "all" else chosen(everything, texts_of(form, "clock"), text_of(form, "tables"))
        act = _act(text_of(form, "do"), text_of(form, "text"), text_of(form, "seconds"))
    except ValueError as error:
        return await _form(request, error.args[0])
    return await send(request, text_of(form, REQUEST), {each.id: act for each in wanted}, wanted, _form)


async def send(request: Request, order_request: str, acts: Mapping[str, Act], to: Sequence[DeskTarget], form: RefusedForm) -> Response:
    """Send orders, once whatever is repeated, and lead to their matrix; ``form`` shows the same page again with the problem."""
    parts, key = acting(request), (session.key if (session := visit_of(request).session) is not None else None)
    if key is None or not ID.fullmatch(order_request):
        raise HTTPException(400, Phrase("The form is not one of this desk."))
    matrix = RedirectResponse(f"/orders/{order_request}", 303)
    if await run_in_threadpool(parts.ordering.orders_of, order_request):
        return matrix
    if not to:
        return await form(request, Phrase("Choose at least one clock."), 422)
    if not await run_in_threadpool(lambda: parts.store.is_ours):
        return await form(request, OTHER_DESK, 409)
    act = next(iter(acts.values()))
    await note(request, act["do"], {"to": [each.title for each in to], **act}, order_request)
    try:
        await asyncio.wrap_future(parts.ordering.send(order_request, key, acts, to))
    except TileclockError as error:
        return await form(request, error.sentences, 422)
    return matrix


async def send_to_chosen(request: Request, made: Callable[[FormData, DeskTarget], Act], form: RefusedForm) -> Response:
    """Send what ``made`` makes of a form to the clocks that are chosen in it; it raises ValueError with a text for the director."""
    filled_in = form_of(request)
    ids = frozenset(texts_of(filled_in, "clock"))
    wanted = [each for each in targets(context(request).desk, context(request).now()) if each.id in ids]
    if not wanted:
        return await form(request, Phrase("Choose at least one clock."), 422)
    try:
        acts = {each.id: made(filled_in, each) for each in wanted}
    except ValueError as error:
        return await form(request, error.args[0], 422)
    return await send(request, text_of(filled_in, REQUEST), acts, wanted, form)


async def matrix(request: Request, template: str) -> HTMLResponse:
    order_request = request.path_params["request"]
    if not ID.fullmatch(order_request):
        raise HTTPException(404)
    orders = await run_in_threadpool(acting(request).ordering.orders_of, order_request)
    if not orders:
        raise HTTPException(404, Phrase("The desk has sent no such order."))
    do, known = orders[0].do, {each.id: each for each in targets(context(request).desk, context(request).now())}
    tiles = context(request).desk.tiles
    answers = [_answer(order, known.get(order.device), tiles.get(order.device)) for order in orders]
    counts = Counter(each.kind for each in answers)
    return page(
        request,
        template,
        order_request=order_request,
        what=WORDS[do],
        said=order_words(do, json.loads(orders[0].keys)),
        origin=_ORIGINS.get(do, ("/notices", Phrase("Notices"))),
        answers=sorted(answers, key=lambda each: _ORDER.index(each.kind)),
        counts=[(kind, _KINDS[kind], counts[kind]) for kind in _ORDER if counts[kind]],
        complete=not counts["waiting"],
    )


_KINDS: Final = {
    "refused": Phrase("refused"),
    "silent": Phrase("silent"),
    "waiting": Phrase("no answer yet"),
    "asked": Phrase("asked, still running"),
    "frozen": Phrase("frozen"),
    "over": Phrase("game over"),
    "accepted": Phrase("accepted"),
}
_ORDER: Final = tuple(_KINDS)


def _answer(order: KeptOrder, clock: DeskTarget | None, tile: TableTile | None) -> MatrixCell:
    title = order.device if clock is None else clock.title
    if order.state is not OrderState.ACCEPTED:
        return MatrixCell(title, order.state.value, _KINDS[order.state.value], order.sentence)
    if order.do != "stop":
        why = Phrase("It restarts by itself within minutes.") if order.do == "update" else ""
        return MatrixCell(title, "accepted", _KINDS["accepted"], why)
    if tile is not None and tile.phase == "over":
        # The line at the top of each page counts the same tables.
        return MatrixCell(title, "over", _KINDS["over"], "")
    runs_again = tile is not None and tile.freeze is not None and tile.running is not None
    if order.number is not None and not runs_again:
        return MatrixCell(title, "frozen", _KINDS["frozen"], Phrase("The clock has stopped itself."))
    if clock is not None and clock.stands:
        return MatrixCell(title, "frozen", _KINDS["frozen"], _why_it_stands(tile))
    return MatrixCell(title, "asked", _KINDS["asked"], Phrase("The players are asked to stop their clock."))


def _why_it_stands(tile: TableTile | None) -> Phrase:
    if tile is None or tile.doing in [each.value for each in FrozenBy]:
        return Phrase("Its players have stopped it.")
    return Phrase("No time runs ({doing}).", doing=tile.doing)


def _act(do: str, text: str, seconds: str) -> Act:
    if do not in ("notice", "stop", "clear"):
        raise ValueError(Phrase("Choose what to send."))
    if do == "clear":
        return {"do": do}
    if do == "stop":
        return {"do": do, "text": text}
    if not text:
        raise ValueError(Phrase("Write what the players read."))
    if (lasting := number_of(seconds, 600)) is not None and lasting >= 5:
        return {"do": do, "text": text, "seconds": lasting}
    raise ValueError(Phrase("A notice needs a duration of 5 to 600 seconds."))


async def _form(request: Request, problem: str = "", status: int = 422) -> HTMLResponse:
    form = form_of(request) if problem else None
    # A link may lead to taking back, because that stops no clock.
    wanted = "clear" if request.query_params.get("do") == "clear" else "notice"
    return page(
        request,
        "notices.html",
        clocks=targets(context(request).desk, context(request).now()),
        problem=problem,
        do=wanted if form is None else text_of(form, "do"),
        text="" if form is None else text_of(form, "text"),
        tables="" if form is None else text_of(form, "tables"),
        to=("all" if wanted == "clear" else "chosen") if form is None else text_of(form, "to"),
        checked=frozenset() if form is None else frozenset(texts_of(form, "clock")),
        seconds=_SECONDS,
        stop_text=STOP_TEXT,
        broker_why=acting(request).ordering.broker_why,
        status=status if problem else 200,
        **await order_form(request),
    )


_MAX: Final = 100
_MOST_ENTRIES: Final = 10**17
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
    BEGAN_ANEW: Phrase("Began the event anew"),
    ENTERED_RESULT: Phrase("Entered a result"),
    CORRECTED_RESULT: Phrase("Corrected a result"),
    PLACED_RESULT: Phrase("Gave a clock's result its pairing"),
    DISCARDED_RESULT: Phrase("Discarded a clock's result"),
}
_BEFORE: Final = {
    PLAYS_ROUND: as_phrase("Current round set to {said}"),
    ROUND_BEGINS: as_phrase("Round begins: {said}"),
    SET_OVERLAY: as_phrase("Overlay {said}"),
    SET_TIMER: as_phrase("Hall timer: {said}"),
    SENT_TIMER: as_phrase("Hall timer: {said}"),
}
"""What an act is called together with what the log has of it."""
_STATES: Final = {
    OrderState.ACCEPTED: Phrase("accepted"),
    OrderState.REFUSED: Phrase("refused"),
    OrderState.SILENT: Phrase("silent"),
    OrderState.WAITING: Phrase("waiting"),
}


class LoggedAct(Struct, frozen=True):
    entry: LogEntry
    what: str
    who: str
    to: str
    text: str
    answers: str
    """How many accepted, refused, or were silent. What became of a freeze later is in its matrix, to which this leads."""


async def log(request: Request) -> HTMLResponse:
    """Show the latest entries, or those before ``?before=``."""
    number = number_of(request.query_params.get("before", ""), _MOST_ENTRIES)
    lines = await run_in_threadpool(_lines, acting(request), number)
    return page(
        request,
        "log.html",
        lines=lines,
        older=lines[-1].entry.n if len(lines) == _MAX else None,
        holding=await run_in_threadpool(acting(request).store.holding),
        own=acting(request).ordering.desk,
    )


async def take_over(request: Request) -> Response:
    if (term := number_of(text_of(form_of(request), "term"), _MOST_ENTRIES)) is not None:
        before = await run_in_threadpool(acting(request).store.holding)
        if await run_in_threadpool(acting(request).store.take_over, term, who(request)):
            await note(request, TOOK_OVER, {"from": before.holder})
    return RedirectResponse("/log", 303)


def _lines(parts: Acting, before: int | None) -> list[LoggedAct]:
    return [_line(parts, entry) for entry in parts.store.latest(_MAX, before)]


def _line(parts: Acting, entry: LogEntry) -> LoggedAct:
    by = {COMMAND_LINE: Phrase("command line"), ITSELF: Phrase("the desk itself")}.get(entry.who, entry.who)
    shown = whom([str(received(each)) for each in entry.detail.get("to", [])])
    said = entry.text
    what = _WORDS.get(entry.what, entry.what)
    if (before := _BEFORE.get(entry.what)) is not None:
        what, text = Phrase(before.template, said=said), Phrase("")
    elif entry.what == IMPORTED:
        text = Phrase("{title}: {value}", title=said, value=received(entry.detail["added"])) if "added" in entry.detail else as_phrase(said)
    elif entry.what in WORDS:
        text = order_words(entry.what, entry.detail)
    else:
        text = Phrase("from {address}", address=entry.detail["from"]) if "from" in entry.detail else as_phrase(said)
    return LoggedAct(entry, what, by, shown, text, _answers(parts, entry))


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


routes = (
    DeskRoute("/notices", _form, DeskRole.DEPUTY),
    DeskRoute("/notices", fire, DeskRole.DIRECTOR, method="POST"),
    *live("/orders/{request}", "orders", matrix),
    DeskRoute("/log", log, DeskRole.DEPUTY),
    DeskRoute("/lease", take_over, DeskRole.DIRECTOR, method="POST"),
)
