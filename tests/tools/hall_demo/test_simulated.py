"""``tilehall demo --tables``: a director takes a hall of simulated tables through a round and into the next, and it leaves nothing behind."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from hall.cli.main import main
from tests.hall.desk.web.serving import log_in, request_in, token_in
from tests.in_process import ran
from tests.installed import require
from tests.processes import running, until

TABLES = 2
QUICK = f"from functools import partial; from tools.hall_demo.simulated import play; play({TABLES}, partial(print, flush=True), turn_s=0.6, turns=8)"
"""A game lasts about ten seconds."""


def test_the_command_says_how_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.hall_demo.simulated.play", lambda tables, say: say(f"{tables} tables"))
    assert ran(main, "demo", "--tables", "3").stdout == "3 tables\n"


@pytest.mark.waits(35)
def test_a_round_from_the_import_to_the_results_and_the_next_one_to_the_freeze() -> None:
    require("mosquitto")
    with running((sys.executable, "-c", QUICK), TMPDIR="/tmp") as process:  # noqa: S108 - a short path for sockets
        assert process.stdout is not None
        said = "".join(process.stdout.readline() for _ in range(4))
        (address,), (password,) = re.findall(r"http://\S+(?=/login)", said), re.findall(r"password (\w+)\.", said)
        files = [Path(each) for each in re.findall(r"\S+\.csv", said)]
        with httpx.Client(base_url=address, timeout=60) as client:
            assert log_in(client, "director", password).status_code == 303
            form = {"token": token_in(client.get("/event").text)}
            answer = client.post("/event", data=form, files=[("files", (each.name, each.read_bytes())) for each in files])
            assert answer.status_code == 303
            until(lambda: 'value="Ann Abel"' in client.get("/assign").text, "the names")
            assert phases(client) == {"ready"}
            until(lambda: "data-unheard" not in client.get("/notices").text, "clocks that the desk hears")
            offer(client, "club")
            send_names(client)
            until(lambda: 'action="/calls"' in client.get("/calls").text, "a call")
            go(client)
            until(lambda: 'data-need="call"' not in client.get("/calls").text, "the director at the table")
            until(lambda: phases(client) == {"over"}, "the end of the games")
            until(lambda: all(game["over"] for game in games(client, 1)), "the results")
            post(client, "/assign", "/event/round", round="2")
            send_names(client)
            until(lambda: all(sum(side["used_ms"] or 0 for side in game["players"]) for game in games(client, 2)), "that all play again")
            freeze(client)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not files[0].parent.exists()


def phases(client: httpx.Client) -> set[str]:
    found = client.get("/api/tables").json()["tables"]
    return {each["phase"] for each in found} if len(found) == TABLES else set()


def post(client: httpx.Client, page: str, address: str, **fields: str | list[str]) -> str:
    """Send a form of a page; return where it leads."""
    found = client.get(page).text
    answer = client.post(address, data={"token": token_in(found), "request": request_in(found), **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def until_all(client: httpx.Client, matrix: str, *kinds: str) -> None:
    """Wait until the answers of all clocks are of these kinds, and one is of the first."""

    def done() -> bool:
        found = re.findall(r'class="cell (.+)', client.get(f"{matrix}/part").text)
        assert not any(each.startswith("refused") for each in found), found
        return all(each.startswith(kinds) for each in found) and any(each.startswith(kinds[0]) for each in found) and len(found) == TABLES

    until(done, f"that all are {kinds}")


def offer(client: httpx.Client, rulebook: str) -> None:
    clocks = re.findall(r'name="clock" value="([^"]+)"', client.get("/assign").text)
    until_all(client, post(client, "/assign", "/setup", clock=clocks, rulebook=rulebook), "accepted")


def send_names(client: httpx.Client) -> None:
    """Send every clock the names of its table."""
    until_all(client, post(client, "/assign", "/assign", all="1"), "accepted")


def go(client: httpx.Client) -> None:
    """Say of a call that somebody is on the way."""
    call = dict(re.findall(r'name="(device|boot|since)" value="([^"]+)"', client.get("/calls").text))
    client.post("/calls", data={"token": token_in(client.get("/event").text), **call})
    assert "is on the way" in client.get("/calls").text


def games(client: httpx.Client, number: int) -> list[dict[str, Any]]:
    """Return the games of a round as they are exported."""
    found: list[dict[str, Any]] = client.get(f"/export/round-{number}.json").json()["games"]
    assert len(found) == TABLES
    return found


def freeze(client: httpx.Client) -> None:
    # A table that began earlier may have played its short game to the end by now.
    until_all(client, post(client, "/notices", "/notices", do="stop", text="Stop, please", to="all"), "frozen", "over")
