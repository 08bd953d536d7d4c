"""The results of games: a director enters a slip, corrects, settles a dispute, and says to which pairing a clock's result belongs; and a check of receipts."""

import re
import time
from typing import Final, TypeAlias
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from appliance.texts import languages, load_part
from faults.errors import Phrase, in_a_row
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute, form_of
from hall.desk.desk import DirectorsDesk
from hall.desk.rows import settling
from hall.desk.tiles.round import explained, oddities, player_names, removed_pairings, result_words
from hall.desk.web.devices import usual_rulebook
from hall.desk.web.orders import ID
from hall.desk.web.pages import REQUEST, acting, context, number_of, page, text_of, who
from hall.desk.web.rounds import round_page
from hall.event.model import BYE, Event, Pairing
from hall.event.parsing import MAX_ROUNDS
from hall.orders.sender import new_id
from hall.results.book import Forfeit, GameOfClock, GameResult, KeptRow, Source, UnplacedResult, key_of, names_of, said_of
from hall.store.store import reading_store
from hall.verify import receipt_proof
from rules.result import LEAST_SCORE, MOST_SCORE
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook, shipped_ids
from rules.tables import MAX_TABLE
from wire.record import Proof

Scores: TypeAlias = tuple[int, int] | None
_MOST_SPREAD: Final = 999
_TO_ROUND: Final = HTTPException(303, headers={"Location": "/round"})
"""For what is no longer there, such as a result that another director has settled."""
_OTHER_DESK: Final = Phrase("Another desk gives the orders, and keeps the results. Nothing was entered.")


def scores_of(*fields: str) -> Scores:
    """Return the scores that two fields hold; None: one of them holds none from ``LEAST_SCORE`` to ``MOST_SCORE``."""
    found = [int(each) for each in fields if re.fullmatch(r"-?[0-9]{1,4}", each) and LEAST_SCORE <= int(each) <= MOST_SCORE]
    return (found[0], found[1]) if len(found) == len(fields) else None


async def slip(request: Request) -> Response:
    form, event = form_of(request), context(request).desk.event
    number, table = number_of(text_of(form, "round"), MAX_ROUNDS) or 0, number_of(text_of(form, "table"), MAX_TABLE)
    here = [each for each in event.round(number) if each.second != BYE and table is not None and event.table_of(each) == table]
    scores, problem = scores_of(text_of(form, "one"), text_of(form, "two")), Phrase("")
    if not await _is_ours(request):
        problem = _OTHER_DESK
    elif len(here) != 1:
        given = text_of(form, "table", 20)
        problem = Phrase('Expected a table of round {number}, found "{found}". Nothing was entered.', number=number, found=given)
    elif scores is None:
        problem = Phrase("Expected two scores from {least} to {most}. Nothing was entered.", least=LEAST_SCORE, most=MOST_SCORE)
    if problem:
        typed = {name: text_of(form, name, 20) for name in ("table", "one", "two")}
        return round_page(request, "round.html", problem, of=number, typed=typed)
    await _keep_form(request, form, _by_director(request, here[0], scores))
    return RedirectResponse(f"/round?of={number}&entered={table}", 303)


class ResultForm(Struct, frozen=True):
    outcome: str
    """``scores``, ``first``, ``second`` or ``both`` (who forfeits), or ``none``: there is no result."""
    one: str
    two: str
    spread: str
    reason: str

    def said(self, pairing: Pairing) -> tuple[Scores, Forfeit | None] | None:
        """Return scores and forfeit; None: the form is not complete."""
        if self.outcome == "none":
            return None, None
        # A bye has no opponent who could forfeit.
        if pairing.second == BYE or self.outcome == "scores":
            two = "0" if pairing.second == BYE else self.two
            return None if (scores := scores_of(self.one, two)) is None else (scores, None)
        losers = {"first": (pairing.first,), "second": (pairing.second,), "both": (pairing.first, pairing.second)}.get(self.outcome)
        spread = number_of(self.spread, _MOST_SPREAD)
        return None if losers is None or spread is None else (None, Forfeit(losers, spread))


async def result(request: Request) -> Response:
    return _shown(request, _pairing(request))


