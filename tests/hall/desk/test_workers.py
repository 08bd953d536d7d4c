"""Workers that serve the board of a real desk from a real PostgreSQL, and kills of each of them."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from hall.cli.main import main
from hall.desk import run, worker
from hall.desk.run import BoardWriter
from hall.desk.web.public import public_card
from hall.desk.worker import BoardReader
from hall.errors import StoreError
from hall.store.board import read_heading
from hall.store.reading import reading_connection
from tests.hall.desk.plain_http import NO_CERTIFICATES
from tests.hall.desk.playing import TILEHALL, PlayingHall, RunningDesk, playing_hall, running_desk
from tests.hall.store.postgresql import Cluster, cluster
from tests.in_process import ran
from tests.installed import require
from tests.processes import PATIENCE_S, running, until

pytestmark = pytest.mark.waits(50)

TABLES = 3
CARD = {
    "id": "clock-1", "table": 7, "division": "A", "at": 5_000_000, "runs": "left", "about": False, "phase": "running", "doing": "running", "stale": None,
    "game": 2,
    "sides": {"left": {"name": "Bo", "left": 900_000_000_000, "penalty": 0}, "right": {"name": "Di", "left": -5, "penalty": 10}},
}  # fmt: skip
_NUMBERS = count()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayingHall]:
    require("mosquitto")
    with playing_hall(tmp_path_factory.mktemp("played"), TABLES, press_s=1.0, seconds=3600) as playing:
        yield playing


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as found:
        yield found


@dataclass(frozen=True)
class Shown:
    """A board that a desk writes and a worker shows."""

    database: str
    desk: RunningDesk
    worker: RunningDesk


@pytest.fixture(scope="module")
def shown(hall: PlayingHall, server: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """For all tests that kill neither of them."""
    database = server.new_database("shown")
    with desk(hall, tmp_path_factory.mktemp("desk"), database) as writing, read_only_desk(hall, database) as found:
        until(lambda: is_live(found), f"not live: {found.log}")
        yield Shown(database, writing, found)


@pytest.fixture
def database(server: Cluster) -> str:
    return server.new_database(f"board_{next(_NUMBERS)}")


@contextmanager
def desk(hall: PlayingHall, folder: Path, database: str) -> Iterator[RunningDesk]:
    """Run a desk whose rows go to PostgreSQL, and its own notes to a file."""
    with running_desk(hall, folder / "hall.db", "--store", database) as found:
        yield found


@contextmanager
def read_only_desk(hall: PlayingHall, database: str) -> Iterator[RunningDesk]:
    words = ("desk", "--read-only", "--store", database, "--hall", hall.hall.plan.hall, "--pages", "0")
    with running(TILEHALL, *words) as process:
        yield RunningDesk(process)


def tables(of: RunningDesk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx.get(f"{of.address}/api/tables", timeout=PATIENCE_S, verify=NO_CERTIFICATES).json()["tables"]
    return found


def is_live(of: RunningDesk) -> bool:
    found = tables(of)
    return len(found) == TABLES and not any(each["stale"] for each in found)


def is_stale(of: RunningDesk) -> bool:
    found = tables(of)
    return len(found) == TABLES and all(each["stale"] for each in found)


def cards(of: RunningDesk) -> Iterator[dict[str, Any]]:
    """Yield the cards of the public stream as they come."""
    host, port = of.address.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE_S)
    connection.request("GET", "/public/stream")
    answer = connection.getresponse()
    try:
        while line := answer.readline():
            if line.startswith(b"data: "):
                yield from json.loads(line[6:]).get("cards", ())
    finally:
        answer.close()
        connection.close()


def assert_shows_presses(of: RunningDesk) -> None:
    """Wait until a table's turn passes from one side to the other and back."""
    turns: dict[str, list[str]] = {}
    for card in cards(of):
        seen = turns.setdefault(card["id"], [])
        if card["runs"] is not None and seen[-1:] != [card["runs"]]:
            seen.append(card["runs"])
        if len(seen) == 3:
            return
    pytest.fail("the stream ended")


def kill(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE_S)


def test_two_workers_show_the_desks_cards_and_each_press(hall: PlayingHall, shown: Shown) -> None:
    with ExitStack() as stack:
        running = [shown.desk, shown.worker, stack.enter_context(read_only_desk(hall, shown.database))]
        for each in running:
            until(lambda each=each: is_live(each), f"not live: {each.log}")  # type: ignore[misc] # mypy knows no type of a lambda's default
            assert_shows_presses(each)
        # Whatever a worker shows the desk has shown, with the same instants; of presses in quick succession each shows the last.
        streams = [cards(each) for each in running]
        seen: list[set[str]] = [set() for _ in running]
        while len(set.intersection(*seen)) < 2 * TABLES:
            for own, stream in zip(seen, streams, strict=True):
                own.add(json.dumps(next(stream), sort_keys=True))
        client = stack.enter_context(httpx.Client(base_url=running[1].address, verify=NO_CERTIFICATES))
        assert client.get("/board").status_code == 200
        assert client.get("/overlay/1").status_code == 200
        # What it describes, it serves.
        described = client.get("/api/openapi.json").json()["paths"]
        assert set(described) == {"/api/tables", "/api/tables/{table}"}
        for path in described:
            assert client.get(path.replace("{table}", "1")).status_code == 200, path
        for path in ("/", "/login", "/stream", "/notices", "/export/round-1.csv"):
            assert client.get(path).status_code == 404, path
        assert client.post("/board").status_code == 405


