"""From a pin's edge to the picture that shows it. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_picture.py -s -p no:xdist``.

A real clock with mock pins, its loop, journal and window of 1280x720, is pressed from another thread at random moments (``pressing.py``): turns, stops, resumptions;
and turns that end while the opponent holds the own button and its fill grows.
The time ends where the draw returns; under X that is once the server has the picture. 3 ms of it are the debounce: so long a contact must be down to be a press.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from rules.contact import PRESS_NS
from tests.benchmarks.figures import Figures, ms, percentile

PRESSES = {"short": 300, "fill": 150}
FRAME_NS = 16_700_000


@pytest.mark.parametrize("trial", tuple(product(("x11", "dummy"), PRESSES)), ids="-".join)
def test_a_press_is_on_the_screen_within_one_frame(
    trial: tuple[str, str], x_display: str, tmp_path: Path, root: Path, figures: Figures
) -> None:
    driver, hands = trial
    presses = PRESSES[hands]
    command = [sys.executable, "-m", "tests.benchmarks.pressing", str(presses), str(tmp_path / "journal.db"), hands]
    environment = {**os.environ, "DISPLAY": x_display, "SDL_VIDEODRIVER": driver, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    child = subprocess.run(command, env=environment, cwd=root, stdout=subprocess.PIPE, check=True)
    measured = json.loads(child.stdout)
    delays = measured["delays"]
    assert len(delays) == presses
    assert min(delays) > PRESS_NS
    assert measured["beside_fills"] == (presses if hands == "fill" else 0)
    p50, p95, p99 = (percentile(delays, share) for share in (50, 95, 99))
    what = f"edge to picture, {driver}, 1280x720, {presses} presses{' beside a fill' if hands == 'fill' else ''}"
    figures.add(f"{what}: p99", ms(p99), f"< {ms(FRAME_NS)}", held=p99 < FRAME_NS)
    figures.add("        p50, p95, max", f"{ms(p50)}, {ms(p95)}, {ms(max(delays))}")