async def correct(request: Request) -> Response:
    """Enter, correct or settle the result of a pairing; what is there already stays, and needs a reason."""
    form, pairing = form_of(request), _pairing(request)
    given = ResultForm(*(text_of(form, name) for name in ("outcome", "one", "two", "spread", "reason")))
    rows = context(request).desk.results.rows.get(key_of(pairing), ())
    newest = rows[-1].row if rows else 0
    said = given.said(pairing)
    if not await _is_ours(request):
        return _shown(request, pairing, _OTHER_DESK, given, 409)
    if text_of(form, "seen") != str(newest):
        return _shown(request, pairing, Phrase("Another result has come since you saw the page. Nothing was entered."), given, 409)
    if said is None:
        problem = Phrase(
            "Expected two scores from {least} to {most}, or who forfeits and a spread from 0 to {spread}. Nothing was entered.",
            least=LEAST_SCORE,
            most=MOST_SCORE,
            spread=_MOST_SPREAD,
        )
        return _shown(request, pairing, problem, given, 422)
    if newest and not given.reason:
        return _shown(request, pairing, Phrase("Give the reason: it stays beside the old value. Nothing was entered."), given, 422)
    made = replace(_by_director(request, pairing, *said), reason=given.reason, replaces=newest)
    await _keep_form(request, form, made)
    return RedirectResponse(str(request.url.replace(query=_query(pairing))), 303)


def _by_director(request: Request, pairing: Pairing, scores: Scores, forfeit: Forfeit | None = None) -> GameResult:
    return said_of(pairing, Source.SLIP, scores=scores, forfeit=forfeit, wall=time.time_ns(), who=who(request))


async def _keep_form(request: Request, form: FormData, made: GameResult) -> None:
    own = text_of(form, REQUEST)
    await _keep(request, f"form {own if ID.fullmatch(own) else new_id()}", KeptRow(made))


async def _keep(request: Request, key: str, row: KeptRow) -> None:
    """Keep a row, once however often its form comes, and say so in the log."""
    if await run_in_threadpool(request.app.state.result_keeper.add, {key: row}):
        await run_in_threadpool(request.app.state.other_desks.publish)


def _pairing(request: Request) -> Pairing:
    query = request.query_params
    desk, number = context(request).desk, number_of(query.get("round", ""), MAX_ROUNDS) or 0
    first, second = number_of(query.get("first", ""), 9999), number_of(query.get("second", ""), 9999)
    of_round = (*desk.event.round(number), *(each for each in removed_pairings(desk.event, desk.results) if each.round == number))
    found = (each for each in of_round if each.division == query.get("division") and each.first == first)
    pairing = next((each for each in found if second in (None, each.second)), None)
    if pairing is None:
        raise _TO_ROUND
    return pairing


def _query(pairing: Pairing) -> str:
    return urlencode({"division": pairing.division, "round": pairing.round, "first": pairing.first, "second": pairing.second})


def _shown(request: Request, pairing: Pairing, problem: str = "", given: ResultForm | None = None, status: int = 200) -> HTMLResponse:
    desk = context(request).desk
    rows, found = desk.results.rows.get(key_of(pairing), ()), desk.results.settled(pairing)
    return page(
        request,
        "result.html",
        status=status,
        pairing=pairing,
        removed=key_of(pairing) not in {key_of(each) for each in desk.event.pairings},
        table=desk.event.table_of(pairing),
        names=player_names(desk.event, pairing),
        rows=[each.seen_by(pairing.first) for each in rows],
        stands={each.row for each in found.rows},
        settled=found,
        odd=None if found.result is None else in_a_row(*oddities(found.result), between=", "),
        given=given or ResultForm("scores", "", "", str(_forfeit_spread(request)), ""),
        paired_next=any(each.round > pairing.round and each.division == pairing.division for each in desk.event.pairings),
        device_title=lambda name: _device_title(request, name),
        slip_path=f"/result/slip?{_query(pairing)}",
        new_request=new_id(),
        problem=problem,
        least=LEAST_SCORE,
        most=MOST_SCORE,
    )


def _forfeit_spread(request: Request) -> int:
    """Return the spread of a forfeit by the rulebook of most clocks; a director can enter another one."""
    name = usual_rulebook(context(request).desk.remote_devices())
    return load_rulebook(name if name in shipped_ids() else DEFAULT_RULEBOOK).result.forfeit_spread


async def printed(request: Request) -> Response:
    """Show a pairing's slip as a page to print, once for each player: with the result, if there is one, and empty lines for who has not signed on a clock."""
    pairing, desk = _pairing(request), context(request).desk
    found = desk.results.settled(pairing)
    return page(
        request,
        "slip.html",
        pairing=pairing,
        table=desk.event.table_of(pairing),
        names=player_names(desk.event, pairing),
        result=None if found.result is None else found.result.seen_by(pairing.first),
        signed=found.result is not None and any(each.source is Source.CLOCK for each in found.rows),
        words=_in_all_languages,
    )


def _in_all_languages(key: str) -> str:
    return " · ".join(dict.fromkeys(load_part("sheets", each).say(f"slip.{key}") for each in languages()))