def test_a_killed_worker_takes_nothing_with_it_and_one_on_a_replica_shows_each_press(
    hall: PlayingHall, server: Cluster, shown: Shown
) -> None:
    with cluster(server) as replica, read_only_desk(hall, shown.database) as first:
        copy = replica.url(shown.database.partition("?")[0].rpartition("/")[2])
        with read_only_desk(hall, copy) as second:
            until(lambda: is_live(first) and is_live(second), f"not live: {second.log}")
            kill(first.process)
            assert_shows_presses(second)
        assert_shows_presses(shown.worker)
        with read_only_desk(hall, shown.database) as third:
            until(lambda: is_live(third), f"not live: {third.log}")
            assert_shows_presses(third)


def test_a_killed_desks_tables_are_stale_within_fifteen_seconds_and_come_back(hall: PlayingHall, database: str, tmp_path: Path) -> None:
    with read_only_desk(hall, database) as found:
        with desk(hall, tmp_path, database) as first:
            until(lambda: is_live(found), f"not live: {found.log}")
            kill(first.process)
            killed = time.monotonic()
            until(lambda: is_stale(found), "not stale")
            assert time.monotonic() - killed < 15
        with read_only_desk(hall, database) as late:
            # One that has not heard the desk yet does not show its last cards as live.
            until(lambda: len(tables(late)) == TABLES)
            assert is_stale(late)
            with desk(hall, tmp_path, database):
                until(lambda: is_live(found) and is_live(late), "not back")
                assert_shows_presses(found)


def test_a_killed_database_is_reported_and_workers_come_back(server: Cluster, shown: Shown) -> None:
    found = shown.worker
    until(lambda: is_live(found), f"not live: {found.log}")
    server.kill()
    until(lambda: is_stale(found), "not stale")
    assert any("the board cannot be read now" in line for line in found.log)
    assert any("the board is not written for workers now" in line for line in shown.desk.log)
    server.start()
    until(lambda: is_live(found), "not back")
    assert_shows_presses(found)


def test_a_change_is_notified_not_waited_for(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_LOOK_S", 10 * PATIENCE_S)
    monkeypatch.setattr(run, "BEAT_S", 10 * PATIENCE_S)
    writer = BoardWriter(database, "club")
    reader = BoardReader(database, "club", lambda: None)
    threads = [threading.Thread(target=each.run, daemon=True) for each in (writer, reader)]
    threads[0].start()
    for number in range(1, 4):
        writer.take({"cards": [CARD], "overlays": {"main": number}}, number)
        if number == 1:
            threads[1].start()
        until(lambda number=number: reader.board.round == number, "not notified")  # type: ignore[misc] # mypy knows no type of a lambda's default
        assert reader.board.overlays == {"main": number}
        assert public_card(reader.board.cards["clock-1"]) == CARD
    reader.stop()
    writer.stop()
    writer.take({}, 4)
    threads[0].join(PATIENCE_S)


def test_a_second_desk_does_not_write_the_same_board(database: str) -> None:
    first, second = BoardWriter(database, "club"), BoardWriter(database, "club")
    threads = [threading.Thread(target=each.run, daemon=True) for each in (first, second)]
    try:
        threads[0].start()
        until(lambda: _run_written(database) != "")
        own = _run_written(database)
        threads[1].start()
        until(lambda: "another program writes the board of the hall club" in second.trouble)
        assert _run_written(database) == own
        # The first has ended, and with it its lock.
        first.stop()
        until(lambda: _run_written(database) != own)
    finally:
        first.stop()
        second.stop()
        for each in threads:
            each.join(PATIENCE_S)


def _run_written(database: str) -> str:
    try:
        with reading_connection(database) as connection:
            found = read_heading(connection, "club")
    except StoreError:
        return ""
    return "" if found is None else found.run


def test_a_file_cannot_be_served_by_workers(tmp_path: Path) -> None:
    done = ran(main, "desk", "--read-only", "--store", str(tmp_path / "hall.db"))
    assert done.returncode == 2
    assert "expected the URL of a PostgreSQL database, found a file" in done.stderr
