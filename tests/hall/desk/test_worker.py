"""The real desk beside real clocks, workers that serve its board from a real PostgreSQL, and kills of each of them."""

import http.client
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from appliance.errors import RecordError
from hall.cli.main import main
from hall.desk import run
from hall.desk.run import BoardReader, BoardWriter, DeskClock
from hall.desk.web.public import public_tile
from hall.event.model import Event, Pairing, Player
from hall.store.events import read_heading, read_tiles, write_event
from hall.store.store import reading_connection
from rules.duration import NS
from tests.hall.desk.playing import PlayingHall, RunningDesk, playing_hall, running_desk
from tests.hall.desk.web.serving import NO_CERTIFICATES
from tests.hall.listener.listening import TILEHALL, command
from tests.hall.store.postgresql import Cluster, cluster
from tests.in_process import ran
from tests.installed import require
from tests.processes import PATIENCE_S, running, until
from tests.some import some

pytestmark = pytest.mark.waits(50)

TABLES = 3
CARD = {
    "id": "clock-1", "table": 7, "division": "A", "at": 5_000_000, "runs": "left", "about": False, "phase": "running", "doing": "running", "stale": None,
    "game": 2,
    "sides": {"left": {"name": "Bo", "left": 900_000_000_000, "penalty": 0}, "right": {"name": "Di", "left": -5, "penalty": 10}},
}  # fmt: skip


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayingHall]:
    require("mosquitto")
    with playing_hall(tmp_path_factory.mktemp("played"), TABLES, press_s=1.0, seconds=3600) as playing:
        yield playing


class Shown(NamedTuple):
    database: str
    store: Path
    desk: RunningDesk
    worker: RunningDesk