def _device_title(request: Request, name: str) -> str:
    device = context(request).desk.device(name)
    if device is None or device.table is None:
        return name if device is None else device.name
    return Phrase("the clock of table {table}", table=device.table)


async def unplaced(request: Request) -> Response:
    return _choice(request, _waiting(request))


async def settle(request: Request) -> Response:
    form, waiting = form_of(request), _waiting(request)
    reason = text_of(form, "reason")
    if not await _is_ours(request):
        return _choice(request, waiting, _OTHER_DESK, 409)
    if text_of(form, "do") == "discard":
        if not reason:
            return _choice(request, waiting, Phrase("Give the reason why this result does not count."), 422)
        kept = KeptRow(why=reason, who=who(request), settles=waiting.n)
    else:
        chosen = next((each for each in _choices(context(request).desk.event, waiting) if each.value == text_of(form, "pairing")), None)
        if chosen is None:
            return _choice(request, waiting, Phrase("Choose the pairing."), 422)
        made = replace(waiting.clock.of(chosen.pairing, first_sits_left=chosen.first_sits_left), who=who(request), reason=reason)
        kept = KeptRow(made, settles=waiting.n)
    await _keep(request, settling(waiting.n), kept)
    return RedirectResponse("/round", 303)


class PairingChoice(Struct, frozen=True):
    pairing: Pairing
    first_sits_left: bool
    names: tuple[str, str]
    table: int | None
    alike: int
    """How much is as the clock says: a name counts twice as much as the table."""

    @property
    def value(self) -> str:
        return f"{self.pairing.round} {self.pairing.first} {int(self.first_sits_left)} {self.pairing.division}"


def _choices(event: Event, waiting: UnplacedResult) -> list[PairingChoice]:
    """Return all pairings, those that are most alike first."""
    found = []
    for pairing in (each for each in event.pairings if each.second != BYE):
        table, short, whole = event.table_of(pairing), names_of(event, pairing), player_names(event, pairing)
        for left, right in ((0, 1), (1, 0)):
            alike = 2 * (waiting.clock.names.left == short[left]) + 2 * (waiting.clock.names.right == short[right])
            alike += table is not None and table == waiting.clock.table
            found.append(PairingChoice(pairing, left == 0, (whole[left], whole[right]), table, alike))
    return sorted(found, key=lambda each: (-each.alike, -each.pairing.round, each.table or 0))


def _waiting(request: Request) -> UnplacedResult:
    found = context(request).desk.results.unplaced.get(number_of(request.query_params.get("n", ""), 999_999) or 0)
    if found is None:
        raise _TO_ROUND
    return found


def _choice(request: Request, waiting: UnplacedResult, problem: str = "", status: int = 200) -> HTMLResponse:
    desk = context(request).desk
    waiting, choices = explained(waiting, desk.event, desk.round, desk.results), _choices(desk.event, waiting)
    device = _device_title(request, waiting.clock.said.device)
    return page(request, "unplaced.html", waiting=waiting, choices=choices, device=device, problem=problem, status=status)


async def _is_ours(request: Request) -> bool:
    """Return whether this desk gives the orders: one that only watches keeps its rows for itself."""
    return await run_in_threadpool(lambda: acting(request).store.is_ours)


async def receipt(request: Request) -> HTMLResponse:
    return page(request, "receipt.html", text="", proof=None, stands="")


async def check_receipt(request: Request) -> HTMLResponse:
    # A receipt has a few hundred characters.
    text, desk = str(form_of(request).get("receipt", ""))[:2000], context(request).desk
    proof, game = await run_in_threadpool(_checked, desk, text)
    return page(request, "receipt.html", text=text, proof=proof, stands="" if game is None else _standing(desk, game))


def _checked(desk: DirectorsDesk, text: str) -> tuple[Proof, GameOfClock | None]:
    with reading_store(desk.store, desk.hall) as store:
        return receipt_proof(store, text)


def _standing(desk: DirectorsDesk, game: GameOfClock) -> Phrase:
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


routes = (
    DeskRoute("/slip", slip, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/result", result, DeskRole.DEPUTY),
    DeskRoute("/result", correct, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/result/slip", printed, DeskRole.DEPUTY),
    DeskRoute("/unplaced", unplaced, DeskRole.DEPUTY),
    DeskRoute("/unplaced", settle, DeskRole.DIRECTOR, method="POST"),
    DeskRoute("/receipt", receipt, DeskRole.DEPUTY),
    DeskRoute("/receipt", check_receipt, DeskRole.DEPUTY, method="POST"),
)
