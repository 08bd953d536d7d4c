"""What a running clock costs. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_running.py -s -p no:xdist``.

``tileclock run`` with mock pins and a window of 1280x720 is started by a key that xdotool presses, and then left alone for a minute. CPU time, memory and wake-ups
(voluntary context switches) are the kernel's own counts from /proc; only the pictures are counted inside the process (``counted_run.py``).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.figures import Figures

MINUTE_S = 60
SETTLES_S = 5
MAX_CPU = 2.0
MAX_MB = 80.0


@dataclass(frozen=True, slots=True)
class Usage:
    """The kernel's counts for a process at an instant (ns)."""

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
