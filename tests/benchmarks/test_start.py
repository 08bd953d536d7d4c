"""From exec to the first picture. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_start.py -s -p no:xdist``.

Both programs with mock pins, and beside them in the same run a bare pygame window of the same size, on X11, filled and flipped once. Processor time of
the child is the kernel's own count (getrusage), by turns, so that what else the machine does strikes all three alike. A program is ended by SIGKILL when it says
that it is ready, before anything else of it runs. As on an appliance, byte code and the record of the last check of settings are there: a first start of each,
which is not counted, makes them. Journal and log are new each time.
"""

from __future__ import annotations

import os
import resource
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figures

TIMES: Final = 5
MAX: Final = 3.0
PATIENCE_S: Final = 240
WINDOW: Final = ("--windowed", "--width", "1280", "--height", "720", "--pins", "mock")
BARE: Final = """
import os, socket, time
import pygame

pygame.display.init()
pygame.font.init()
pygame.display.set_mode((1280, 720)).fill((9, 9, 9))
pygame.display.flip()
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
    systemd.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
time.sleep(60)
"""


def spent_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def start(command: list[str], environment: dict[str, str], folder: Path) -> tuple[float, float, float]:
    """Return the processor's seconds and the wall's from exec to ready, and the resident megabytes then."""
    (folder / "state").mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.db*"):
        left.unlink()
    address = folder / "notify"
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(address))
        told.settimeout(PATIENCE_S)
        before, began = spent_s(), time.monotonic()
        with subprocess.Popen(
            command,
            env={**environment, "NOTIFY_SOCKET": str(address), "STATE_DIRECTORY": str(folder / "state")},
            cwd=folder,
            stdout=subprocess.DEVNULL,
        ) as child:
            try:
                while told.recv(100) != b"READY=1":
                    pass
                took = time.monotonic() - began
                rollup = Path(f"/proc/{child.pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
                pss = next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1024
            finally:
                child.kill()
    return spent_s() - before, took, pss


def test_a_program_is_there_in_three_times_a_bare_windows_processor_time(
    x_display: str, tmp_path: Path, root: Path, figures: Figures
) -> None:
    environment = {
        **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"),
        "DISPLAY": x_display,
        "SDL_VIDEODRIVER": "x11",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "PYTHONPATH": str(root),
    }
    commands = {
        "bare window": [sys.executable, "-c", BARE],
        "tileclock": [sys.executable, "-m", "firmware.cli", "run", *WINDOW, "--journal", "journal.db"],
        "tilekiosk": [sys.executable, "-m", "kiosk.cli", "run", *WINDOW, "--log", "log.db"],
    }
    seen: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
    for name, command in commands.items():
        start(command, environment, tmp_path / name)
    for _ in range(TIMES):
        for name, command in commands.items():
            seen[name].append(start(command, environment, tmp_path / name))
    bare, _, _ = map(statistics.median, zip(*seen.pop("bare window"), strict=True))
    figures.add("bare pygame window, X11, 1280x720: processor time from exec to picture", f"{bare:.3f} s")
    for name, starts in seen.items():
        cpu, took, pss = map(statistics.median, zip(*starts, strict=True))
        figures.add(f"{name} run, likewise", f"{cpu:.3f} s, {cpu / bare:.1f} times", f"<= {MAX:.0f} times", held=cpu <= MAX * bare)
        figures.add("        by the wall; memory then (PSS)", f"{took:.2f} s; {pss:.1f} MB")