@pytest.fixture(scope="module")
def shown(hall: PlayingHall, server: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    database, store = server.new_database("shown"), tmp_path_factory.mktemp("desk") / "hall.db"
    with running_desk(hall, store, "--store", database) as writing, read_only_desk(hall, database) as found:
        until(lambda: is_live(found), f"not live: {found.log}")
        yield Shown(database, store, writing, found)


@contextmanager
def read_only_desk(hall: PlayingHall, database: str) -> Iterator[RunningDesk]:
    with running(TILEHALL, *command("desk", read_only=True, store=database, hall=hall.hall.files.authority.hall, pages=0)) as process:
        yield RunningDesk(process)


def tables(of: RunningDesk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx.get(f"{of.address}/api/tables", timeout=PATIENCE_S, verify=NO_CERTIFICATES).json()["tables"]
    return found


def is_live(of: RunningDesk, *, stale: bool = False) -> bool:
    return [bool(each["stale"]) for each in tables(of)] == [stale] * TABLES


def is_stale(of: RunningDesk) -> bool:
    return is_live(of, stale=True)


def assert_shows_presses(of: RunningDesk) -> None:
    turns: dict[str, list[str]] = {}
    for tile in Reader(of, path="/public/stream").tiles():
        seen = turns.setdefault(tile["id"], [])
        if tile["runs"] is not None and seen[-1:] != [tile["runs"]]:
            seen.append(tile["runs"])
        if len(seen) == 3:
            return


def kill(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE_S)


def test_two_workers_show_the_desks_tiles_and_each_press_and_a_killed_one_takes_nothing_with_it(hall: PlayingHall, shown: Shown) -> None:
    with ExitStack() as stack:
        running = [shown.desk, shown.worker, stack.enter_context(read_only_desk(hall, shown.database))]
        for each in running:
            until(lambda each=each: is_live(each), f"not live: {each.log}")  # type: ignore[misc] # mypy knows no type of a lambda's default
            assert_shows_presses(each)
        # Whatever a worker shows the desk has shown, with the same instants; of presses in quick succession each shows the last.
        streams = [Reader(each, path="/public/stream").tiles() for each in running]
        seen: list[set[str]] = [set() for _ in running]
        while len(set.intersection(*seen)) < 2 * TABLES:
            for own, stream in zip(seen, streams, strict=True):
                own.add(json.dumps(next(stream), sort_keys=True))
        client = stack.enter_context(httpx.Client(base_url=running[1].address, verify=NO_CERTIFICATES))
        assert (client.get("/board").status_code, client.get("/overlay/1").status_code) == (200, 200)
        # Standings are read from the database when the desk says that they have changed.
        name = hall.hall.files.authority.hall
        for score, leads in ((412, "Ann"), (300, "Bo")):
            players = (Player("A", 1, "Ann"), Player("A", 2, "Bo"))
            write_event(shown.database, name, Event(players, (Pairing("A", 1, 1, 2, table=1, scores=(score, 388)),)))
            until(lambda leads=leads: re.findall('<th scope="row">(.*?)</th>', client.get("/standings/part").text)[:1] == [leads])  # type: ignore[misc] # as above
        # What it describes, it serves.
        described = client.get("/api/openapi.json").json()["paths"]
        assert set(described) == {"/api/tables", "/api/tables/{table}"}
        for path in described:
            assert client.get(path.replace("{table}", "1")).status_code == 200, path
        for path in ("/", "/login", "/stream", "/notices", "/export/round-1.csv"):
            assert client.get(path).status_code == 404, path
        assert client.post("/board").status_code == 405
        kill(running[2].process)
        assert_shows_presses(shown.worker)


def test_a_worker_on_a_replica_shows_each_press(hall: PlayingHall, server: Cluster, shown: Shown) -> None:
    with cluster(server) as replica:
        copy = replica.url(shown.database.partition("?")[0].rpartition("/")[2])
        with read_only_desk(hall, copy) as found:
            until(lambda: is_live(found), f"not live: {found.log}")
            assert_shows_presses(found)


def test_a_killed_database_is_reported_and_workers_come_back(server: Cluster, shown: Shown) -> None:
    found = shown.worker
    until(lambda: is_live(found), f"not live: {found.log}")
    server.kill()
    until(lambda: is_stale(found), "not stale")
    assert any("the board cannot be read now" in line for line in found.log)
    assert any("the board cannot be written for workers now" in line for line in shown.desk.log)
    server.start()
    until(lambda: is_live(found), "not back")
    assert_shows_presses(found)


def test_a_change_waits_for_no_beat_and_a_beat_for_no_change(database: str) -> None:
    writer, reader = BoardWriter(database, "club"), BoardReader(database, "club", lambda: None)
    for number in range(1, 4):
        writer.write({"tiles": [CARD], "overlays": {"main": number}, "timer": {"seconds": number}}, number)
        writer.look()
        reader.look()
        assert (reader.board.heading.round, reader.board.heading.overlays, reader.board.heading.timer) == (
            number, {"main": number}, {"seconds": number},
        )  # fmt: skip
        assert public_tile(reader.board.tiles["clock-1"]) == CARD
    written = reader.board.heading.now
    writer.look()
    reader.look()
    assert reader.board.heading.now == written
    writer._due -= run.BEAT_NS
    writer.look()
    reader.look()
    assert reader.board.heading.now > written


def test_a_database_that_goes_between_the_board_and_the_event_is_tried_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, reader = BoardWriter(database, "gone"), BoardReader(database, "gone", lambda: None)
    writer.write({"tiles": [CARD], "overlays": {"main": 3}}, 3)
    writer.look()
    with monkeypatch.context() as patch:
        patch.setattr(run, "read_stored", Mock(side_effect=RecordError(expected="the store", found="that it is away")))
        with pytest.raises(RecordError):
            reader.look()
    assert reader.board.heading.round == 0
    reader.look()
    assert (reader.board.heading.round, list(reader.board.tiles)) == (3, ["clock-1"])


def test_a_database_that_comes_back_gets_the_whole_board(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = BoardWriter(database, "back")
    writer.write({"tiles": [CARD]}, 1)
    writer.look()
    with monkeypatch.context() as patch:
        patch.setattr(run, "write_board", Mock(side_effect=OSError))
        writer.write({"tiles": [CARD | {"id": "clock-2"}]}, 1)
        with pytest.raises(OSError, check=lambda _: True):
            writer.look()
    with reading_connection(database) as connection:
        known = some(read_heading(connection, "back"))
    writer.look()
    with reading_connection(database) as connection:
        assert set(read_tiles(connection, "back", known.run, known.change)) == {"clock-1", "clock-2"}


def test_a_second_desk_does_not_write_the_same_board(database: str) -> None:
    first, second = BoardWriter(database, "club"), BoardWriter(database, "club")
    first.look()
    own = _run_written(database)
    with pytest.raises(OperationalError, match="another program writes the board of the hall club"):
        second.look()
    assert _run_written(database) == own != ""
    # The first has ended, and with it its lock, once the server has noticed.
    first._engine.dispose()
    until(lambda: _looks(second), "the lock is held")
    assert _run_written(database) not in {own, ""}


def _looks(writer: BoardWriter) -> bool:
    try:
        writer.look()
    except OperationalError:
        return False
    return True


def _run_written(database: str) -> str:
    try:
        with reading_connection(database) as connection:
            found = read_heading(connection, "club")
    except RecordError:
        return ""
    return "" if found is None else found.run


def test_a_file_cannot_be_served_by_workers(tmp_path: Path) -> None:
    done = ran(main, "desk", "--read-only", "--store", str(tmp_path / "hall.db"))
    assert (done.returncode, "expected the URL of a PostgreSQL database, found a file" in done.stderr) == (2, True)


AHEAD = 7 * 3600 * NS


def test_the_smallest_delay_seen_gives_the_desks_clock_and_its_drift_is_followed() -> None:
    ours = 100 * NS
    clock = DeskClock(lambda: ours)
    errors = []
    for delay_ms in (300, 40, 900, 500):
        ours += NS
        clock.learn(ours + AHEAD - delay_ms * 1_000_000)
        errors.append((ours + AHEAD - clock.now()) // 1_000_000)
    # Later ones that were slower change it by no more than what two clocks drift apart.
    assert errors == [300, 40, 40, 40]
    # A clock that drifts is followed.
    clock.forget()
    clock.learn(ours + AHEAD)
    for second in range(1, 3600):
        # The desk's clock loses 50 parts in a million.
        ours += NS
        clock.learn(ours + AHEAD - second * 50_000)
    assert abs(ours + AHEAD - 3599 * 50_000 - clock.now()) < 1_000_000
    # Another desk begins anew.
    clock.forget()
    clock.learn(5 * NS)
    assert clock.now() == 5 * NS


class Reader:
    def __init__(self, desk: RunningDesk, path: str = "/stream") -> None:
        host, port = desk.address.removeprefix("http://").split(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE_S)
        self._connection.request("GET", path)
        self._answer = self._connection.getresponse()
        assert self._answer.headers["Content-Type"].startswith("text/event-stream")

    def event(self) -> tuple[str, dict[str, Any]]:
        fields: dict[str, str] = {}
        while True:
            line = self._answer.readline().decode()
            assert line, "the stream has ended"
            if line == "\n" and "data" in fields:
                return fields["event"], json.loads(fields["data"])
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = value

    def tiles(self) -> Iterator[dict[str, Any]]:
        try:
            while True:
                yield from self.event()[1].get("tiles", ())
        finally:
            self.close()

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


def test_a_killed_desks_tables_are_stale_within_fifteen_seconds_and_the_next_one_has_each_game_again(
    hall: PlayingHall, shown: Shown
) -> None:
    found = shown.worker
    until(lambda: is_live(found), f"not live: {found.log}")
    before = _played(shown.desk, rows=3)
    kill(shown.desk.process)
    killed = time.monotonic()
    until(lambda: is_stale(found), "not stale")
    assert time.monotonic() - killed < 15
    with read_only_desk(hall, shown.database) as late:
        # One that has not heard the desk yet does not show its last tiles as live.
        until(lambda: len(tables(late)) == TABLES)
        assert is_stale(late)
        with running_desk(hall, shown.store, "--store", shown.database) as desk:
            until(lambda: is_live(found) and is_live(late), "not back")
            assert_shows_presses(found)
            after = _played(desk, rows=3)
            assert after.keys() == before.keys()
            assert all(after[name] >= before[name] for name in before)
            streams = Reader(desk), Reader(desk)
            assert [[each.event()[0] for _ in range(2)] for each in streams] == [["now", "snapshot"]] * 2
            desk.process.send_signal(signal.SIGTERM)
            assert desk.process.wait(PATIENCE_S) == 0
            for each in streams:
                each.close()


def _played(desk: RunningDesk, rows: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for tile in Reader(desk).tiles():
        found[tile["id"]] = tile["rows"]
        if len(found) == TABLES and min(found.values()) >= rows:
            break
    return found
