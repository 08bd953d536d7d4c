"""Ten halls of 200 tables in one PostgreSQL with a replica: rows a second, and nothing lost or doubled when listeners and the server are killed."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import time
from contextlib import suppress

import psycopg

from hall.errors import StoreError
from hall.store.events import make_store
from hall.store.reading import reading_store
from tests.benchmarks.figures import Figures
from tests.hall.reporting import Device
from tests.hall.store.postgresql import Cluster, cluster
from tests.processes import until

HALLS = [f"hall-{number}" for number in range(10)]
TABLES, ROWS = 200, 60


def started(url: str, hall: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.benchmarks.halls", url, hall, str(TABLES), str(ROWS)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def begun(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"


def count(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM tilehall.rows").fetchone()
        assert found is not None
        return int(found[0])


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


def _has(url: str, rows: int) -> bool:
    return count(url) > rows


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
            until(functools.partial(_has, server.url(), wanted), "rows")
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
        with suppress(StoreError):
            make_store(server.url())
    return kills
