"""Notices and freezes from the page to real clocks over a real broker, and what a desk that dies does with them."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from firmware.journal.row import Kind
from hall.cli.main import main
from tests.errors import refused
from tests.hall.desk.directing import director_account, running_desk
from tests.hall.desk.playing import RunningDesk
from tests.hall.desk.web.serving import DIRECTOR, log_in, request_in, token_in
from tests.hall.joined import JoinedHall, PlayedClock, joined_hall
from tests.installed import require
from tests.processes import until

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
        joined_hall(tmp_path_factory.mktemp("d")) as joined,
        joined.clock("soft", 12) as soft,
        joined.clock("hard", 13, hall__freeze="hard") as hard,
    ):
        for clock in (soft, hard):
            clock.press("right")
            clock.until("running")
        yield DirectedHall(joined, soft, hard)


@pytest.fixture
def accounts(hall: DirectedHall, tmp_path: Path) -> Path:
    return director_account(hall.joined, tmp_path)


@contextmanager
def director(desk: RunningDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=desk.address, timeout=60) as client:
        assert log_in(client, DIRECTOR).status_code == 303
        yield client


def heard(client: httpx.Client) -> str:
    """Return the form, once the hall hears all clocks and the broker takes orders."""

    def ready() -> bool:
        page = client.get("/notices").text
        return page.count('name="clock"') == TABLES and "data-unheard" not in page and 'role="alert"' not in page

    until(ready, "all clocks")
    return client.get("/notices").text


def fire(client: httpx.Client, page: str, do: str, text: str = "Stop, please") -> str:
    """Send to all; return the path of the matrix."""
    form = {"token": token_in(page), "request": request_in(page), "do": do, "text": text, "seconds": "60", "to": "all"}
    answer = client.post("/notices", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def complete(client: httpx.Client, matrix: str) -> str:
    until(lambda: 'data-complete="true"' in client.get(f"{matrix}/part").text, "the matrix")
    return client.get(f"{matrix}/part").text


def cells(page: str) -> dict[str, str]:
    """Return each table's cell of a matrix."""
    return {table: kind for kind, table in re.findall(r'class="cell (\w+)"><strong>(Table \d+)', page)}


def test_a_freeze_stops_what_stops_itself_and_asks_the_others(hall: DirectedHall, accounts: Path) -> None:
    with running_desk(hall.joined, accounts) as desk, director(desk) as client:
        page = heard(client)
        assert "data-hard" in page
        matrix = fire(client, page, "stop")
        assert cells(complete(client, matrix)) == {"Table 12": "asked", "Table 13": "frozen"}
        hall.hard.until("neutral")
        assert hall.soft.game.phase.value == "running"
        # Its players stop it.
        hall.soft.press("centre")
        hall.soft.until("neutral")
        until(lambda: cells(client.get(f"{matrix}/part").text) == {"Table 12": "frozen", "Table 13": "frozen"}, "the players' stop")
        # The form once more, also with other words: it has acted.
        assert fire(client, page, "stop") == matrix
        assert fire(client, page, "notice", "Something else") == matrix
        log = client.get("/log").text
        assert log.count("Request to stop") == 1
        assert "2 accepted" in log
        assert "Tables 12-13" in log


def test_a_desk_that_is_killed_sends_nothing_twice(hall: DirectedHall, accounts: Path) -> None:
    with running_desk(hall.joined, accounts) as desk, director(desk) as client:
        page = heard(client)
        form = {"token": token_in(page), "request": request_in(page), "do": "notice", "text": "Once only", "seconds": "60", "to": "all"}
        client.post("/notices", data=form)
        desk.process.send_signal(signal.SIGKILL)
        desk.process.wait()
    with running_desk(hall.joined, accounts) as desk, director(desk) as client:
        again = heard(client)
        # The form of before, sent again after the new login.
        matrix = f"/orders/{form['request']}"
        assert client.post("/notices", data=form | {"token": token_in(again)}).headers["location"] == matrix
        assert len(cells(complete(client, matrix))) == TABLES
        assert client.get("/log").text.count("Once only") == 1
    for clock in (hall.soft, hall.hard):
        taken = [body for body in clock.bodies(Kind.PROPOSAL) if body["what"] == "notice"]
        assert len(taken) <= 1, clock.device


@pytest.mark.parametrize("login", ["--login", "--no-login"])
def test_an_address_of_the_network_without_certificate_or_login_is_refused(hall: DirectedHall, login: str) -> None:
    words = ("desk", "--address", "0.0.0.0", "--desk", str(hall.joined.files.identity("desk-1").key.parent), login)  # noqa: S104 - refused
    refused(CliRunner().invoke(main, words), where="0.0.0.0", found=re.compile("^none"))  # noqa: S104 - likewise
