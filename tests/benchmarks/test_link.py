"""What the link of a clock costs. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_link.py -s -p no:xdist``.

The real process ``tilehall link`` stands between a local socket and a real mosquitto with TLS. CPU time and memory are the kernel's own counts from /proc.
Python finds byte code of every module, as packages install it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.figures import Figures
from tests.benchmarks.test_running import number, usage
from tests.hall.conftest import TrialHall, new_hall
from tests.hall.link.linked import LinkedDevice, link, listening, payloads, seqs, served, value
from tests.installed import require
from tools.trial_broker import Broker, running_broker

STARTS = 5
SETTLES_S = 5
MINUTE_S = 60
PRESS_EVERY_S = 20
MAX_START_S = 2.0
MAX_CPU = 1.0
MAX_MB = 25.0


@pytest.fixture
def hall(tmp_path: Path) -> TrialHall:
    return new_hall(tmp_path / "hall")


@pytest.fixture
def broker(hall: TrialHall, tmp_path: Path) -> Iterator[Broker]:
    require("mosquitto")
    with running_broker(tmp_path / "broker", hall.plan) as running:
        yield running


@pytest.fixture(autouse=True)
def byte_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "byte-code"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    # Compiling leaves 5 MB in the process that does it.
    for module in ("hall.cli.main", "hall.link.__main__"):
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def test_a_link_starts_quickly(hall: TrialHall, broker: Broker, tmp_path: Path, figures: Figures) -> None:
    socket, taken = tmp_path / "hall.sock", []
    for run in range(STARTS):
        with served(LinkedDevice(hall.clock, last=500), socket) as server, listening(broker, hall) as listener:
            server.put("state", value(v=1, run=run))
            begun = time.monotonic()
            with link(hall.files.identity(hall.clock), broker, socket):
                listener.wait(lambda run=run: [s for s in payloads(listener, hall.clock, "state") if s.get("run") == run], "the state")
                taken.append(time.monotonic() - begun)
    slowest = max(taken)
    figures.add(
        f"link: start to first state, slowest of {STARTS}", f"{slowest:.2f} s", f"< {MAX_START_S:.0f} s", held=slowest < MAX_START_S
    )


def test_a_link_in_play_costs_next_to_nothing(hall: TrialHall, broker: Broker, tmp_path: Path, figures: Figures) -> None:
    socket, device = tmp_path / "hall.sock", LinkedDevice(hall.clock, last=500)
    with (
        listening(broker, hall) as listener,
        served(device, socket) as server,
        link(hall.files.identity(hall.clock), broker, socket) as process,
    ):
        listener.wait(lambda: payloads(listener, hall.clock, "beat"), "a beat")
        time.sleep(SETTLES_S)
        before = usage(process.pid)
        for _ in range(MINUTE_S // PRESS_EVERY_S):
            device.last += 1
            server.put("state", value(v=1, phase="running", at=time.monotonic_ns()))
            server.committed()
            time.sleep(PRESS_EVERY_S)
        after = usage(process.pid)
        resident = number(Path(f"/proc/{process.pid}/status"), "VmRSS") * 1024 / 1_000_000
        assert seqs(listener, hall.clock) == [501, 502, 503]
    cpu = 100 * (after.cpu_s - before.cpu_s) / ((after.at - before.at) / 1e9)
    wakes = sum(count - before.wakes[thread] for thread, count in after.wakes.items()) / MINUTE_S
    figures.add("link in play: CPU of one core over 60 s", f"{cpu:.2f} %", f"< {MAX_CPU:.0f} %", held=cpu < MAX_CPU)
    figures.add("link in play: resident memory", f"{resident:.1f} MB", f"< {MAX_MB:.0f} MB", held=resident < MAX_MB)
    figures.add("link in play: wake-ups a second", f"{wakes:.1f}")
