"""The event's page and its exports, board and overlays; and notices and freezes from the page to real clocks, also by a desk that dies."""

import csv
import io
import json
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from appliance.texts import received
from firmware.hall.orders import HallTimer
from hall.cli.main import main
from hall.desk.access.accounts import Accounts, new_account
from hall.desk.access.guard import MAX_FILES
from hall.desk.desk import EventWatch
from hall.desk.store import BEGAN_ANEW, IMPORTED, PLAYS_ROUND, end_with_round, set_round_start
from hall.desk.web.api import COLUMNS
from hall.event.reading import read_event, read_import
from hall.keys.files import unlock_director
from hall.store.events import StoredEvent, kept_measures, read_stored, set_overlay, set_round, write_event
from records.journal import Kind
from rules.duration import NS
from tests.errors import refused
from tests.hall.desk.playing import RunningDesk, directors_desk
from tests.hall.desk.web import serving
from tests.hall.joined import PASSPHRASE, JoinedHall, PlayedClock, joined_hall
from tests.installed import require
from tests.processes import until
from tests.some import some

pytestmark = pytest.mark.waits(50)

PLAYERS = "name\nAnn\nBo\nCy\nDi\n"
PAIRINGS = "round,player1,player2,table\n1,Ann,Bo,7\n1,Cy,Di,8\n2,Ann,Cy,7\n2,Bo,Di,8\n"
FILES: dict[str, str | bytes] = {"pairings.csv": PAIRINGS, "players.csv": PLAYERS}
ROUND_3: dict[str, str | bytes] = {"round-3.csv": "round,player1,player2,table\n3,Ann,Di,7\n"}
SCRIPT = "<img src=x onerror=window.hurt=1>"


