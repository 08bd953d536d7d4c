"""Both programs at rest, on the devices of a bare panel and as systemd runs them: nothing is drawn while nothing changes, and next to nothing wakes them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

import pytest

from tests.processes import ready

pytestmark = pytest.mark.waits(12)

REST_S: Final = 6
CEILING_S: Final = 90
MAX: Final = {"firmware": 6, "kiosk": 18}
"""Wake-ups of all threads together in a rest. The clock has its beat to systemd alone; the station looks once a second whether its lexicon's file was replaced."""

PROGRAM: Final = """
import importlib, os, sys
from pathlib import Path
from unittest.mock import patch
from appliance.display.pane import Pane
from appliance.display.sources import Hotplug
from appliance.display.sources import Devices

folder, verb = sys.argv[1:]
show = Pane._show
def shown(pane, boxes):
    drawn = show(pane, boxes)
    if drawn:
        print("picture", flush=True)
    return drawn

devices = lambda _: Devices(Path(folder) / "input", Hotplug(Path(folder) / "data"))
with patch("appliance.display.pane.sources", devices), patch.object(Pane, "_show", shown):
    importlib.import_module("PACKAGE.cli.main").main([verb, "--pins", "mock", "KEPT", os.path.join(folder, "kept.db")], standalone_mode=False)
"""


class Pictures:
    """Counts what a program draws, in a thread of its own."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self.count = 0
        self._program = program
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            self.count += line == "picture\n"


def wakes(pid: int) -> int:
    """Return how often the threads of a process have slept and been woken so far."""
    statuses = [(task / "status").read_text(encoding="utf-8") for task in Path(f"/proc/{pid}/task").iterdir()]
    lines = [line for status in statuses for line in status.splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches:"))


@pytest.mark.parametrize(("package", "kept"), [("firmware", "--journal"), ("kiosk", "--log")])
def test_at_rest_nothing_is_drawn_and_next_to_nothing_wakes_it(tmp_path: Path, package: str, kept: str) -> None:
    for each in ("input", "data"):
        (tmp_path / each).mkdir()
    command = (sys.executable, "-c", PROGRAM.replace("PACKAGE", package).replace("KEPT", kept), str(tmp_path), "run")
    environment = {"SDL_VIDEODRIVER": "dummy", "STATE_DIRECTORY": str(tmp_path / "state"), "WATCHDOG_USEC": "10000000"}
    with ready(command, tmp_path, **environment) as program:
        pictures = Pictures(program)
        ends = time.monotonic() + CEILING_S
        rests: list[tuple[int, int]] = []
        # What the start has left to do is done in the first of them, on a slow machine in the first few.
        while not rests or rests[-1][0] or rests[-1][1] > MAX[package]:
            assert time.monotonic() < ends, f"pictures and wake-ups in each {REST_S} s: {rests}"
            drawn, woken = pictures.count, wakes(program.pid)
            time.sleep(REST_S)
            rests.append((pictures.count - drawn, wakes(program.pid) - woken))
    assert pictures.count > 0
