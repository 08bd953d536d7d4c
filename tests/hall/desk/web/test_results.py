"""The results at the desk: a slip by its table's number, corrections with a reason, disputes, and clocks' results without a pairing."""

import html
import re
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from appliance.texts import languages, load_part
from hall.desk.desk import take_over
from hall.desk.other_desks import entry_of, sent
from hall.desk.rows import ResultKeeper
from hall.desk.store import CORRECTED_RESULT, DISCARDED_RESULT, ENTERED_RESULT, PLACED_RESULT, DeskStore
from hall.desk.web.public import PublicView
from hall.errors import ResultsError
from hall.event.model import BYE, Event, Pairing, Player
from hall.results.book import LEFT, RIGHT, ClockResult, GameResult, KeptRow, ResultBook, Source, imported, key_of, said_of
from hall.results.folder import About
from hall.results.standings import Caps
from hall.store.events import ResultsFolder, read_stored, set_round, write_event
from rules.side import BySide
from tests.hall.desk.web.browsing import logged_in, window
from tests.hall.desk.web.serving import DEPUTY, OVER, ServedDesk, request_in, served_desk
from tests.hall.signed_clock import clock_with_result
from tests.processes import until
from tests.some import some

pytestmark = pytest.mark.waits(20)

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Fay", "Gil")
EVENT = Event(
    tuple(Player("A", number, name) for number, name in enumerate(NAMES, 1)),
    (
        Pairing("A", 1, 1, 2, table=7),
        Pairing("A", 1, 3, 4, table=12),
        Pairing("A", 1, 5, 6),
        Pairing("A", 1, 7, BYE),
        Pairing("A", 2, 1, 3, table=7),
    ),
)
ANN_BO, CY_DI, EVE_FAY = EVENT.pairings[:3]
PATH = "/result?division=A&round=1&first=1"


@pytest.fixture
def served(tmp_path: Path, accounts: Path) -> Iterator[ServedDesk]:
    with served_desk(tmp_path, accounts) as desk:
        begin(desk, EVENT)
        yield desk


@pytest.fixture
def client(served: ServedDesk) -> httpx.Client:
    return served.logged_in()


def begin(served: ServedDesk, event: Event) -> None:
    write_event(served.desk.store, "trial", event)
    set_round(served.desk.store, "trial", 1)
    take_over(served.desk, served.acting.store, "test", read_stored(served.desk.store, "trial"))


def shown(client: httpx.Client, path: str) -> str:
    return client.get(path).text.replace("\u2013", "-")


def slip(client: httpx.Client, table: str, one: str, two: str, **fields: str) -> httpx.Response:
    page = client.get("/round").text
    form = {"request": request_in(page), "round": "1", "table": table, "one": one, "two": two, **fields}
    return client.post("/slip", data=form)


def decide(client: httpx.Client, path: str = PATH, **fields: str) -> httpx.Response:
    page = client.get(path).text
    seen = re.findall(r'name="seen" value="(\d+)"', page)[0]
    form = {"request": request_in(page), "seen": seen, "outcome": "scores", "spread": "50", **fields}
    return client.post(path, data=form)


def signed(served: ServedDesk, left: str, right: str, table: int, scores: tuple[int, int] = (412, 388), **changes: Any) -> None:
    """Let a clock say a result."""
    row = GameResult(row=0, division="", round=0, first=LEFT, second=RIGHT, source=Source.CLOCK, scores=scores, device="c-one", game="e/1")
    keeper(served).add_clock(ClockResult(BySide(left, right), table, replace(row, **changes), 9))


def keeper(served: ServedDesk) -> ResultKeeper:
    found: ResultKeeper = served.app.state.result_keeper
    return found


def scores(served: ServedDesk, pairing: Pairing = ANN_BO) -> tuple[int, int] | None:
    found = served.desk.results.settled(pairing).result
    return None if found is None else found.scores