@pytest.fixture
def served(tmp_path: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[serving.ServedDesk]:
    # In this process: that another one reads the same shows ``tests/hall/event/test_hostile.py``, and a real import the browser.
    monkeypatch.setattr("hall.desk.web.event.read_apart", read_import)
    with serving.served_desk(tmp_path, accounts) as desk:
        yield desk


@pytest.fixture
def client(served: serving.ServedDesk) -> httpx.Client:
    """A director's, who has imported two rounds."""
    found = served.logged_in()
    assert upload(found, FILES).status_code == 303
    return found


def upload(client: httpx.Client, files: dict[str, str | bytes], **fields: str) -> httpx.Response:
    form = {**fields}
    return client.post(
        "/event", data=form, files=[("files", (name, text.encode() if isinstance(text, str) else text)) for name, text in files.items()]
    )


def stored(served: serving.ServedDesk) -> StoredEvent:
    return read_stored(served.folder / "hall.db", "trial")


def make_current(client: httpx.Client, number: str, **fields: str) -> httpx.Response:
    return client.post("/event/round", data={"round": number, **fields})


def test_what_is_wrong_with_files_and_what_an_import_did_is_said_in_the_language_of_the_page(client: httpx.Client) -> None:
    client.headers["accept-language"] = "fr"
    wrong = upload(client, {"players.csv": "name,number\nEve,x\n"})
    assert (wrong.status_code, "players.csv, ligne 2\u00a0: attendu\u00a0: un nombre de 1 à 10000 comme number" in wrong.text) == (
        422,
        True,
    )
    assert upload(client, {"more.csv": "name,judge\nEve,1\n"}).status_code == 303
    page = client.get("/event?imported=1").text
    assert ("Importé\u00a0: 1 joueur." in page, "more.csv, ligne 1\u00a0: la colonne &#34;judge&#34; est ignorée" in page) == (True, True)
    gone = upload(client, {"round-1.csv": "player1,player2,table\nAnn,Di,7\nBo,Cy,8\n"})
    assert "Division A, ronde 1\u00a0: ces appariements disparaissent\u00a0: Ann - Bo, Cy - Di." in gone.text
    assert all('lang="en"' not in each for each in (wrong.text, page, gone.text))


def test_the_log_says_each_act_in_the_language_of_the_page(served: serving.ServedDesk, client: httpx.Client) -> None:
    set_round_start(served.acting.store, "ruth", 5, 1)
    end_with_round(served.acting.store, "ruth", 2)
    EventWatch(served.desk, served.folder / "hall.db", served.acting.store)._note(replace(stored(served), overlays={"main": 7}))
    served.acting.store.add("ruth", PLAYS_ROUND, {"text": "as an older release has it"})
    log = client.get("/log", headers={"accept-language": "de"}).text
    for said in (
        *("players.csv: 4 Spieler, 2 Paarungen der Runde 1", "Beginn der Runde: in 5 min", "obwohl jetzt Runde 2 läuft"),
        *("Einblendung main zeigt Tisch 7", ">Befehlszeile<", "Laufende Runde: as an older release has it"),
    ):
        assert said in log


def test_a_directors_files_come_in_together_and_a_later_one_adds_to_them(served: serving.ServedDesk, client: httpx.Client) -> None:
    found = stored(served)
    assert (len(found.event.players), len(found.event.pairings), found.round) == (4, 4, 1)
    assert "/export/round-2.csv" in client.get("/event").text
    newest = served.acting.store.latest(1)[0]
    added = "4 players, 2 pairings of round 1, 2 pairings of round 2"
    assert (newest.who, newest.what, newest.text, received(newest.detail["added"])) == (
        *(serving.DIRECTOR, IMPORTED),
        *("pairings.csv, players.csv", added),
    )
    assert "Imported: nothing new." in client.get(upload(client, FILES).headers["location"]).text
    assert "Imported:" not in client.get("/event").text
    for wrong in ("", "0", "3", "²", "<b>"):
        answer = make_current(client, wrong)
        assert (answer.status_code, "<b>" in answer.text, stored(served).round) == (422, False, 1)
    # An import without scores leaves the round that the director has chosen.
    assert make_current(client, "2").status_code == 303
    assert served.acting.store.latest(1)[0].what == PLAYS_ROUND
    answer = upload(client, ROUND_3)
    assert "Imported: 1 pairing of round 3." in client.get(answer.headers["location"]).text
    assert (len(stored(served).event.pairings), stored(served).round) == (5, 2)
    upload(client, FILES, new="1")
    assert stored(served).round == 1
    until(lambda: served.acting.store.last(BEGAN_ANEW) is not None)
    assert (some(served.acting.store.last(BEGAN_ANEW)).who, "Began the event anew" in client.get("/log").text) == (serving.DIRECTOR, True)
    assert upload(client, {"players.csv": PLAYERS}, new="1").status_code == 303
    assert stored(served).event.pairings == ()
    files: dict[str, str | bytes] = {"config.tsh": "division A a.t\nconfig tables{A} = ['A1']", "a.t": f"{'A' * 41} 1 0; 50\n"}
    shown = client.get(upload(client, files, new="1").headers["location"]).text
    assert all(
        words in shown
        for words in (
            f"clocks show &#34;{'A' * 37}...&#34;",
            "and are passed over. Boards keep the tables of an earlier import; a boards CSV can say them.",
        )
    )


def test_what_an_import_would_let_go_is_asked_for_and_only_what_was_shown_goes(served: serving.ServedDesk, client: httpx.Client) -> None:
    swapped: dict[str, str | bytes] = {"next.csv": "round,player1,player2,table\n2,Ann,Bo,7\n"}
    answer = upload(client, swapped)
    assert answer.status_code == 409
    assert "Nothing was imported yet. These files would remove or change what the event has:" in answer.text
    assert "Division A, round 2: these pairings go: Ann - Cy, Bo - Di." in answer.text
    client.headers["accept-language"] = "de"
    assert "<p>Noch wurde nichts importiert. Diese Dateien" in upload(client, swapped).text
    del client.headers["accept-language"]
    seen = some(re.search(r'name="replace" value="(\w+)"', answer.text))[1]
    assert 'name="replace"' not in client.get("/event").text
    # Another file than the one that was shown is asked for again, and so is a box without its answer.
    others: dict[str, str | bytes] = {"next.csv": "round,player1,player2,table\n1,Ann,Cy,7\n"}
    assert [upload(client, each, replace=said).status_code for each, said in [(others, seen), (swapped, "1"), (swapped, "")]] == [409] * 3
    assert len(stored(served).event.pairings) == 4
    page = client.get(upload(client, swapped, replace=seen).headers["location"]).text
    assert "Division A, round 2: these pairings go: Ann - Cy, Bo - Di." in page
    assert [(each.first, each.second) for each in stored(served).event.round(2)] == [(1, 2)]
    # A late entry is not asked for.
    assert upload(client, {"late.csv": "name\nEve\n"}).status_code == 303
    assert (len(stored(served).event.players), len(stored(served).event.pairings)) == (5, 3)


@pytest.mark.parametrize(
    ("files", "status"),
    [
        ({"players.csv": b"name\n" + b"A" * 8_000_000}, 422),
        ({f"{SCRIPT}.csv": "x"}, 422),
        ({"": b""}, 422),
        ({"x/players.csv": PLAYERS, "C:\\y\\players.csv": PLAYERS}, 422),
        ({f"{number}.csv": PLAYERS for number in range(MAX_FILES + 1)}, 400),
    ],
    ids=["large", "no event", "none", "twice", "too many"],
)
def test_other_files_are_refused_with_a_sentence(served: serving.ServedDesk, files: dict[str, str | bytes], status: int) -> None:
    answer = upload(served.logged_in(), files)
    assert answer.status_code == status
    assert ("Nothing was imported." in answer.text) is (status == 422)
    assert SCRIPT not in answer.text
    assert stored(served).event.players == ()


def test_the_page_shows_each_player_with_a_rating_as_another_program_wrote_it(served: serving.ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {"a.t": "Ann <1500>P 2; 5; team Reds\nBo 1437+21 1; 5\n"})
    page = " ".join(client.get("/event").text.split())
    rows = re.findall(r'<tr><td data-label="Division">(.*?)</tr>', page)
    assert [re.sub("<.*?>", "|", each).replace("||", "|") for each in rows] == ["A|1|Ann|&lt;1500&gt;P|Reds|", "A|2|Bo|1437+21||"]


def test_what_the_command_line_changes_is_in_the_log(served: serving.ServedDesk, client: httpx.Client) -> None:
    watch = EventWatch(served.desk, served.desk.store, served.acting.store)
    watch.look()
    # A director's change on a page is logged as the director's; what stood before the desk looked is not logged.
    assert make_current(client, "2").status_code == 303
    watch.look()
    assert [entry for entry in served.acting.store.latest(9) if entry.who == "command line"] == []
    for words in (("round", "1"), ("overlay", "main", "12"), ("overlay", "main", "7"), ("overlay", "main")):
        done = CliRunner().invoke(main, ["event", *words, "--store", str(served.desk.store), "--hall", served.desk.hall])
        assert done.exit_code == 0, done.output
        watch.look()
    rows = re.findall(r"<tr.*?</tr>", client.get("/log").text, re.DOTALL)
    said = [re.sub(r"<[^>]+>|\s+", " ", row) for row in rows if "command line" in row]
    overlays = (f"Overlay main {words}" for words in ("has no table of its own", "shows table 7", "shows table 12"))
    expected = (*overlays, "Current round set to 1")
    assert all(words in row for words, row in zip(expected, said, strict=True)), said


@pytest.mark.usefixtures("client")
def test_the_page_leads_to_the_board_and_to_each_overlay_and_a_deputys_has_no_forms(served: serving.ServedDesk) -> None:
    set_overlay(served.folder / "hall.db", "trial", "main", 12)
    deputy = served.logged_in(serving.DEPUTY)
    page = deputy.get("/event").text
    links = re.findall(r'<a href="(/board|/standings|/overlay/\S+)">(.+?)</a>', page)
    assert links == [(path, f"{served.base}{path}") for path in ("/board", "/standings", "/overlay/main", "/overlay/12")]
    anyone = served.client()
    assert [anyone.get(path).status_code for path, _ in links] == [200, 200, 200, 200]
    assert '<a href="/board">' in anyone.get("/login").text
    # A deputy sees the event and exports it, and gets no form to change it.
    assert 'name="minutes"' not in deputy.get("/round").text
    assert ("/export/round-1.csv" in page, '<form method="post" action="/event' in page) == (True, False)


def test_the_names_page_leads_to_the_next_round_once_all_clocks_have_finished_this_one(
    served: serving.ServedDesk, client: httpx.Client
) -> None:

    def names(shown: str) -> str:
        until(lambda: shown in client.get("/assign").text, shown)
        return client.get("/assign").text

    # A game without the names of the round is none of it; no clock stands at a third table.
    clocks = {7: served.clock("at 7", 7, **serving.OVER), 8: served.clock("at 8", 8, names={"left": "Cy", "right": "Di"})}
    assert "<details" in names("2 tables have not finished round 1: Tables 7-8.")
    served.report(clocks[7], state=clocks[7].state(table=7, names={"left": "Ann", "right": "Bo"}, **serving.OVER))
    assert "<details" in names("1 table has not finished round 1: Table 8.")
    served.report(clocks[8], state=clocks[8].state(table=8, names={"left": "Cy", "right": "Di"}, **serving.OVER))
    page = names("All clocks have finished round 1.")
    assert ("All clocks have the names of round 1." in page, "Make round 2 current" in page, "<details" in page) == (True, True, False)
    assert "Make round 2 current" not in served.logged_in(serving.DEPUTY).get("/assign").text
    assert "make-current" not in client.get("/event").text
    answer = client.post("/event/round", data={"round": "2", "from": "names"})
    assert answer.headers["location"] == "/assign"
    page = client.get("/assign").text
    assert "2 clocks do not have the names of round 2 yet" in page
    assert ('value="Cy" maxlength="40" aria-label="Right' in page, "Make round" in page) == (True, False)


def test_pairings_without_a_table_and_tables_without_a_clock_are_said_so(served: serving.ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {**FILES, "pairings.csv": "round,player1,player2\n1,Ann,Bo\n1,Cy,Di\n2,Ann,\n"})
    lacks = "2 pairings have no table: import pairings with their tables or boards."
    assert [lacks in client.get(path).text for path in ("/event", "/round", "/round/part", "/assign")] == [True] * 4
    assert "All clocks" not in client.get("/assign").text
    upload(client, FILES, new="1")
    assert "no table" not in client.get("/event").text + client.get("/round").text
    page = client.get("/assign").text
    assert ("Tables 7-8 have no clock." in page, "All clocks" in page) == (True, False)
    served.clock("at 7", 7, names={"left": "Ann", "right": "Bo"}, **serving.OVER)
    until(lambda: "Table 8 has no clock." in client.get("/assign").text)
    assert "All clocks" not in client.get("/assign").text


def test_a_round_that_is_not_over_is_left_only_by_a_director_who_says_so_twice(served: serving.ServedDesk, client: httpx.Client) -> None:
    upload(client, {"round-3.csv": "round,player1,player2,table\n3,Ann,Bo,7\n"})
    served.clock("at 7", 7, names={"left": "Ann", "right": "Bo"})
    waits = "1 table has not finished round 1: Table 7."
    until(lambda: waits in client.get("/event").text, waits)
    page = client.get("/event").text
    summaries = re.findall("<summary>(Round .*)</summary>", page)
    assert summaries == ["Round 2, before round 1 is over", "Round 3, before round 1 is over"]
    assert ("still counts for round 1." in page, "does not count while round 3 is current." in page) == (True, True)
    # A page of before the game began has the plain button.
    plain = {"round": "2"}
    for form in (plain, plain | {"from": "names"}):
        answer = client.post("/event/round", data=form)
        assert (answer.status_code, waits in answer.text, "The current round stays." in answer.text) == (409, True, True)
        assert ("Tables, names and the next game" in answer.text) is ("from" in form)
    # Who agreed to leave another round has not been asked about this one.
    assert client.post("/event/round", data=plain | {"anyway": "2"}).status_code == 409
    assert stored(served).round == 1
    assert client.post("/event/round", data=plain | {"anyway": "1"}).status_code == 303
    assert stored(served).round == 2


EXPORTED = "name\n=HYPERLINK(1)\nBo\n<b>Cy</b>\nDi\n"
PAIRED = "division,round,player1,player2,table\nA,1,1,2,7\nA,1,3,4,8\n"


@pytest.fixture
def open_desk(served: serving.ServedDesk) -> serving.ServedDesk:
    write_event(served.desk.store, "trial", read_event({"players.csv": EXPORTED.encode(), "pairings.csv": PAIRED.encode()}))
    set_overlay(served.desk.store, "trial", "main", 7)
    EventWatch(served.desk, served.desk.store, served.acting.store).look()
    return served


def side(left_s: int, used_s: int, penalty: int = 0) -> dict[str, int]:
    return {"remaining_ns": left_s * NS, "used_ns": used_s * NS, "penalty": penalty, "credit_ns": 0, "points": 0, "infractions": 0}


def over(desk: serving.ServedDesk, name: str, table: int, left: str, right: str) -> None:
    names = {"left": left, "right": right}
    desk.clock(name, table, **serving.OVER, left=side(-65, 1565, 20), right=side(300, 1200), names=names)
    until(lambda: (tile := desk.desk.tile(str(table))) is not None and tile.phase == "over", "the tile")


def test_the_api_answers_as_its_own_document_says(open_desk: serving.ServedDesk) -> None:
    over(open_desk, "one", 7, "Bo", "=HYPERLINK(1)")
    open_desk.clock("two", 8)
    anybody, deputy = open_desk.client(), open_desk.logged_in()
    document = anybody.get("/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    answers: dict[str, httpx.Response] = {}
    for path in document["paths"]:
        real = path.replace("{table}", "7").replace("{number}", "1")
        answers[path] = (deputy if "rounds" in path else anybody).get(real)
        assert answers[path].status_code == 200, (path, answers[path].text)
        reference = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        schema = {**reference, "components": document["components"]}
        jsonschema.Draft202012Validator(schema).validate(answers[path].json())
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema).validate({**answers[path].json(), "more": 1})
    assert {each["table"] for each in answers["/api/tables"].json()["tables"]} == {7, 8}
    assert answers["/api/tables/{table}"].json()["left"] == {"name": "Bo", "remaining_ms": -65000, "penalty": 20}


def test_a_round_goes_out_as_csv_that_no_spreadsheet_runs(open_desk: serving.ServedDesk) -> None:
    over(open_desk, "one", 7, "Bo", "=HYPERLINK(1)")
    content = open_desk.logged_in().get("/export/round-1.csv").content
    assert content.startswith(b"\xef\xbb\xbfDivision,Round,Player1,Score1,Player2,Score2,table,used_ms1,")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    played = rows[0]
    # By name: the first of the pairing sits right.
    assert [played[name] for name in ("Player1", "Player2", "table")] == ["'=HYPERLINK(1)", "Bo", "7"]
    assert [played[f"{name}1"] for name in ("used_ms", "overtime_ms", "penalty")] == ["1200000", "0", "0"]
    assert [played[f"{name}2"] for name in ("used_ms", "overtime_ms", "penalty")] == ["1565000", "65000", "20"]
    assert played["over"] == "1"
    # No clock has played the other pairing.
    assert [rows[1][name] for name in ("Player1", "used_ms1", "over", "journal")] == ["<b>Cy</b>", "", "0", ""]


def test_an_exported_round_is_read_back_unchanged(served: serving.ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {"p.csv": "name\nZoë\nBo\n", "r.csv": "round,player1,player2,table,score1,score2\n1,Zoë,Bo,7,-5,400\n"})
    before = stored(served).event
    assert upload(client, {"round-1.csv": client.get("/export/round-1.csv").content}).status_code == 303
    assert stored(served).event == before


def test_a_result_outlives_the_next_game_on_that_clock(open_desk: serving.ServedDesk) -> None:
    over(open_desk, "one", 7, "=HYPERLINK(1)", "Bo")
    until(lambda: _kept(open_desk), "the result is kept")
    open_desk.clock("one", 7, phase="ready", running=None, turn=None, names={"left": "Bo", "right": "Di"}, game=2, number=0)
    until(lambda: (tile := open_desk.desk.tile("7")) is not None and tile.phase == "ready", "the next game")
    games = open_desk.logged_in().get("/export/round-1.json").json()["games"]
    assert (games[0]["over"], games[0]["players"][0]["used_ms"]) == (True, 1_565_000)


def test_a_game_that_ends_when_the_next_round_is_current_counts_for_its_own(open_desk: serving.ServedDesk) -> None:
    store = open_desk.desk.store
    open_desk.clock("one", 7, names={"left": "Bo", "right": "=HYPERLINK(1)"})
    files = {"players.csv": EXPORTED.encode(), "pairings.csv": f"{PAIRED}A,2,1,3,7\nA,2,2,4,8\n".encode()}
    write_event(store, "trial", read_event(files))
    set_round(store, "trial", 2)
    EventWatch(open_desk.desk, store, open_desk.acting.store).look()
    over(open_desk, "one", 7, "Bo", "=HYPERLINK(1)")
    until(lambda: _kept(open_desk), "the result is kept")
    games = [open_desk.logged_in().get(f"/export/round-{number}.json").json()["games"][0]["over"] for number in (1, 2)]
    assert games == [True, False]


def _kept(open_desk: serving.ServedDesk) -> bool:
    return 7 in kept_measures(open_desk.desk.store, "trial", 1)


def test_spectators_see_times_and_nothing_of_the_hall_besides(open_desk: serving.ServedDesk) -> None:
    over(open_desk, "one", 7, "Bo", "<b>Cy</b>")
    anybody = open_desk.client()
    for path in ("/board", "/overlay/main", "/overlay/7"):
        answer = anybody.get(path)
        assert (answer.status_code, "default-src 'none'" in answer.headers["content-security-policy"]) == (200, True)
        assert "<b>Cy" not in answer.text
    for path, status in {
        "/overlay/..%2f..%2fetc": 404, "/overlay/%3Cscript%3E": 404, "/api/tables/99": 404, "/api/tables/%00": 404, "/stream": 303, "/export/round-1.csv": 303,
        "/api/rounds/1": 303,
    }.items():  # fmt: skip
        assert anybody.get(path).status_code in {status, 401, 403, 404}, path
        assert anybody.get(path).status_code != 200
    for file in ("..%2fhall.db", "round-0.csv", "round-1.csv%00", "round-999.csv", "round-1.html"):
        assert open_desk.logged_in().get(f"/export/{file}").status_code == 404, file
    first = next(_events(anybody))
    assert first["overlays"] == {"main": 7}
    assert {"needs", "name", "rows"}.isdisjoint(first["tiles"][0])
    assert "troubles" not in first


def _events(client: httpx.Client, key: str = "tiles") -> Iterator[dict[str, Any]]:
    with client.stream("GET", "/public/stream") as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                found: dict[str, Any] = json.loads(line[6:])
                if found.get(key):
                    yield found


TABLES = 2


@dataclass
class DirectedHall:
    """Two clocks in play: one that stops itself, one that asks its players."""

    joined: JoinedHall
    soft: PlayedClock
    hard: PlayedClock


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectedHall]:
    require("mosquitto")
    with (
        joined_hall(tmp_path_factory.mktemp("d"), desks=2) as joined,
        joined.clock("soft", 12) as soft,
        joined.clock("hard", 13, hall__freeze="hard") as hard,
    ):
        for clock in (soft, hard):
            clock.press("right")
            clock.until("running")
        yield DirectedHall(joined, soft, hard)


