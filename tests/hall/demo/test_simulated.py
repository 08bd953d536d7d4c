"""``tilehall demo --tables``: a director takes a hall of simulated tables from the import to the freeze, and it leaves nothing behind."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import httpx
import pytest

from firmware.core.game import Phase
from firmware.hall.place import Assignment
from hall.broker.complete import complete_hall
from hall.broker.run import LOOPBACK
from hall.simulate.plan import Schedule, TablePlan
from hall.simulate.run import plan_of
from hall.simulate.table import SimulatedTable
from rules.duration import NS
from rules.side import BySide
from tests.hall.desk.web.serving import log_in, request_in, token_in
from tests.installed import require
from tests.processes import running, until

TABLES = 2


@pytest.mark.waits(15)
def test_a_round_from_the_import_to_the_freeze(tmp_path: Path) -> None:
    require("mosquitto")
    with running((sys.executable, "-m", "hall.cli"), "demo", "--tables", str(TABLES), TMPDIR="/tmp") as process:  # noqa: S108 - a short path for sockets
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
            send_names(client)
            until(lambda: phases(client) == {"running"}, "that all play")
            matrix = freeze(client)
            until(lambda: client.get(f"{matrix}/part").text.count('class="cell frozen"') == TABLES, "that all have stopped")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not files[0].parent.exists()


def phases(client: httpx.Client) -> set[str]:
    found = client.get("/api/tables").json()["tables"]
    return {each["phase"] for each in found} if len(found) == TABLES else set()


def send_names(client: httpx.Client) -> None:
    """Send every clock what its row has."""
    page = client.get("/assign").text
    fields = dict(re.findall(r'name="((?:table|left|right)-[^"]+)" value="([^"]+)"', page))
    form = {"token": token_in(page), "request": request_in(page), "clock": re.findall(r'name="clock" value="([^"]+)"', page), **fields}
    assert client.post("/assign", data=form).status_code == 303


def freeze(client: httpx.Client) -> str:
    """Ask all to stop; return the path of the matrix."""
    page = client.get("/notices").text
    form = {"token": token_in(page), "request": request_in(page), "do": "stop", "text": "Stop, please", "to": "all"}
    answer = client.post("/notices", data=form)
    assert answer.status_code == 303
    return answer.headers["location"]


def test_players_sit_down_when_the_clock_has_their_names_and_one_of_them_goes_out(tmp_path: Path) -> None:
    clock = complete_hall(tmp_path, clocks=1, stations=0).clocks[0]
    link = plan_of(clock.id, clock.identity, LOOPBACK, 1, tmp_path / "s")
    now = 1000 * NS
    table = SimulatedTable(TablePlan(0, clock.folder, link, hosted=False, turns=6), now, 1)
    try:
        table.play(Schedule(now, 3600, 2.0, 1))
        now = stepped(table, now, 60)
        assert (table.presses, phase(table, now)) == (0, Phase.READY)
        table._desk.place = Assignment(1, BySide("Ann Abel", "Bo Brown"))
        now = stepped(table, now, 120)
        assert phase(table, now) is Phase.OVER
        assert table.presses >= 6
    finally:
        assert table.end_play()
        table.close()


def phase(table: SimulatedTable, now: int) -> Phase:
    return table._clock.table.game_at(now).phase


def stepped(table: SimulatedTable, now: int, seconds: int) -> int:
    """Let so many seconds of the table pass at once; return its instant then."""
    for at in range(now, now + seconds * NS, NS // 50):
        table.step(at, frozenset())
    return now + seconds * NS
