"""Notices and freezes from the page to real clocks over a real broker, and what a desk that dies does with them."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from game.journal.row import Kind
from hall.cli.main import main
from tests.errors import refused
from tests.hall.desk.directing import director_account, running_desk
from tests.hall.desk.plain_http import NO_CERTIFICATES
from tests.hall.desk.playing import RunningDesk
from tests.hall.desk.web.serving import DIRECTOR, log_in, request_in, token_in
from tests.hall.joined import JoinedHall, PlayedClock, joined_hall
from tests.installed import require
from tests.processes import until

pytestmark = pytest.mark.waits(30)

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


@pytest.fixture
def accounts(hall: DirectedHall, tmp_path: Path) -> Path:
    return director_account(hall.joined, tmp_path)


@contextmanager
def director(desk: RunningDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=desk.address, timeout=60, verify=NO_CERTIFICATES) as client:
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
        # Any page says so.
        until(lambda: "Freeze (Stop, please): 2 frozen, 0 still running." in client.get("/devices").text, "the line on all pages")
        hall_page = client.get("/").text
        # The order's id leads to the matrix, too.
        (shown,) = re.findall(r'<a href="(/orders/[0-9a-f]{32})">Show</a>', hall_page)
        assert cells(client.get(shown).text) == cells(client.get(matrix).text)
        assert "\u201cStop, please\u201d" in client.get(matrix).text
        since = re.compile(r'Since <time datetime="[0-9T:+-]+"[^>]*>[0-9:]{8} UTC</time>')
        until(lambda: since.search(client.get("/").text) is not None, "the time of the clocks' machines")
        (back,) = re.findall(r'<a href="(/notices\?do=clear)">Take back</a>', hall_page)
        assert 'value="clear" checked' in client.get(back).text
        assert "frozen by the desk" in hall_page
        assert "frozen by its players" in hall_page
        assert "director called" not in hall_page
        # The form once more, also with other words: it has acted.
        assert fire(client, page, "stop") == matrix
        assert fire(client, page, "notice", "Something else") == matrix
        log = client.get("/log").text
        assert log.count("Freeze</a>") == 1
        # Not what was frozen when: the matrix, to which this leads, says it as it is now.
        assert f'<a href="{matrix}">2 accepted</a>' in log
        assert "Tables 12-13" in log


def test_a_desk_that_is_killed_sends_nothing_twice(hall: DirectedHall, accounts: Path) -> None:
    before = taken(hall)
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
    assert all(after - count <= 1 for count, after in zip(before, taken(hall), strict=True))


def taken(hall: DirectedHall) -> list[int]:
    """Return how many notices each clock has taken."""
    return [len([body for body in clock.bodies(Kind.PROPOSAL) if body["what"] == "notice"]) for clock in (hall.soft, hall.hard)]


def test_a_second_desk_watches_until_a_director_takes_over_and_nothing_is_sent_twice(hall: DirectedHall, accounts: Path) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(director(stack.enter_context(running_desk(hall.joined, accounts))))
        page = heard(first)
        second_desk = running_desk(hall.joined, accounts, desk="desk-2", listener="listener-2")
        second = stack.enter_context(director(stack.enter_context(second_desk)))
        watching = heard(second)
        assert "only watches" in watching
        before = [notices_of(hall, desk) for desk in ("desk-1", "desk-2")]
        # The one that watches sends nothing.
        form = {
            "token": token_in(watching),
            "request": request_in(watching),
            "do": "notice",
            "text": "Once",
            "seconds": "60",
            "to": "all",
        }
        assert second.post("/notices", data=form).status_code == 409
        matrix = fire(first, page, "notice", "Once")
        assert set(cells(complete(first, matrix)).values()) == {"accepted"}
        assert cells(complete(second, matrix)) == cells(complete(first, matrix))
        log = second.get("/log").text
        (term,) = re.findall(r'name="term" value="(\d+)"', log)
        assert second.post("/lease", data={"token": token_in(log), "term": term}).status_code == 303
        # Both know at once who gives the orders now; the first one's form, sent to the other, has acted.
        refused_form = {**form, "token": token_in(first.get("/notices").text), "request": request_in(first.get("/notices").text)}
        assert first.post("/notices", data=refused_form).status_code == 409
        again = {**form, "token": token_in(second.get("/notices").text), "request": matrix.rpartition("/")[2]}
        assert second.post("/notices", data=again).headers["location"] == matrix
        # The form of before the take-over has never acted: now it does, once.
        for _ in range(2):
            answer = second.post("/notices", data={**form, "token": again["token"], "text": "Said by the second"})
            assert set(cells(complete(second, answer.headers["location"])).values()) == {"accepted"}
        assert [notices_of(hall, desk) for desk in ("desk-1", "desk-2")] == [count + 1 for count in before]
        # A page of the term before takes nothing back.
        token = token_in(first.get("/log").text)
        assert first.post("/lease", data={"token": token, "term": term}).status_code == 303
        assert "only watches" in first.get("/notices").text


def notices_of(hall: DirectedHall, desk: str) -> int:
    """Return how many notices of a desk each clock has taken."""
    bodies = [clock.bodies(Kind.PROPOSAL) for clock in (hall.soft, hall.hard)]
    counts = {len([body for body in own if (body["what"], body["issuer"]) == ("notice", desk)]) for own in bodies}
    assert len(counts) == 1, counts
    return counts.pop()


@pytest.mark.parametrize("login", ["--login", "--no-login"])
def test_an_address_of_the_network_without_certificate_or_login_is_refused(hall: DirectedHall, login: str) -> None:
    words = ("desk", "--address", "0.0.0.0", "--desk", str(hall.joined.files.identity("desk-1").key.parent), login)  # noqa: S104 - refused
    refused(CliRunner().invoke(main, words), where="0.0.0.0", found=re.compile("^none"))  # noqa: S104 - likewise