def account_in(folder: Path, joined: JoinedHall) -> Path:
    made = Accounts(folder / "accounts.json")
    made.put(new_account(serving.DIRECTOR, serving.PASSWORD, unlock_director(joined.files.director, PASSPHRASE.encode()), serving.CHEAP))
    return made.path


@pytest.fixture
def account_file(hall: DirectedHall, tmp_path: Path) -> Path:
    return account_in(tmp_path, hall.joined)


@contextmanager
def director(desk: RunningDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=desk.address, timeout=60, verify=serving.NO_CERTIFICATES) as client:
        assert serving.log_in(client, serving.DIRECTOR).status_code == 303
        yield client


def heard(client: httpx.Client, clocks: int = TABLES) -> str:
    def ready() -> bool:
        page = client.get("/notices").text
        return page.count('name="clock"') == clocks and "data-unheard" not in page and 'role="alert"' not in page

    until(ready, "all clocks")
    return client.get("/notices").text


def fire(client: httpx.Client, page: str, do: str, text: str = "Stop, please") -> str:
    answer = client.post("/notices", data=serving.form_of(page, do=do, text=text, seconds="60", to="all"))
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def complete(client: httpx.Client, matrix: str) -> str:
    until(lambda: 'data-complete="true"' in client.get(f"{matrix}/part").text, "the matrix")
    return client.get(f"{matrix}/part").text


