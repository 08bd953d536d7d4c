"""A receipt that a phone has read from a clock: checked against the hall's own rows and the clock's signature, and beside it what counts now."""

from __future__ import annotations

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse

from faults.errors import Phrase
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute
from hall.desk.desk import DirectorsDesk
from hall.desk.web.pages import context, page
from hall.desk.web.results import result_words
from hall.event.model import Pairing
from hall.results.book import GameOfClock
from hall.store.store import reading_store
from hall.verify import receipt_proof
from wire.record import Proof

_MOST: Final = 2000
"""Characters: a receipt has a few hundred."""


async def shown(request: Request) -> HTMLResponse:
    return page(request, "receipt.html", text="", proof=None, stands="")


async def check(request: Request) -> HTMLResponse:
    """Check the text that was typed, pasted or scanned."""
    text, desk = str((await request.form()).get("receipt", ""))[:_MOST], context(request).desk
    proof, game = await run_in_threadpool(_checked, desk, text)
    return page(request, "receipt.html", text=text, proof=proof, stands="" if game is None else _standing(desk, game))


def _checked(desk: DirectorsDesk, text: str) -> tuple[Proof, GameOfClock | None]:
    with reading_store(desk.store, desk.hall) as store:
        return receipt_proof(store, text)


def _standing(desk: DirectorsDesk, game: GameOfClock) -> Phrase:
    """Return what counts at the desk of the pairing to which a game of a clock belongs."""
    kept = desk.results.of_games.get(game)
    if kept is None or kept.result is None:
        return Phrase("This game has no pairing at the desk.")
    of = kept.result
    found = desk.results.settled(Pairing(of.division, of.round, of.first, of.second))
    if found.is_disputed:
        return Phrase("The result is disputed: none counts.")
    if found.result is None:
        return Phrase("No result counts now.")
    return Phrase("What counts now: {result}.", result=result_words(desk.event, found.result))


routes = (DeskRoute("/receipt", shown, DeskRole.DEPUTY), DeskRoute("/receipt", check, DeskRole.DEPUTY, method="POST"))
