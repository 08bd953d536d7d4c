"""The event: organisers' files come in, which round is played, and each round goes out."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from appliance.texts import received
from faults.errors import Phrase, TileclockError, as_phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, form_of
from hall.desk.desk import take_over
from hall.desk.store import IMPORTED, PLAYS_ROUND
from hall.desk.web.devices import assign_page
from hall.desk.web.pages import acting, context, counted, note, number_of, page, text_of, who
from hall.desk.web.rounds import round_change
from hall.event.apart import read_apart
from hall.event.model import Event, remarks
from hall.event.parsing import MAX_BYTES, MAX_ROUNDS, UnreadableEvent
from hall.store.events import StoredEvent, read_stored, set_round, write_event

_ADDED: Final = "added"
_PASSED: Final = "passed"
_WOULD_GO: Final = Phrase("Nothing was imported yet. These files would remove or change what the event has:")
_REFUSED: Final = Phrase("Nothing was imported. Correct this, then import all the files again.")


async def import_files(request: Request) -> Response:
    form = form_of(request)
    given = [each for each in form.getlist("files") if isinstance(each, UploadFile) and each.filename]
    if not given:
        return await _shown(request, [Phrase("Choose at least one file.")])
    # Of a path that a browser sends along only the name counts.
    names = [PurePosixPath((each.filename or "").replace("\\", "/")).name for each in given]
    if len(set(names)) < len(names):
        return await _shown(
            request, [Phrase("Expected files with different names, found two of one name. Import one of them after the other.")]
        )
    take = partial(_imported, request, dict(zip(names, given, strict=True)), text_of(form, "replace"), anew=bool(text_of(form, "new")))
    try:
        gone = await asyncio.get_running_loop().run_in_executor(acting(request).imports, take)
    except UnreadableEvent as error:
        return await _shown(request, [each.sentence for each in error.problems])
    except TileclockError as error:
        return await _shown(request, [error.sentences])
    if gone:
        return await _shown(request, gone, _WOULD_GO, 409)
    return RedirectResponse("/event?imported=1", 303)


async def play(request: Request) -> Response:
    form = form_of(request)
    desk, given = context(request).desk, text_of(form, "round")
    stored = await run_in_threadpool(read_stored, desk.store, desk.hall)
    number = number_of(given, MAX_ROUNDS) or 0
    if not stored.event.round(number):
        problem = Phrase('Expected a round with pairings, found "{found}".', found=given)
        return await _shown(request, [problem], Phrase("The current round stays."))
    change = round_change(desk)
    if change.asks_first(number) and text_of(form, "anyway") != str(change.current):
        # Since the page was made a game may have begun, or another round have become current.
        if text_of(form, "from") == "names":
            return await assign_page(request, in_a_row(change.waits_for, Phrase("The current round stays.")), 409)
        return await _shown(request, [change.waits_for], Phrase("The current round stays."), 409)
    await run_in_threadpool(_play, request, number)
    await note(request, PLAYS_ROUND, {"text": str(number)})
    return RedirectResponse("/assign" if text_of(form, "from") == "names" else "/event", 303)


def _imported(request: Request, given: Mapping[str, UploadFile], replace: str, *, anew: bool) -> list[Phrase]:
    """Import files, and return nothing; or, if something would go that the director has not seen on the page with ``replace``, only what that is."""
    desk = context(request).desk
    files = {name: each.file.read(MAX_BYTES + 1) for name, each in given.items()}
    known = Event() if anew else read_stored(desk.store, desk.hall).event
    read, gone = read_apart(files, known)
    if gone and replace != _seen(gone):
        return gone
    with desk.event_changes:
        write_event(desk.store, desk.hall, read, anew=anew, who=who(request))
        _show(request)
    told, counts = (*gone, *read.passed), added(known, read)
    detail = {"text": ", ".join(files), _ADDED: added_words(counts)} | ({_PASSED: told} if told else {})
    acting(request).store.add(who(request), IMPORTED, detail)
    return []


def _seen(gone: Sequence[str]) -> str:
    """Return what the page says of sentences that it shows: with others it asks again."""
    return sha256("\n".join(gone).encode()).hexdigest()


def _play(request: Request, number: int) -> None:
    desk = context(request).desk
    with desk.event_changes:
        set_round(desk.store, desk.hall, number)
        _show(request)


def _show(request: Request) -> None:
    """Let the pages show the event now: otherwise the next page would show the old one until the desk looks again."""
    desk = context(request).desk
    take_over(desk, acting(request).store, who(request), read_stored(desk.store, desk.hall))


def added(known: Event, read: Event) -> list[tuple[str, int, int]]:
    """Return how much ``read`` has that ``known`` has not: what, how many, and in which round."""
    pairings = Counter(each.round for each in set(read.pairings) - set(known.pairings))
    parts = [
        ("player", len(set(read.players) - set(known.players)), 0),
        *(("pairing", count, number) for number, count in sorted(pairings.items())),
        ("board", len(set(read.tables) - set(known.tables)), 0),
        ("place", len(set(read.floor) - set(known.floor)), 0),
    ]
    return [each for each in parts if each[1]]


_ADDITIONS: Final = {
    "player": (as_phrase("1 player"), as_phrase("{count} players")),
    "pairing": (as_phrase("1 pairing of round {round}"), as_phrase("{count} pairings of round {round}")),
    "board": (as_phrase("1 board"), as_phrase("{count} boards")),
    "place": (as_phrase("1 place"), as_phrase("{count} places")),
}


def added_words(counts: Iterable[tuple[str, int, int]]) -> Phrase:
    words = [counted(count, *_ADDITIONS[what], round=number) for what, count, number in counts]
    return in_a_row(*words, between=", ") if words else Phrase("nothing new")


async def _shown(request: Request, problems: Sequence[str] = (), refused: str = _REFUSED, status: int = 422) -> HTMLResponse:
    desk = context(request).desk
    try:
        stored = await run_in_threadpool(read_stored, desk.store, desk.hall)
    except TileclockError as error:
        # A new database has no event yet.
        stored, problems = StoredEvent(), problems or [error.sentences]
    found = stored.event
    paired = Counter(each.round for each in found.pairings)
    scored = Counter(each.round for each in found.pairings if desk.results.has_result(each))
    imported = await run_in_threadpool(acting(request).store.last, IMPORTED) if "imported" in request.query_params else None
    return page(
        request,
        "event.html",
        event=found,
        remarks=remarks(
            dataclasses.replace(found, passed=() if imported is None else tuple(map(received, imported.detail.get(_PASSED, ()))))
        ),
        rounds=[(number, count, scored[number]) for number, count in sorted(paired.items())],
        played=stored.round,
        overlays=stored.overlays,
        address=str(request.base_url),
        imported="" if imported is None else received(imported.detail.get(_ADDED, "")),
        problems=problems,
        replace=_seen(problems) if refused == _WOULD_GO else "",
        change=round_change(desk),
        folder=acting(request).folder,
        refused=refused,
        status=status if problems else 200,
    )


routes = (
    DeskRoute("/event", _shown, DeskRole.DEPUTY),
    DeskRoute("/event", import_files, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/event/round", play, DeskRole.DIRECTOR, method="POST"),
)