def cells(page: str) -> dict[str, str]:
    return {table: kind for kind, table in re.findall(r'class="cell (\w+)"><strong>(Table \d+)', page)}


def test_a_freeze_stops_what_stops_itself_and_asks_the_others(hall: DirectedHall, account_file: Path) -> None:
    with directors_desk(hall.joined, account_file) as desk, director(desk) as client:
        page = heard(client)
        assert "data-hard" in page
        matrix = fire(client, page, "stop")
        complete(client, matrix)
        # Its answer comes before the report that its clock stands.
        until(lambda: cells(client.get(f"{matrix}/part").text) == {"Table 12": "asked", "Table 13": "frozen"}, "the stop")
        hall.hard.until("neutral")
        assert hall.soft.game.phase.value == "running"
        # Its players stop it.
        hall.soft.press("centre")
        hall.soft.until("neutral")
        until(lambda: cells(client.get(f"{matrix}/part").text) == {"Table 12": "frozen", "Table 13": "frozen"}, "the players' stop")
        # Any page says so.
        line = re.compile(r'2 frozen, 0 still running\. <span class="since">Since <time datetime="[0-9T:+-]+"[^>]*>[0-9:]{8} UTC</time>')
        until(lambda: line.search(client.get("/devices").text) is not None, "the line, with the time of the clocks' machines")
        # The order's id leads to the matrix, too.
        (shown,) = re.findall(r'<a href="(/orders/[0-9a-f]{32})">Show</a>', client.get("/").text)
        assert cells(client.get(shown).text) == cells(client.get(matrix).text)
        assert "\u201cStop, please\u201d" in client.get(matrix).text
        assert 'value="clear" checked' in client.get("/notices?do=clear").text
        # The form once more, also with other words: it has acted.
        assert (fire(client, page, "stop"), fire(client, page, "notice", "Something else")) == (matrix, matrix)
        log = client.get("/log").text
        assert log.count("Freeze</a>") == 1
        # Not what was frozen when: the matrix, to which this leads, says it as it is now.
        assert (f'<a href="{matrix}">2 accepted</a>' in log, "Tables 12-13" in log) == (True, True)


