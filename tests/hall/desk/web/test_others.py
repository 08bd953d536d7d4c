"""For others: board, overlays, the API by its own description, and a round's exports."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from hall.desk.event_watch import EventWatch
from hall.desk.exports import COLUMNS
from hall.event.reading import read_event
from hall.store.events import set_overlay, set_round, write_event
from tests.hall.desk.web.serving import ServedDesk, served_desk
from tests.processes import until

PLAYERS = "name\n=HYPERLINK(1)\nBo\n<b>Cy</b>\nDi\n"
PAIRINGS = "division,round,player1,player2,table\nA,1,1,2,7\nA,1,3,4,8\n"
NS = 1_000_000_000


@pytest.fixture
def served(tmp_path: Path, accounts: Path) -> Iterator[ServedDesk]:
    with served_desk(tmp_path, accounts) as desk:
        write_event(tmp_path / "hall.db", "trial", read_event({"players.csv": PLAYERS.encode(), "pairings.csv": PAIRINGS.encode()}))
        set_overlay(tmp_path / "hall.db", "trial", "main", 7)
        EventWatch(desk.desk, tmp_path / "hall.db", desk.acting.log).look()
        yield desk


def side(left_s: int, used_s: int, penalty: int = 0) -> dict[str, int]:
    return {"remaining_ns": left_s * NS, "used_ns": used_s * NS, "penalty": penalty, "credit_ns": 0, "points": 0, "infractions": 0}


def over(desk: ServedDesk, name: str, table: int, left: str, right: str) -> None:
    """Let a clock report a game that is over; its left player is 65 s in overtime."""
    names = {"left": left, "right": right}
    desk.clock(name, table, phase="over", running=None, turn=None, left=side(-65, 1565, 20), right=side(300, 1200), names=names)
    until(lambda: (card := desk.desk.card(str(table))) is not None and card.phase == "over", "the card")


def test_the_api_answers_as_its_own_document_says(served: ServedDesk) -> None:
    over(served, "one", 7, "Bo", "=HYPERLINK(1)")
    served.clock("two", 8)
    anybody, deputy = served.client(), served.logged_in()
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


def test_a_round_goes_out_as_csv_that_no_spreadsheet_runs(served: ServedDesk) -> None:
    over(served, "one", 7, "Bo", "=HYPERLINK(1)")
    text = served.logged_in().get("/export/round-1.csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert text.startswith("Division,Round,Player1,Score1,Player2,Score2,table,used_ms1,")
    played = rows[0]
    # By name: the first of the pairing sits right.
    assert [played[name] for name in ("Player1", "Player2", "table")] == ["'=HYPERLINK(1)", "Bo", "7"]
    assert [played[f"{name}1"] for name in ("used_ms", "overtime_ms", "penalty")] == ["1200000", "0", "0"]
    assert [played[f"{name}2"] for name in ("used_ms", "overtime_ms", "penalty")] == ["1565000", "65000", "20"]
    assert played["over"] == "1"
    # No clock has played the other pairing.
    assert [rows[1][name] for name in ("Player1", "used_ms1", "over", "journal")] == ["<b>Cy</b>", "", "0", ""]


def test_a_result_outlives_the_next_game_on_that_clock(served: ServedDesk, tmp_path: Path) -> None:
    over(served, "one", 7, "=HYPERLINK(1)", "Bo")
    until(lambda: _kept(served, tmp_path), "the result is kept")
    served.clock("one", 7, phase="ready", running=None, turn=None, names={"left": "Bo", "right": "Di"}, game=2, number=0)
    until(lambda: (card := served.desk.card("7")) is not None and card.phase == "ready", "the next game")
    games = served.logged_in().get("/export/round-1.json").json()["games"]
    assert (games[0]["over"], games[0]["players"][0]["used_ms"]) == (True, 1_565_000)


def test_a_game_that_ends_when_the_next_round_is_current_counts_for_its_own(served: ServedDesk, tmp_path: Path) -> None:
    store = tmp_path / "hall.db"
    served.clock("one", 7, names={"left": "Bo", "right": "=HYPERLINK(1)"})
    files = {"players.csv": PLAYERS.encode(), "pairings.csv": f"{PAIRINGS}A,2,1,3,7\nA,2,2,4,8\n".encode()}
    write_event(store, "trial", read_event(files))
    set_round(store, "trial", 2)
    EventWatch(served.desk, store, served.acting.log).look()
    over(served, "one", 7, "Bo", "=HYPERLINK(1)")
    until(lambda: _kept(served, tmp_path), "the result is kept")
    games = [served.logged_in().get(f"/export/round-{number}.json").json()["games"][0]["over"] for number in (1, 2)]
    assert games == [True, False]


def _kept(served: ServedDesk, folder: Path) -> bool:
    from hall.store.events import kept_results  # noqa: PLC0415 - beside its only use

    return 7 in kept_results(folder / "hall.db", "trial", 1)


def test_spectators_see_times_and_nothing_of_the_hall_besides(served: ServedDesk) -> None:
    over(served, "one", 7, "Bo", "<b>Cy</b>")
    anybody = served.client()
    for path in ("/board", "/overlay/main", "/overlay/7"):
        answer = anybody.get(path)
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "<b>Cy" not in answer.text
    for path, status in {
        "/overlay/..%2f..%2fetc": 404, "/overlay/%3Cscript%3E": 404, "/api/tables/99": 404, "/api/tables/%00": 404, "/stream": 303, "/export/round-1.csv": 303,
        "/api/rounds/1": 303,
    }.items():  # fmt: skip
        assert anybody.get(path).status_code in {status, 401, 403, 404}, path
        assert anybody.get(path).status_code != 200
    for file in ("..%2fhall.db", "round-0.csv", "round-1.csv%00", "round-999.csv", "round-1.html"):
        assert served.logged_in().get(f"/export/{file}").status_code == 404, file
    first = next(_events(anybody))
    assert first["overlays"] == {"main": 7}
    assert {"needs", "name", "rows"}.isdisjoint(first["cards"][0])
    assert "troubles" not in first


def test_two_hundred_boards_and_overlays_are_open_at_once(served: ServedDesk) -> None:
    served.clock("one", 7)
    until(lambda: served.desk.card("7") is not None)
    with ExitStack() as stack:
        # A client has at most a hundred connections.
        clients = [served.client("127.0.0.1"), served.client("127.0.0.2")]
        answers = [stack.enter_context(client.stream("GET", "/public/stream")) for client in clients for _ in range(100)]
        assert {answer.status_code for answer in answers} == {200}
        readers = [answer.iter_lines() for answer in answers]
        for lines in readers:
            assert "event: snapshot" in lines
        over(served, "two", 8, "Di", "Bo")
        # The change comes to each of them.
        for lines in readers:
            assert any('"table":8' in line for line in lines)


def _events(client: httpx.Client) -> Iterator[dict[str, Any]]:
    with client.stream("GET", "/public/stream") as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                found: dict[str, Any] = json.loads(line[6:])
                if found.get("cards"):
                    yield found
