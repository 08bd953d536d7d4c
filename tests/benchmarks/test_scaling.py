"""Ten halls of 200 tables in one PostgreSQL with a replica: rows a second, and nothing lost or doubled when listeners and the server are killed; workers with 200 spectators."""

import json
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from appliance.errors import RecordError
from hall.desk.run import BoardWriter
from hall.store.events import make_store
from hall.store.store import reading_store
from tests.benchmarks.figures import Figures, ms, percentile
from tests.hall.desk.playing import RunningDesk
from tests.hall.desk.trial_hall import NS, TrialHall, served
from tests.hall.listener.listening import TILEHALL
from tests.hall.reporting import Device
from tests.hall.store.postgresql import Cluster, cluster
from tests.processes import running, until
from tests.some import some
from tools.simulate.measure import usage_of

HALLS = [f"hall-{number}" for number in range(10)]
TABLES, ROWS = 200, 60


def started(url: str, hall: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.benchmarks.halls", url, hall, str(TABLES), str(ROWS)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def begun(process: subprocess.Popen[str]) -> None:
    assert some(process.stdout).readline() == "begun\n"


def count(url: str) -> int:
    with psycopg.connect(url) as connection:
        return int(some(connection.execute("SELECT count(*) FROM tilehall.rows").fetchone())[0])


def has_come(replica: str, rows: int) -> bool:
    with suppress(psycopg.Error):
        return count(replica) == rows
    return False


def require_every_row(url: str) -> None:
    """Every row of every table is there once, with the hash that its device gave it."""
    assert count(url) == len(HALLS) * TABLES * ROWS
    for hall in HALLS:
        with reading_store(url, hall) as store:
            for number in range(TABLES):
                device = Device(f"{hall}-{number}")
                device.write(ROWS)
                held = [(row.seq, row.hash) for row in store.rows(device.id, device.epoch)]
                assert held == [(seq, digest) for seq, (digest, _) in enumerate(device.rows, 1)]


def test_ten_halls_write_into_one_database_and_its_replica(figures: Figures) -> None:
    with cluster() as server, cluster(server) as replica:
        make_store(server.url())
        processes = [started(server.url(), hall) for hall in HALLS]
        for process in processes:
            begun(process)
        began = time.monotonic()
        found = [json.loads(process.communicate()[0]) for process in processes]
        took = time.monotonic() - began
        total = sum(each["rows"] for each in found)
        until(lambda: has_come(replica.url(), total), "the replica")
        lag = time.monotonic() - began - took
        require_every_row(server.url())
    figures.add(
        "10 halls of 200 tables into one PostgreSQL",
        f"{total / took:.0f} rows a second, {sum(each['turns'] for each in found) / took:.0f} commits",
    )
    figures.add("the replica has the last row", f"{max(lag, 0):.2f} s after the primary")
    assert total == len(HALLS) * TABLES * ROWS


def test_kills_of_listeners_and_server_lose_and_double_nothing(figures: Figures) -> None:
    with cluster() as server:
        make_store(server.url())
        kills = _with_kills(server)
        require_every_row(server.url())
    figures.add(
        f"rows lost, doubled after {kills} kills -9 of listeners and server", f"0, 0 of {len(HALLS) * TABLES * ROWS}", "0, 0", held=True
    )


def _with_kills(server: Cluster) -> int:
    """Kill every third listener and the server, each in the midst of writing, and start what has ended again until all have written."""
    kills, rounds = 0, 0
    waiting = list(HALLS)
    while waiting:
        processes = {hall: started(server.url(), hall) for hall in waiting}
        for process in processes.values():
            begun(process)
        if rounds < 3:
            wanted = count(server.url()) + 1000
            until(lambda wanted=wanted: count(server.url()) > wanted, "rows")  # type: ignore[misc]  # its default
            for process in list(processes.values())[::3]:
                process.kill()
                kills += 1
        if rounds == 1:
            server.kill()
            kills += 1
        done = {hall: process.communicate()[0] for hall, process in processes.items()}
        if rounds == 1:
            server.start()
        waiting = [hall for hall in waiting if processes[hall].returncode != 0 or not done[hall]]
        rounds += 1
        with suppress(RecordError):
            make_store(server.url())
    return kills


WATCHED_TABLES, SPECTATORS = 200, 100
_PLAY_S, _PRESS_S = 30, 15.0
"""13 presses a second in the hall, as in ``tilehall simulate``."""


@dataclass
class Spectators:
    """Open streams of one server: the first is read, and notes how late each press comes; of the others only the bytes are taken."""

    address: str
    since: int = 0
    late: list[int] = field(default_factory=list)
    streams: list[socket.socket] = field(default_factory=list)

    def open(self) -> None:
        for _ in range(SPECTATORS):
            place = urlsplit(self.address)
            stream = socket.create_connection((place.hostname or "", place.port or 0), timeout=60)
            stream.sendall(f"GET /public/stream HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/event-stream\r\n\r\n".encode())
            self.streams.append(stream)
        threading.Thread(target=self._note, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()

    def close(self) -> None:
        for stream in self.streams:
            stream.close()

    def _note(self) -> None:
        try:
            with self.streams[0].makefile("rb") as lines:
                for line in lines:
                    now = time.monotonic_ns()
                    if line.startswith(b"data: "):
                        tiles = json.loads(line[6:]).get("tiles", ())
                        self.late += [now - at for tile in tiles if (at := (tile["at"] or 0) * 1000) > self.since > 0]
        except (OSError, ValueError):
            pass  # closed

    def _drain(self) -> None:
        while True:
            try:
                for stream in self.streams[1:]:
                    stream.recv(1 << 20)
            except OSError:
                return


@contextmanager
def writing(writer: BoardWriter) -> Iterator[None]:
    """Let the writer look as often as the desk does."""
    end = threading.Event()

    def look() -> None:
        while not end.wait(0.1):
            writer.look()

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def test_workers_show_each_press_to_many_spectators(figures: Figures, tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, WATCHED_TABLES)
    for table in hall.clocks:
        hall.begin(table, ago_s=random.uniform(1, 400))  # noqa: S311 - players
    with ExitStack() as stack:
        server = stack.enter_context(cluster())
        database = server.new_database("boards")
        replica = stack.enter_context(cluster(server))
        writer = BoardWriter(database, "trial")
        hall.desk.on_public = lambda content: writer.write(content, 1)
        desk = stack.enter_context(served(hall))
        stack.enter_context(writing(writer))
        processes = [
            stack.enter_context(running(TILEHALL, "desk", "--read-only", "--store", url, "--hall", "trial", "--pages", "0"))
            for url in (database, replica.url("boards"))
        ]
        workers = [RunningDesk(process) for process in processes]
        watched = {
            "desk": Spectators(desk),
            "worker": Spectators(workers[0].address),
            "worker on the replica": Spectators(workers[1].address),
        }
        for each in watched.values():
            each.open()
            stack.callback(each.close)
        before = [usage_of(process.pid) for process in processes]
        presses = _play(hall, list(watched.values()))
        used = [usage_of(process.pid).since(earlier) for process, earlier in zip(processes, before, strict=True)]
        for name, each in watched.items():
            until(lambda each=each: len(each.late) >= presses * 0.9, name)  # type: ignore[misc] # mypy knows no type of a lambda's default
    for name, each in watched.items():
        figures.add(f"a press at a spectator of the {name}", f"p50 {ms(percentile(each.late, 50))}, p99 {ms(percentile(each.late, 99))}")
    for name, own in zip(("worker", "worker on the replica"), used, strict=True):
        figures.add(f"the {name} with {SPECTATORS} streams", f"{own['cores']:.2f} of a core, {own['rss_mb']:.0f} MB")


def _play(hall: TrialHall, watched: list[Spectators]) -> int:
    chance, presses = random.Random(1), 0  # noqa: S311 - likewise
    for each in watched:
        each.since = time.monotonic_ns()
    end = time.monotonic_ns() + _PLAY_S * NS
    beaten = 0
    while (now := time.monotonic_ns()) < end:
        if now - beaten > 5 * NS:
            hall.beat_all()
            beaten = now
        hall.press(chance.randrange(1, WATCHED_TABLES + 1))
        presses += 1
        time.sleep(chance.expovariate(WATCHED_TABLES / _PRESS_S))
    return presses