def test_a_second_desk_watches_until_a_director_takes_over_and_nothing_is_sent_twice(hall: DirectedHall, account_file: Path) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(director(stack.enter_context(directors_desk(hall.joined, account_file))))
        page = heard(first)
        second_desk = directors_desk(hall.joined, account_file, desk="desk-2", listener="listener-2")
        second = stack.enter_context(director(stack.enter_context(second_desk)))
        watching = heard(second)
        assert "only watches" in watching
        before = [notices_of(hall, desk) for desk in ("desk-1", "desk-2")]
        # The one that watches sends nothing.
        form = serving.form_of(watching, do="notice", text="Once", seconds="60", to="all")
        assert second.post("/notices", data=form).status_code == 409
        matrix = fire(first, page, "notice", "Once")
        assert set(cells(complete(first, matrix)).values()) == {"accepted"}
        assert cells(complete(second, matrix)) == cells(complete(first, matrix))
        log = second.get("/log").text
        (term,) = re.findall(r'name="term" value="(\d+)"', log)
        assert second.post("/lease", data={"term": term}).status_code == 303
        # Both know at once who gives the orders now; the first one's form, sent to the other, has acted.
        assert first.post("/notices", data=form | serving.form_of(first.get("/notices").text)).status_code == 409
        again = {**form, "request": matrix.rpartition("/")[2]}
        assert second.post("/notices", data=again).headers["location"] == matrix
        # The form of before the take-over has never acted: now it does, once.
        for _ in range(2):
            answer = second.post("/notices", data={**form, "text": "Said by the second"})
            assert set(cells(complete(second, answer.headers["location"])).values()) == {"accepted"}
        assert [notices_of(hall, desk) for desk in ("desk-1", "desk-2")] == [[count + 1 for count in own] for own in before]
        # A page of the term before takes nothing back.
        assert first.post("/lease", data={"term": term}).status_code == 303
        assert "only watches" in first.get("/notices").text


