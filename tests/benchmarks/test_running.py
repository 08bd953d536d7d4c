"""What a running clock and its link cost. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_running.py -s -p no:xdist``.

``tileclock run`` with mock pins and a window of 1280x720 is started by a key that xdotool presses, and then left alone for a minute. CPU time, memory and wake-ups
(voluntary context switches) are the kernel's own counts from /proc; only the pictures are counted inside the process (``counted_run.py``).

The real process ``tilehall link`` stands between a local socket and a real mosquitto with TLS. CPU time and memory are the kernel's own counts from /proc.
Python finds byte code of every module, as packages install it.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import Struct

from tests.benchmarks.figures import Figures
from tests.hall.conftest import TrialHall, new_hall
from tests.hall.link.linked import LinkedDevice, link, listening, payloads, seqs, served, value
from tests.installed import require
from tools.trial_broker import Broker, running_broker

MINUTE_S = 60
SETTLES_S = 5
MAX_CPU = 2.0
MAX_MB = 80.0


class Usage(Struct, frozen=True):
    at: int
    cpu_s: float
    wakes: dict[int, int]
    """By thread; the first thread has the number of the process."""


def usage(pid: int) -> Usage:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    wakes = {int(task.name): number(task / "status", "voluntary_ctxt_switches") for task in Path(f"/proc/{pid}/task").iterdir()}
    return Usage(time.monotonic_ns(), ticks / os.sysconf("SC_CLK_TCK"), wakes)


def number(path: Path, key: str) -> int:
    return next(int(line.split()[1]) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(f"{key}:"))


@contextmanager
def started(root: Path, folder: Path, display: str) -> Iterator[subprocess.Popen[str]]:
    """Start the clock, press the left player's key, and give the process while the right player's clock runs."""
    options = ["--pins", "mock", "--windowed", "--width", "1280", "--height", "720", "--journal", str(folder / "journal.db")]
    environment = {**os.environ, "DISPLAY": display, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.counted_run", *options]
    with subprocess.Popen(command, env=environment, cwd=root, stdout=subprocess.PIPE, text=True, encoding="utf-8") as clock:
        try:
            assert clock.stdout is not None
            next(line for line in clock.stdout if "ready" in line)
            # No window manager gives the focus here: the window under the pointer has it.
            press = ["xdotool", "mousemove", "640", "360", "keydown", "a", "sleep", "0.1", "keyup", "a"]
            subprocess.run(press, env=environment, check=True, timeout=20)
            yield clock
        finally:
            clock.send_signal(signal.SIGTERM)


def test_a_running_clock_costs_next_to_nothing(x_display: str, tmp_path: Path, root: Path, figures: Figures) -> None:
    with started(root, tmp_path, x_display) as clock:
        time.sleep(SETTLES_S)
        before = usage(clock.pid)
        time.sleep(MINUTE_S)
        after = usage(clock.pid)
        rss, pss = number(Path(f"/proc/{clock.pid}/status"), "VmRSS") / 1024, number(Path(f"/proc/{clock.pid}/smaps_rollup"), "Pss") / 1024
        clock.send_signal(signal.SIGTERM)
        said, _ = clock.communicate()
    pictures = [at for at in json.loads(said.splitlines()[-1]) if before.at <= at < after.at]
    cpu = 100 * (after.cpu_s - before.cpu_s) / ((after.at - before.at) / 1e9)
    wakes = {thread: (count - before.wakes[thread]) / MINUTE_S for thread, count in after.wakes.items()}
    main, others = wakes.pop(clock.pid), sum(wakes.values())
    figures.add("running clock: CPU of one core over 60 s", f"{cpu:.2f} %", f"< {MAX_CPU:.0f} %", held=cpu < MAX_CPU)
    figures.add("running clock: resident memory", f"{rss:.1f} MB (PSS {pss:.1f} MB)", f"< {MAX_MB:.0f} MB", held=rss < MAX_MB)
    figures.add("running clock: wake-ups a second", f"{main:.1f} main thread, {others:.1f} others")
    figures.add("running clock: pictures in 60 s", str(len(pictures)), "60, one a second", held=abs(len(pictures) - MINUTE_S) <= 1)
    # The minute may begin just before a change and end just after one.
    assert abs(len(pictures) - MINUTE_S) <= 1


STARTS = 5
PRESS_EVERY_S = 20
MAX_START_S = 2.0
MAX_LINK_CPU = 1.0
MAX_LINK_MB = 25.0


@pytest.fixture
def hall(tmp_path: Path) -> TrialHall:
    return new_hall(tmp_path / "hall")


@pytest.fixture
def broker(hall: TrialHall, tmp_path: Path) -> Iterator[Broker]:
    require("mosquitto")
    with running_broker(tmp_path / "broker", hall.files) as running:
        yield running


@pytest.fixture
def byte_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "byte-code"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    # Compiling leaves 5 MB in the process that does it.
    for module in ("hall.cli.main", "hall.link.__main__"):
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


@pytest.mark.usefixtures("byte_code")
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


@pytest.mark.usefixtures("byte_code")
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
    figures.add("link in play: CPU of one core over 60 s", f"{cpu:.2f} %", f"< {MAX_CPU:.0f} %", held=cpu < MAX_LINK_CPU)
    figures.add("link in play: resident memory", f"{resident:.1f} MB", f"< {MAX_MB:.0f} MB", held=resident < MAX_LINK_MB)
    figures.add("link in play: wake-ups a second", f"{wakes:.1f}")
