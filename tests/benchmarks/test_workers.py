"""What workers cost and how late they are: a hall of 200 tables in play, a real PostgreSQL with a replica, a worker on each, 100 spectators at each."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from hall.desk.run import BoardWriter
from tests.benchmarks.figures import Figures, ms, percentile
from tests.hall.desk.playing import TILEHALL, RunningDesk
from tests.hall.desk.trial_hall import NS, TrialHall, served
from tests.hall.store.postgresql import cluster
from tests.processes import running, until
from tools.simulate.measure import usage_of

TABLES, SPECTATORS = 200, 100
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
        """Open all streams."""
        for _ in range(SPECTATORS):
            place = urlsplit(self.address)
            stream = socket.create_connection((place.hostname or "", place.port or 0), timeout=60)
            stream.sendall(f"GET /public/stream HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/event-stream\r\n\r\n".encode())
            self.streams.append(stream)
        threading.Thread(target=self._note, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()

    def close(self) -> None:
        """End all streams."""
        for stream in self.streams:
            stream.close()

    def _note(self) -> None:
        try:
            with self.streams[0].makefile("rb") as lines:
                for line in lines:
                    now = time.monotonic_ns()
                    if line.startswith(b"data: "):
                        cards = json.loads(line[6:]).get("cards", ())
                        self.late += [now - at for card in cards if (at := (card["at"] or 0) * 1000) > self.since > 0]
        except (OSError, ValueError):
            pass  # closed

    def _drain(self) -> None:
        while True:
            try:
                for stream in self.streams[1:]:
                    stream.recv(1 << 20)
            except OSError:
                return


def test_workers_show_each_press_to_many_spectators(figures: Figures, tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, TABLES)
    for table in hall.clocks:
        hall.begin(table, ago_s=random.uniform(1, 400))  # noqa: S311 - players
    with ExitStack() as stack:
        server = stack.enter_context(cluster())
        database = server.new_database("boards")
        replica = stack.enter_context(cluster(server))
        writer = BoardWriter(database, "trial")
        writing = threading.Thread(target=writer.run)
        desk = stack.enter_context(served(hall, share=lambda content: writer.take(content, 1)))
        writing.start()
        stack.callback(writing.join)
        stack.callback(writer.stop)
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
    """Have the players press at random; return how many presses there were."""
    chance, presses = random.Random(1), 0  # noqa: S311 - likewise
    for each in watched:
        each.since = time.monotonic_ns()
    end = time.monotonic_ns() + _PLAY_S * NS
    beaten = 0
    while (now := time.monotonic_ns()) < end:
        if now - beaten > 5 * NS:
            hall.beat_all()
            beaten = now
        hall.press(chance.randrange(1, TABLES + 1))
        presses += 1
        time.sleep(chance.expovariate(TABLES / _PRESS_S))
    return presses