def test_a_result_entered_at_the_first_desk_is_at_the_second_after_an_outage_and_back(hall: DirectedHall, account_file: Path) -> None:
    def round_page(client: httpx.Client) -> str:
        return " ".join(re.sub("<[^>]*>", " ", client.get("/round").text).replace("\u2013", "-").split())

    def slip(client: httpx.Client, table: str, one: str, two: str) -> None:
        form = serving.form_of(client.get("/round").text, round="1", table=table, one=one, two=two)
        assert client.post("/slip", data=form).status_code == 303

    def until_shown(client: httpx.Client, words: str) -> None:
        until(lambda: words in round_page(client), words)

    with directors_desk(hall.joined, account_file) as desk, director(desk) as first:
        upload(first, FILES)
        until_shown(first, "Slip of table")
        slip(first, "7", "412", "388")
        with directors_desk(hall.joined, account_file, desk="desk-2", listener="listener-2") as other, director(other) as second:
            upload(second, FILES)
            until_shown(second, "Ann - Bo A 412 - 388 entered, not signed")
            slip(first, "8", "301", "440")
            until_shown(second, "Cy - Di A 301 - 440 entered, not signed")
            # The first desk fails, and the second one goes on: a slip that differs is a dispute at both.
            desk.process.send_signal(signal.SIGKILL)
            desk.process.wait()
            log = second.get("/log").text
            (term,) = re.findall(r'name="term" value="(\d+)"', log)
            assert second.post("/lease", data={"term": term}).status_code == 303
            slip(second, "7", "412", "380")
            until_shown(second, "1 disputed")
            with directors_desk(hall.joined, account_file) as back, director(back) as first_again:
                until_shown(first_again, "1 disputed")
                assert "Cy - Di A 301 - 440" in round_page(first_again)


