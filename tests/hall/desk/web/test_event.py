"""The event's page: files come in whole or not at all, and what is wrong with them is shown line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from hall.cli.main import main
from hall.desk.access.guard import MAX_FILES
from hall.desk.event_watch import EventWatch
from hall.desk.store import IMPORTED, PLAYS_ROUND
from hall.store.events import StoredEvent, read_stored, set_overlay
from tests.hall.desk.web.serving import DEPUTY, DIRECTOR, ServedDesk, served_desk, token_in
from tests.processes import until

PLAYERS = "name\nAnn\nBo\nCy\nDi\n"
PAIRINGS = "round,player1,player2,table\n1,Ann,Bo,7\n1,Cy,Di,8\n2,Ann,Cy,7\n2,Bo,Di,8\n"
SCRIPT = "<img src=x onerror=window.hurt=1>"
CONFIG = "config event_name = 'Club'\ndivision A a.t\nconfig tables{'A'} = [7, 8]\n"
DIVISION = f"{SCRIPT:<40}1200 2; 400; board 1\nBo 1100 1; 390; board 1\n"


@pytest.fixture
def served(tmp_path: Path, accounts: Path) -> Iterator[ServedDesk]:
    with served_desk(tmp_path, accounts) as desk:
        yield desk


def upload(client: httpx.Client, files: dict[str, str | bytes], **fields: str) -> httpx.Response:
    """Send the form as a browser does."""
    form = {"token": token_in(client.get("/event").text), **fields}
    return client.post(
        "/event", data=form, files=[("files", (name, text.encode() if isinstance(text, str) else text)) for name, text in files.items()]
    )


def stored(served: ServedDesk) -> StoredEvent:
    return read_stored(served.folder / "hall.db", "trial")


def test_a_directors_files_come_in_together_and_a_later_one_adds_to_them(served: ServedDesk) -> None:
    client = served.logged_in()
    assert upload(client, {"pairings.csv": PAIRINGS, "players.csv": PLAYERS}).status_code == 303
    found = stored(served)
    assert (len(found.event.players), len(found.event.pairings), found.round) == (4, 4, 1)
    page = client.get("/event").text
    assert "/export/round-2.csv" in page
    newest = served.acting.log.latest(1)[0]
    assert (newest.who, newest.what, newest.detail) == (
        DIRECTOR,
        IMPORTED,
        {"text": "pairings.csv, players.csv", "added": "4 players, 2 pairings of round 1, 2 pairings of round 2"},
    )
    assert upload(client, {"round-3.csv": "round,player1,player2,table\n3,Ann,Di,7\n"}).status_code == 303
    assert len(stored(served).event.pairings) == 5
    assert upload(client, {"players.csv": PLAYERS}, new="1").status_code == 303
    assert stored(served).event.pairings == ()


def test_with_one_wrong_line_nothing_is_taken_and_every_wrong_line_is_shown(served: ServedDesk) -> None:
    client = served.logged_in()
    assert upload(client, {"players.csv": PLAYERS}).status_code == 303
    before = stored(served)
    answer = upload(client, {"round.csv": f"round,player1,player2\n1,Ann,Bo\n1,{SCRIPT},Di\nx,Cy,Di\n"})
    assert answer.status_code == 422
    assert "round.csv, line 3: expected a player of division A, by name or number, found" in answer.text
    assert "round.csv, line 4: " in answer.text
    assert SCRIPT not in answer.text
    assert stored(served) == before


@pytest.mark.parametrize(
    "files",
    [
        {"players.pdf": PLAYERS},
        {"players.csv": b"\x00"},
        {"players.csv": b"\xff\xfe" + PLAYERS.encode("utf-16-le")},
        {"players.csv": b"name\n" + b"A" * 8_000_000},
        {"../../etc/passwd": PLAYERS},
        {f"{SCRIPT}.csv": "x"},
        {"": b""},
    ],
)
def test_another_file_is_refused_with_a_sentence(served: ServedDesk, files: dict[str, str | bytes]) -> None:
    answer = upload(served.logged_in(), files)
    assert answer.status_code == 422
    assert "Nothing was imported." in answer.text
    assert SCRIPT not in answer.text
    assert stored(served).event.players == ()


def test_more_files_than_an_event_has_are_no_form(served: ServedDesk) -> None:
    answer = upload(served.logged_in(), {f"{number}.csv": PLAYERS for number in range(MAX_FILES + 1)})
    assert answer.status_code == 400
    assert stored(served).event.players == ()


def test_tsh_comes_in_as_its_configuration_with_its_divisions(served: ServedDesk) -> None:
    assert upload(served.logged_in(), {"config.tsh": CONFIG, "a.t": DIVISION}).status_code == 303
    event = stored(served).event
    assert [each.name for each in event.players] == [SCRIPT, "Bo"]
    assert event.table_of(event.pairings[0]) == 7


def test_a_director_says_which_round_is_played(served: ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    token = token_in(client.get("/event").text)
    for wrong in ("", "0", "3", "-1", "²", "<b>"):
        answer = client.post("/event/round", data={"token": token, "round": wrong})
        assert answer.status_code == 422
        assert "<b>" not in answer.text
    assert stored(served).round == 1
    assert client.post("/event/round", data={"token": token, "round": "2"}).status_code == 303
    assert stored(served).round == 2
    assert served.acting.log.latest(1)[0].what == PLAYS_ROUND


def test_what_the_command_line_changes_is_in_the_log(served: ServedDesk) -> None:
    director = served.logged_in()
    upload(director, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    watch = EventWatch(served.desk, served.desk.store, served.acting.log)
    watch.look()
    # A director's change on a page is logged as the director's; what stood before the desk looked is not logged.
    assert director.post("/event/round", data={"token": token_in(director.get("/event").text), "round": "2"}).status_code == 303
    watch.look()
    assert [entry for entry in served.acting.log.latest(9) if entry.who == "command line"] == []
    for words in (("round", "1"), ("overlay", "main", "12"), ("overlay", "main", "7"), ("overlay", "main")):
        done = CliRunner().invoke(main, ["event", *words, "--store", str(served.desk.store), "--hall", served.desk.hall])
        assert done.exit_code == 0, done.output
        watch.look()
    rows = re.findall(r"<tr.*?</tr>", director.get("/log").text, re.DOTALL)
    said = [re.sub(r"<[^>]+>|\s+", " ", row) for row in rows if "command line" in row]
    expected = (
        "Overlay main has no table of its own",
        "Overlay main shows table 7",
        "Overlay main shows table 12",
        "Current round set to 1",
    )
    assert len(said) == len(expected)
    assert all(words in row for words, row in zip(expected, said, strict=True)), said


def test_the_page_leads_to_the_board_and_to_each_overlay(served: ServedDesk) -> None:
    set_overlay(served.folder / "hall.db", "trial", "main", 12)
    page = served.logged_in(DEPUTY).get("/event").text
    links = re.findall(r'<a href="(/board|/overlay/\S+)">(.+?)</a>', page)
    assert links == [(path, f"{served.base}{path}") for path in ("/board", "/overlay/main", "/overlay/12")]
    anyone = served.client()
    assert [anyone.get(path).status_code for path, _ in links] == [200, 200, 200]
    assert '<a href="/board">' in anyone.get("/login").text


def test_a_deputy_sees_the_event_and_exports_it_and_changes_nothing(served: ServedDesk) -> None:
    upload(served.logged_in(), {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    deputy, before = served.logged_in(DEPUTY), stored(served)
    page = deputy.get("/event").text
    assert "/export/round-1.csv" in page
    assert '<form method="post" action="/event' not in page
    token = token_in(page)
    assert deputy.post("/event", data={"token": token, "new": "1"}, files={"files": ("p.csv", PLAYERS)}).status_code == 403
    assert deputy.post("/event/round", data={"token": token, "round": "2"}).status_code == 403
    assert stored(served) == before


def test_an_import_without_scores_leaves_the_round_that_the_director_has_chosen(served: ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    client.post("/event/round", data={"token": token_in(client.get("/event").text), "round": "2"})
    upload(client, {"round-3.csv": "round,player1,player2,table\n3,Ann,Di,7\n"})
    assert stored(served).round == 2
    upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS}, new="1")
    assert stored(served).round == 1


def test_an_import_says_what_it_has_added(served: ServedDesk) -> None:
    client = served.logged_in()
    answer = upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    assert "Imported: 4 players, 2 pairings of round 1, 2 pairings of round 2." in client.get(answer.headers["location"]).text
    assert "Imported:" not in client.get("/event").text
    answer = upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    assert "Imported: nothing new." in client.get(answer.headers["location"]).text


def test_the_names_page_leads_to_the_next_round_once_all_clocks_have_finished_this_one(served: ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS})
    over = {"phase": "over", "running": None, "turn": None, "between_games": True}

    def names(told: str) -> str:
        until(lambda: told in client.get("/assign").text, told)
        return client.get("/assign").text

    # A game without the names of the round is none of it; no clock stands at a third table.
    clocks = {7: served.clock("at 7", 7, **over), 8: served.clock("at 8", 8, names={"left": "Cy", "right": "Di"})}
    assert "<details" in names("2 tables have not finished round 1: Tables 7-8.")
    served.report(clocks[7], state=clocks[7].state(table=7, names={"left": "Ann", "right": "Bo"}, **over))
    assert "<details" in names("1 table has not finished round 1: Table 8.")
    served.report(clocks[8], state=clocks[8].state(table=8, names={"left": "Cy", "right": "Di"}, **over))
    page = names("All clocks have finished round 1.")
    assert ("All clocks have the names of round 1." in page, "Make round 2 current" in page, "<details" in page) == (True, True, False)
    assert "Make round 2 current" not in served.logged_in(DEPUTY).get("/assign").text
    assert "<details" not in client.get("/event").text
    answer = client.post("/event/round", data={"token": token_in(page), "round": "2", "from": "names"})
    assert answer.headers["location"] == "/assign"
    page = client.get("/assign").text
    assert "2 clocks do not have the names of round 2 yet" in page
    assert 'value="Cy" maxlength="40" aria-label="Right' in page
    assert "Make round" not in page


def test_a_round_that_is_not_over_is_left_only_by_a_director_who_says_so_twice(served: ServedDesk) -> None:
    client = served.logged_in()
    upload(client, {"players.csv": PLAYERS, "pairings.csv": PAIRINGS + "3,Ann,Bo,7\n"})
    served.clock("at 7", 7, names={"left": "Ann", "right": "Bo"})
    waits = "1 table has not finished round 1: Table 7."
    until(lambda: waits in client.get("/event").text, waits)
    page = client.get("/event").text
    summaries = re.findall("<summary>(.*)</summary>", page)
    assert summaries == ["Round 2, before round 1 is over", "Round 3, before round 1 is over"]
    assert "still counts for round 1." in page
    assert "does not count while round 3 is current." in page
    # A page of before the game began has the plain button.
    plain = {"token": token_in(page), "round": "2"}
    for form in (plain, plain | {"from": "names"}):
        answer = client.post("/event/round", data=form)
        assert (answer.status_code, waits in answer.text, "The current round stays." in answer.text) == (409, True, True)
        assert ("Tables, names and the next game" in answer.text) is ("from" in form)
    # Who agreed to leave another round has not been asked about this one.
    assert client.post("/event/round", data=plain | {"anyway": "2"}).status_code == 409
    assert stored(served).round == 1
    assert client.post("/event/round", data=plain | {"anyway": "1"}).status_code == 303
    assert stored(served).round == 2