def lines(client: httpx.Client) -> dict[str, str]:
    """Return what the Round page says of each pairing, by its players."""
    rows = re.findall(r"<tr data-table.*?</tr>", shown(client, "/round/part"), re.DOTALL)
    words = [[" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)] for row in rows]
    return {players.removesuffix(" A"): f"{said} | {stands}" for players, said, stands in words}


def logged(served: ServedDesk, what: str) -> str:
    return some(served.acting.store.last(what)).text


def test_a_slip_by_its_tables_number_is_entered_once_and_not_signed(served: ServedDesk, client: httpx.Client) -> None:
    answer = slip(client, "12", "412", "-5")
    assert (answer.status_code, answer.headers["location"]) == (303, "/round?of=1&entered=12")
    assert "Table 12, Cy - Di: 412 - -5" in shown(client, answer.headers["location"])
    assert lines(client)["Cy - Di"] == "412 - -5 | entered, not signed below 100 margin above 400"
    page = client.get("/round").text
    again = {"request": request_in(page), "round": "1", "table": "7", "one": "400", "two": "390"}
    assert [client.post("/slip", data=again | {"one": one}).status_code for one in ("400", "401")] == [303, 303]
    assert (scores(served), served.desk.results.newest) == ((400, 390), 2)
    assert logged(served, ENTERED_RESULT) == "round 1, Ann - Bo: 400 - 390"
    assert "Entered a result" in client.get("/log").text


def test_what_a_slip_cannot_be_is_refused_with_the_range_and_stays_in_the_form(served: ServedDesk, client: httpx.Client) -> None:
    for table, one, two in (
        ("7", "9999", "388"),
        ("7", "412", "99999"),
        ("7", "-1000", "1"),
        ("7", "2000", "1"),
        ("7", "4e2", "1"),
        ("7", "", "1"),
    ):
        answer = slip(client, table, one, two)
        assert (answer.status_code, "two scores from -999 to 1999. Nothing was entered." in answer.text) == (422, True)
        assert f'name="table" inputmode="numeric" maxlength="3" autocomplete="off" value="{table}"' in answer.text
    for table in ("8", "0", "1000", "x", ""):
        answer = slip(client, table, "412", "388")
        assert (answer.status_code, "Expected a table of round 1" in answer.text) == (422, True)
    assert slip(client, "7", "412", "388", round="3").status_code == 422
    assert served.desk.results.newest == 0


def test_unequal_sources_are_a_dispute_and_a_director_settles_it_with_a_reason(served: ServedDesk, client: httpx.Client) -> None:
    signed(served, "Bo", "Ann", 7, (388, 412))
    assert lines(client)["Ann - Bo"] == "412 - 388 | signed"
    answer = client.get(slip(client, "7", "402", "388").headers["location"])
    assert "the slip says otherwise than what was there" in answer.text
    assert lines(client)["Ann - Bo"] == "412 - 388 or 402 - 388 | disputed"
    assert "1 disputed" in client.get("/round").text
    assert ("Settle the dispute" in (page := client.get(PATH).text), "none counts" in page) == (True, True)
    refused = decide(client, one="402", two="388")
    assert (refused.status_code, "Give the reason" in refused.text, scores(served)) == (422, True, None)
    assert decide(client, one="402", two="388", reason="recounted <b>").status_code == 303
    page = client.get(PATH).text
    assert (page.count("<s>"), "recounted &lt;b&gt;" in page, "no longer" in page) == (2, True, True)
    assert (scores(served), lines(client)["Ann - Bo"]) == ((402, 388), "402 - 388 | decided")
    assert logged(served, CORRECTED_RESULT) == "round 1, Ann - Bo: 402 - 388 (recounted <b>)"
    # A player's dispute at the clock is one too.
    signed(served, "Cy", "Di", 12, game="e/2", disputed=True)
    assert lines(client)["Cy - Di"] == "412 - 388 | disputed"
    assert ("a player disputes it" in (page := shown(client, PATH.replace("first=1", "first=3"))), "<legend>Settle" in page) == (True, True)


def test_a_correction_is_of_what_the_director_saw_and_warns_when_the_next_round_is_paired(served: ServedDesk, client: httpx.Client) -> None:
    slip(client, "7", "412", "388")
    page = client.get(PATH).text
    assert "The next round is paired already" in page
    signed(served, "Ann", "Bo", 7, (412, 389))
    stale = {"request": request_in(page), "seen": "1", "outcome": "scores", "one": "1", "two": "2", "reason": "x"}
    answer = client.post(PATH, data=stale)
    assert (answer.status_code, "Another result has come" in answer.text, served.desk.results.newest) == (409, True, 2)
    begin(served, Event(EVENT.players, EVENT.pairings[:4]))
    assert "The next round is paired already" not in client.get(PATH).text


def test_a_late_objection_is_corrected_in_an_earlier_round_and_the_signed_row_and_the_next_pairings_stay(
    served: ServedDesk, client: httpx.Client
) -> None:
    signed(served, "Bo", "Ann", 7, (388, 412))
    set_round(served.desk.store, "trial", 2)
    take_over(served.desk, served.acting.store, "test", read_stored(served.desk.store, "trial"))
    assert "The next round is paired already. A correction does not change its pairings" in client.get(PATH).text
    assert decide(client, one="388", two="412", reason="Cy: the sheets were read wrongly").status_code == 303
    assert "<s>412 - 388</s>" in shown(client, PATH)
    assert [each.source for each in served.desk.results.rows[key_of(ANN_BO)]] == [Source.CLOCK, Source.SLIP]
    assert (scores(served), served.desk.event.pairings) == ((388, 412), EVENT.pairings)
    assert client.get("/export/standings.csv").text.splitlines()[1].startswith("A,1,2,Bo,,1,0,24,")


ODD = [((800, 400), ""), ((801, 401), "above 800"), ((400, 801), "above 800 margin above 400"), ((100, 500), ""), ((99, 499), "below 100"), ((501, 100), "margin above 400")]  # fmt: skip


def test_a_false_score_that_both_have_signed_counts_and_odd_ones_are_marked(served: ServedDesk, client: httpx.Client) -> None:
    for number, (each, marked) in enumerate(ODD):
        keeper(served).add({f"anew {number}": KeptRow(anew=True)})
        signed(served, "Ann", "Bo", 7, each, game=f"e/{number}")
        assert scores(served) == each
        assert lines(client)["Ann - Bo"] == " ".join(f"{each[0]} - {each[1]} | signed {marked}".split())
        assert ("Look at the slip" in client.get(PATH).text) == bool(marked)


def test_two_players_of_one_name_who_play_each_other_are_told_apart_by_their_numbers(served: ServedDesk, client: httpx.Client) -> None:
    players = (*EVENT.players[:2], Player("A", 3, "Ann"), *EVENT.players[3:])
    begin(served, Event(players, EVENT.pairings))
    set_round(served.desk.store, "trial", 2)
    take_over(served.desk, served.acting.store, "test", read_stored(served.desk.store, "trial"))
    signed(served, "Ann", "Ann", 7, (412, 388))
    assert "both players have one name" in client.get("/round/part").text
    offered = re.findall(r"<option value=\"([^\"]+)\">([^<]*)", shown(client, "/unplaced?n=1"))[:2]
    assert offered == [("2 1 1 A", "Round 2, table 7, A: Ann (1) - Ann (3)"), ("2 1 0 A", "Round 2, table 7, A: Ann (3) - Ann (1)")]
    form = {"do": "place", "pairing": "2 1 0 A"}
    assert client.post("/unplaced?n=1", data=form).status_code == 303
    assert lines(client)["Ann (1) - Ann (3)"] == "388 - 412 | signed"


def test_forfeits_and_no_result_are_entered_on_the_pairings_page(served: ServedDesk, client: httpx.Client) -> None:
    path = "/result?division=A&round=1&first=5"
    for wrong in ({"spread": "1000"}, {"spread": ""}, {"outcome": "x"}, {"outcome": "scores", "one": "400"}):
        assert decide(client, path, **{"outcome": "second", **wrong}).status_code == 422
    assert 'name="spread" min="0" max="999" value="50"' in client.get(path).text
    served.clock("one", table=None, rulebook="wespa-2021")
    assert 'name="spread" min="0" max="999" value="100"' in client.get(path).text, "of the rulebook of most clocks"
    assert decide(client, path, outcome="second").status_code == 303
    found = some(served.desk.results.settled(EVE_FAY).result)
    assert (some(found.forfeit).losers, found.margins(), found.scores) == ((6,), (50, -50), None)
    assert lines(client)["Eve - Fay"] == "Fay forfeits, spread 50 | entered, not signed"
    assert logged(served, ENTERED_RESULT) == "round 1, Eve - Fay: Fay forfeits"
    assert decide(client, path, outcome="both", reason="both came late", spread="75").status_code == 303
    assert some(served.desk.results.settled(EVE_FAY).result).margins() == (-75, -75)
    assert decide(client, path, outcome="none", reason="they play tonight").status_code == 303
    assert (served.desk.results.settled(EVE_FAY).is_missing, lines(client)["Eve - Fay"]) == (True, " | missing: no table")


def test_a_bye_is_entered_by_its_spread_and_counts_as_a_win_or_a_loss(served: ServedDesk, client: httpx.Client) -> None:
    path = "/result?division=A&round=1&first=7"
    assert lines(client)["Gil - bye"] == " | missing"
    assert "Slip to print" not in client.get(path).text
    assert decide(client, path, one="many").status_code == 422
    # Whatever else a form says: nobody forfeits to a bye.
    assert decide(client, path, one="50", two="30", outcome="first").status_code == 303
    assert lines(client)["Gil - bye"] == "50 - 0 | entered, not signed"
    assert client.get("/export/standings.csv").text.splitlines()[1].startswith("A,1,7,Gil,,1,0,50,50,1,")
    assert decide(client, path, one="-50", reason="came late").status_code == 303
    assert client.get("/export/standings.csv").text.splitlines()[-1].startswith("A,7,7,Gil,,0,1,-50,-50,1,")
    assert decide(client, path, outcome="none", reason="plays Hal").status_code == 303
    assert lines(client)["Gil - bye"] == " | missing"


def test_a_bye_with_its_files_score_needs_no_entry(served: ServedDesk, client: httpx.Client) -> None:
    event = Event(EVENT.players, (Pairing("A", 1, 7, BYE, scores=(50, None)),))
    keeper(served).add(imported(event, served.desk.results, 9))
    begin(served, event)
    assert lines(client)["Gil - bye"] == "50 - 0 | entered, not signed"


def test_what_fits_no_pairing_is_asked_about_and_settled_once(served: ServedDesk, client: httpx.Client) -> None:
    signed(served, "Di", "Cy", 7, (388, 412))
    signed(served, "Zed", "Yan", 3, game="e/2")
    part = client.get("/round/part").text
    assert "round 1 has these players at table 12" in part
    page = shown(client, "/unplaced?n=1")
    # The most alike comes first, the left player in front.
    assert re.findall(r"<option value=\"([^\"]+)\">([^<]*)", page)[0] == ("1 3 0 A", "Round 1, table 12, A: Di - Cy")
    form = {"do": "place"}
    assert client.post("/unplaced?n=1", data=form | {"pairing": "1 9 0 A"}).status_code == 422
    assert client.post("/unplaced?n=1", data=form | {"pairing": "1 3 0 A", "reason": "sat at 7"}).status_code == 303
    assert (scores(served, CY_DI), lines(client)["Cy - Di"]) == ((412, 388), "412 - 388 | signed")
    assert logged(served, PLACED_RESULT) == "round 1, Cy - Di: 412 - 388 (sat at 7)"
    assert client.post("/unplaced?n=2", data=form | {"do": "discard"}).status_code == 422
    assert client.post("/unplaced?n=2", data=form | {"do": "discard", "reason": "practice"}).status_code == 303
    assert (served.desk.results.unplaced, logged(served, DISCARDED_RESULT)) == ({}, "table 3, Zed - Yan: 412 - 388 (practice)")
    # Another director may have been quicker.
    assert client.post("/unplaced?n=2", data=form | {"do": "discard", "reason": "again"}).headers["location"] == "/round"


def test_the_page_shows_who_still_plays_until_when_and_who_has_not_signed(served: ServedDesk, client: httpx.Client) -> None:
    names = {"left": "Ann", "right": "Bo"}
    served.clock("plays", 7, names=names)
    served.clock("over", 12, names={"left": "Cy", "right": "Di"}, **OVER)
    found = lines(client)
    assert re.fullmatch(r" \| missing: plays, ends in at most (49:\d\d|50:00)", found["Ann - Bo"])
    assert (found["Cy - Di"], found["Eve - Fay"]) == (" | over, no result", " | missing: no table")
    # Whatever needs somebody comes first.
    assert list(found) == ["Cy - Di", "Ann - Bo", "Eve - Fay", "Gil - bye"]
    assert 'data-until="' in client.get("/round/part").text


def test_an_earlier_round_has_its_results_too(served: ServedDesk, client: httpx.Client) -> None:
    slip(client, "7", "412", "388")
    set_round(served.desk.store, "trial", 2)
    take_over(served.desk, served.acting.store, "test", read_stored(served.desk.store, "trial"))
    assert (list(lines(client)), "412 - 388" in shown(client, "/round?of=1")) == (["Ann - Cy"], True)
    assert client.get("/round?of=x").status_code == 200


def test_a_rounds_export_has_the_results_as_they_stand(served: ServedDesk, client: httpx.Client) -> None:
    signed(served, "Bo", "Ann", 7, (388, 412))
    slip(client, "12", "300", "299")
    signed(served, "Cy", "Di", 12, (301, 299), game="e/2")
    games = client.get("/api/rounds/1").json()["games"]
    assert [[each["score"] for each in game["players"]] for game in games] == [[412, 388], [None, None], [None, None], [None, None]]


def test_the_standings_are_public_count_what_is_settled_and_say_when_they_change(served: ServedDesk, client: httpx.Client) -> None:
    view = PublicView(served.desk)
    assert (view.changes(0)[0]["standings"], "standings" in view.changes(0)[0]) == (1, False)
    signed(served, "Bo", "Ann", 7, (388, 888))
    slip(client, "12", "300", "300")
    assert (view.changes(0)[0]["standings"], view.snapshot()["standings"]) == (2, 2)

    def places(path: str = "/standings") -> list[str]:
        rows = re.findall(r"<tr><td.*?</tr>", served.client().get(path).text)
        return [" ".join(re.sub("<[^>]*>", " ", each).split()) for each in rows]

    # Equal players come in an order of the division's own, as in TSH.
    assert sorted(places()) == [
        "1 Ann 1 0 +500",
        *(f"2 {each} 0.5 0.5 +0" for each in ("Cy", "Di")),
        *(f"4 {each} 0 0 +0" for each in ("Eve", "Fay", "Gil")),
        "7 Bo 0 1 -500",
    ]
    served.desk.caps = Caps(spread=(350,))
    assert (places("/standings/part")[0], "at most 350 points" in shown(served.client(), "/standings")) == ("1 Ann 1 0 +350", True)
    # A disputed result counts for neither player.
    slip(client, "7", "889", "388")
    assert {each[:4] for each in places()[:2]} == {"1 Cy", "1 Di"}
    lines = client.get("/export/standings.csv").text.removeprefix("\ufeff").splitlines()
    assert (lines[1].split(",")[:2], len(lines), served.client().get("/export/standings.csv").status_code) == (["A", "1"], 8, 303)


def test_the_standings_follow_each_result_in_an_open_browser(served: ServedDesk, client: httpx.Client, browser: Browser) -> None:
    with window(browser) as context:
        page = context.new_page()
        page.goto(f"{served.base}/standings")
        page.locator("tbody tr").first.wait_for()
        for one, first in (("412", "Ann"), ("300", "Bo")):
            slip(client, "7", one, "388") if one == "412" else decide(client, one=one, two="388", reason="recount")
            page.locator("tbody tr", has_text=first).locator("nth=0").filter(has_text=re.compile("^1")).wait_for()


def test_a_receipt_that_was_pasted_is_checked_against_the_clocks_rows_and_what_counts_now(
    served: ServedDesk, client: httpx.Client, tmp_path: Path
) -> None:
    begin(served, Event((Player("A", 1, "Ada Lovelace"), Player("A", 2, "Bo Žižek")), (ANN_BO,)))
    device, receipt = clock_with_result(tmp_path)
    served.report(device, up=device.up(table=7), rows=device.batch(1, len(device.rows)))
    until(lambda: scores(served) is not None)
    genuine = f"Genuine: row 6 of the hall&#39;s own rows, signed by {device.id}."
    assert f"{genuine} What counts now: round 1, Ada Lovelace - Bo Žižek: 412 - 389." in check(client, receipt)
    assert "Not genuine" in check(client, receipt.replace("412", "512"))
    decide(client, one="410", two="389", reason="recount")
    assert f"{genuine} What counts now: round 1, Ada Lovelace - Bo Žižek: 410 - 389 (recount)." in check(client, receipt)


def check(client: httpx.Client, receipt: str) -> str:
    # As a browser sends it.
    form = {"receipt": receipt.replace("\n", "\r\n")}
    return client.post("/receipt", data=form).text


def test_a_result_whose_pairing_an_import_removed_is_shown_and_taken_away_with_a_reason(served: ServedDesk, client: httpx.Client) -> None:
    slip(client, "7", "412", "388")
    begin(served, Event(EVENT.players, (replace(ANN_BO, second=3), *EVENT.pairings[2:])))
    part = shown(client, "/round/part")
    assert "Results whose pairing an import has removed" in part
    path = html.unescape(re.findall(r'href="([^"]*)">Round 1, Ann - Bo</a>: 412 - 388', part)[0])
    assert "An import has removed this pairing" in client.get(path).text
    assert "An import has removed this pairing" not in client.get(PATH).text
    assert decide(client, path, outcome="none", reason="entered at the new pairing").status_code == 303
    assert "an import has removed" not in shown(client, "/round/part")


def test_a_desk_that_only_watches_leaves_the_folder_to_the_other_one_until_it_takes_over(served: ServedDesk, tmp_path: Path) -> None:
    lease, target = served.acting.store, tmp_path / "results.csv"
    other = replace(lease, desk="desk-2")
    folder = ResultsFolder(served.desk.store, "trial", tmp_path, "csv", About("Open", date(2026, 3, 9)))
    folder.writes = lambda: other.is_ours
    assert lease.is_ours
    with pytest.raises(ResultsError, match="another one does, and writes here"):
        folder.look()
    assert not target.exists()
    other.take_over(lease.holding().term, "Dora")
    assert (folder.look(), target.exists()) == (["Written: results.csv."], True)


def test_the_desk_writes_a_folder_and_its_event_page_says_how_it_stands(served: ServedDesk, client: httpx.Client, tmp_path: Path) -> None:
    assert "Results for another program" not in client.get("/event").text
    target, said, warned = tmp_path / "tsh", list[str](), list[str]()
    folder = ResultsFolder(served.desk.store, "trial", target, "csv", About("Open", date(2026, 3, 9)))
    served.app.state.acting = replace(served.acting, folder=folder)
    thread = threading.Thread(target=folder.run, args=(said.append, warned.append))
    thread.start()
    try:
        until(lambda: bool(folder.trouble))
        page = client.get("/event").text
        assert (folder.trouble in html.unescape(page), "Nothing has been written" in page) == (True, True)
        target.mkdir()
        until(lambda: bool(folder.said))
        slip(client, "7", "412", "388")
        until(lambda: ",412,2,Bo,388" in (target / "results.csv").read_text())
        until(lambda: not folder.trouble)
        page = client.get("/event").text
    finally:
        folder.stop()
        thread.join()
    assert ("They cannot be written" in page, "Written: results.csv." in page) == (False, True)
    assert 'data-label="With results">1<' in page
    assert folder.written_at[:19] in page
    assert (len(warned), set(said)) == (1, {"Written: results.csv."})


def test_a_desk_that_only_watches_enters_nothing(served: ServedDesk, client: httpx.Client) -> None:
    signed(served, "Zed", "Yan", 3)
    other = DeskStore(served.acting.store.engine, "trial", "desk-2")
    assert other.take_over(other.holding().term, "jo")
    form = {"do": "discard", "reason": "practice"}
    answers = slip(client, "7", "412", "388"), decide(client, one="412", two="388"), client.post("/unplaced?n=1", data=form)
    assert ([each.status_code for each in answers], served.desk.results.newest) == ([422, 409, 409], 1)
    assert all("Another desk gives the orders" in each.text for each in answers)


def test_a_deputy_sees_the_results_and_no_form_to_enter_one(served: ServedDesk) -> None:
    signed(served, "Zed", "Yan", 3)
    deputy = served.logged_in(DEPUTY)
    for path in ("/round", PATH, "/unplaced?n=1"):
        page = deputy.get(path)
        assert (page.status_code, 'name="one"' in page.text, 'name="reason"' in page.text) == (200, False, False)


def test_a_slip_takes_twelve_keys_and_the_next_one_follows_without_the_mouse(served: ServedDesk, browser: Browser) -> None:
    with window(browser) as context:
        page = logged_in(context, served.base)
        page.goto(f"{served.base}/round")
        for table, one, two in (("12", "412", "388"), ("7", "405", "399")):
            keys = (*table, "Tab", *one, "Tab", *two, "Enter")
            assert len(keys) <= 12
            for key in keys[:-1]:
                page.keyboard.press(key)
            assert page.locator("#slip [data-name]").all_inner_texts() == (["Cy", "Di"] if table == "12" else ["Ann", "Bo"])
            with page.expect_navigation():
                page.keyboard.press("Enter")
            page.get_by_role("status").filter(has_text=f": {one} \u2013 {two}").wait_for()
        assert (scores(served), scores(served, CY_DI)) == ((405, 399), (412, 388))
        # A result that comes meanwhile is shown, and does not disturb who types.
        page.keyboard.press("7")
        signed(served, "Ann", "Bo", 7, (405, 399))
        page.locator("tr[data-table='7']", has_text="signed").filter(has_not_text="not signed").wait_for()
        assert page.input_value("#slip [name=table]") == "7"


def in_all_languages(key: str) -> list[str]:
    return [load_part("sheets", code).say(f"slip.{key}") for code in languages()]


def test_a_slip_to_print_has_the_result_for_both_players_in_all_languages_and_lines_where_nobody_has_signed(
    served: ServedDesk, client: httpx.Client
) -> None:
    link = re.findall(r'href="(/result/slip[^"]*)"', client.get(PATH).text)[0].replace("&amp;", "&")
    empty = client.get(link).text
    assert all(said in empty for said in in_all_languages("round"))
    assert all(said in empty for said in in_all_languages("score"))
    assert empty.count("Ann") == 3, "twice, and in the title"
    assert (empty.count('<td class="line"></td>'), "signed on the clock" in empty) == (4, False)
    # The clock has them the other way round.
    signed(served, "Bo", "Ann", 7, (388, 412), wall=1_780_000_000_000_000_000)
    filled = client.get(link).text
    assert re.findall(r"<td>(\d+)</td>", filled) == ["412", "388"] * 2
    assert [filled.count(said) for said in in_all_languages("signed")] == [4] * len(languages())
    assert filled.count("2026-05-28 20:26:40 UTC") == 2


def test_what_another_desk_has_entered_comes_in_or_stands_on_the_round_page_until_it_fits(served: ServedDesk, client: httpx.Client) -> None:
    other, unpaired = replace(served.acting.store, desk="desk-2"), Pairing("A", 3, 1, 4)
    paired = Event(EVENT.players, (*EVENT.pairings, unpaired))
    for pairing, key in ((ANN_BO, "form a"), (unpaired, "form b")):
        row = KeptRow(said_of(pairing, Source.SLIP, scores=(412, 388), who="jo", reason=f"<{key}>", wall=1))
        other.add(*entry_of(paired, sent(paired, ResultBook(), key, row)))
    until(lambda: "do not fit here" in shown(client, "/round/part"))
    assert ("&lt;form b&gt;" in shown(client, "/round/part"), scores(served)) == (True, (412, 388))
    begin(served, paired)
    until(lambda: scores(served, unpaired) == (412, 388))
    until(lambda: "do not fit here" not in shown(client, "/round/part"))