def notices_of(hall: DirectedHall, *desks: str) -> list[int]:
    taken = [[(body["what"], body["issuer"]) for body in clock.bodies(Kind.PROPOSAL)] for clock in (hall.soft, hall.hard)]
    return [sum(own.count(("notice", desk)) for desk in desks) for own in taken]


@pytest.mark.parametrize("login", ["--login", "--no-login"])
def test_an_address_of_the_network_without_certificate_or_login_is_refused(hall: DirectedHall, login: str) -> None:
    words = ("desk", "--address", "0.0.0.0", "--desk", str(hall.joined.files.identity("desk-1").key.parent), login)  # noqa: S104 - refused
    refused(CliRunner().invoke(main, words), where="0.0.0.0", found=re.compile("^none"))  # noqa: S104 - likewise


def test_a_killed_desk_sends_nothing_twice_and_a_clock_that_starts_again_gets_the_halls_timer_by_itself(tmp_path: Path) -> None:
    require("mosquitto")

    def shown(clock: PlayedClock) -> HallTimer | None:
        assert (clock.game.phase.value, len(clock.bodies(Kind.EVENT))) == ("ready", 1)
        return some(clock.loop._clock.hall).timer

    def press(client: httpx.Client, do: str) -> None:
        form = {"do": do, "length": "180", "warning": "30", "label": "Move 7"}
        assert client.post("/timer", data=form).status_code == 303

    # A hall of its own: mosquitto 2.0.11 may crash at a client that goes after clocks were added.
    with joined_hall(tmp_path) as joined:
        accounts = account_in(tmp_path, joined)
        with directors_desk(joined, accounts) as desk, director(desk) as client:
            with joined.clock("timed", 14) as clock:
                heard(client, 1)
                press(client, "start")
                until(lambda: shown(clock) is not None, "the timer")
                first = some(shown(clock))
            with joined.clock("timed", 14) as clock:
                until(lambda: shown(clock) is not None, "the timer once more")
                assert (abs(some(shown(clock)).ends - first.ends) < NS, some(shown(clock)).label) == (True, "Move 7")
                assert "Hall timer: 3:00 Move 7, to 1 clock without it" in client.get("/log").text
            before = next(_events(client, "timer"))["timer"]
            form = serving.form_of(client.get("/notices").text, do="notice", text="Once only", seconds="60", to="all")
            client.post("/notices", data=form)
            desk.process.send_signal(signal.SIGKILL)
            desk.process.wait()
        with joined.clock("timed", 14) as clock, directors_desk(joined, accounts) as desk:
            with httpx.Client(base_url=desk.address, timeout=60, verify=serving.NO_CERTIFICATES) as anybody:
                assert next(_events(anybody, "timer"))["timer"] == before
            assert shown(clock) is None
            with director(desk) as client:
                until(lambda: shown(clock) is not None, "the timer from the new desk")
                # The form of before, sent again after the new login.
                matrix = f"/orders/{form['request']}"
                assert client.post("/notices", data=form).headers["location"] == matrix
                assert client.get("/log").text.count("Once only") == 1
                press(client, "stop")
                until(lambda: shown(clock) is None, "no timer")
