"""How soon and how exactly a clock works: from a pin's edge to the picture, from exec to the first picture, and the charged time. To repeat:
``.venv/bin/python -m pytest tests/benchmarks/test_picture.py -s -p no:xdist``.

A real clock with mock pins, its loop, journal and window of 1280x720, is pressed from another thread at random moments (``pressing.py``): turns, stops, resumptions;
and turns that end while the opponent holds the own button and its fill grows.
The time ends where the draw returns; under X that is once the server has the picture. 3 ms of it are the debounce: so long a contact must be down to be a press.

Both programs without pins, which open after the first picture, and beside them in the same run a bare pygame window of the same size, on X11, filled and flipped once. Processor time of
the child is the kernel's own count (getrusage), by turns, so that what else the machine does strikes all three alike. A program is ended by SIGKILL when it says
that it is ready, before anything else of it runs. As on an appliance, byte code and what the station knows of its list of 270,000 words are there: a first start of each,
which is not counted, makes them. Journal and log are new each time.

What the clock charged is compared with plain arithmetic on the true instants of the edges (``pressing.charged``). Two kinds of trouble: every core busy and
every handler held up by up to 500 ms, so that edges come late and out of order; a burst of 4,000 edges at once.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from appliance.clocks import Clocks
from firmware.screens.screen import Quit
from firmware.settings import BoardSettings, JournalSettings, ScreenSettings, Settings
from firmware.shell.assemble import assembled
from firmware.shell.clock import TableClock
from firmware.shell.loop import Loop
from hardware.boards.board import load_board
from hardware.buttons.board_pins import Edge
from records.log import PROVEN
from rules.contact import PRESS_NS
from rules.duration import NS
from tests.benchmarks.figures import Figures, ms, percentile
from tests.benchmarks.lexicon_words import lexicon_built, made_up
from tests.benchmarks.pressing import MS, Move, off_ns, played
from tests.benchmarks.test_running import number
from tests.processes import ready
from tools.mock_board import MockBoard

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


TIMES: Final = 5
MAX: Final = 2.0
WINDOW: Final = ("--windowed", "--width", "1280", "--height", "720", "--pins", "none")
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


def spent_s(pid: int) -> float:
    """Return the processor time of a process and of its children that have ended, in s."""
    threads = sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    children = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[13:15]))
    return threads / 1e9 + children / os.sysconf("SC_CLK_TCK")


def start(command: list[str], environment: dict[str, str], folder: Path) -> tuple[float, float, float]:
    """Return the processor's seconds and the wall's from exec to ready, and the resident megabytes then."""
    (folder / "state").mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.db*"):
        if not left.name.endswith(PROVEN):
            left.unlink()
    began = time.monotonic()
    with ready(command, folder, **environment, STATE_DIRECTORY=str(folder / "state")) as child:
        # First the processor time: the program goes on, with work that waits for the picture.
        cpu, took = spent_s(child.pid), time.monotonic() - began
        pss = number(Path(f"/proc/{child.pid}/smaps_rollup"), "Pss") / 1024
        child.kill()
    return cpu, took, pss


def test_a_program_is_there_in_little_more_than_twice_a_bare_windows_processor_time(
    x_display: str, tmp_path: Path, root: Path, figures: Figures
) -> None:
    environment = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"),
        "DISPLAY": x_display,
        "SDL_VIDEODRIVER": "x11",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "PYTHONPATH": str(root),
    }
    words = tmp_path / "words.dawg"
    lexicon_built(made_up(), words)
    commands = {
        "bare window": [sys.executable, "-c", BARE],
        "tileclock": [sys.executable, "-m", "firmware.cli", "run", *WINDOW, "--journal", str(tmp_path / "tileclock" / "journal.db")],
        "tilekiosk": [
            sys.executable,
            "-m",
            "kiosk.cli",
            "run",
            *WINDOW,
            "--log",
            str(tmp_path / "tilekiosk" / "log.db"),
            "--lexicon",
            str(words),
        ],
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
        figures.add(f"{name} run, likewise", f"{cpu:.3f} s, {cpu / bare:.1f} times", f"<= {MAX} times", held=cpu <= MAX * bare)
        figures.add("        by the wall; memory then (PSS)", f"{took:.2f} s; {pss:.1f} MB")


HELD_UP_NS = 500 * MS
LIVE_PRESSES = 80
BURST_EDGES = 4000
BURST_PRESSES = 5


class Late:
    """Hands every edge on later than it came: one in four by 500 ms, the others by anything up to that."""

    def __init__(self, heard: Callable[[Edge], None]) -> None:
        self._on_edge = heard
        self._chance = random.Random(3)  # noqa: S311 - it has to be the same again
        self._timers: list[threading.Timer] = []

    def __call__(self, edge: Edge) -> None:
        late_ns = HELD_UP_NS if self._chance.randrange(4) == 0 else self._chance.randrange(HELD_UP_NS)
        timer = threading.Timer(late_ns / NS, self._on_edge, (edge,))
        self._timers.append(timer)
        timer.start()

    def wait(self) -> None:
        for timer in self._timers:
            timer.join()


def settings(path: Path) -> Settings:
    return Settings(
        board=BoardSettings(pins="mock"), screen=ScreenSettings(kind="none"), journal=JournalSettings(path=str(path / "journal.db"))
    )


@contextmanager
def playing(loop: Loop) -> Iterator[None]:
    """Run the loop in a thread, as long as it takes to hear all that was pressed."""
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        yield
    finally:
        loop.inbox.put(Quit())
        thread.join()


def error(clock: TableClock, moves: list[Move]) -> int:
    clock.tick(moves[-1].at + NS)
    return off_ns(clock, moves, moves[-1].at + NS)


def test_a_busy_machine_and_late_handlers_charge_to_the_nanosecond(busy_cores: int, tmp_path: Path, figures: Figures) -> None:
    board = MockBoard(load_board("full"))
    moves = []
    with assembled(settings(tmp_path), Clocks(), board.factory) as loop:
        assert loop._pins is not None
        late = Late(loop.inbox.put)
        for contact in loop._pins._contacts.values():
            contact._sink = late
        with playing(loop):
            for move in played(random.Random(2), time.monotonic_ns(), LIVE_PRESSES):  # noqa: S311 - it has to be the same again
                time.sleep(max(0, move.at - time.monotonic_ns()) / NS)
                board.press(move.button, move.at, move.held)
                moves.append(move)
            late.wait()
        wrong = error(loop._clock, moves)
    figures.add(
        f"charging: {LIVE_PRESSES} live presses, {busy_cores} cores busy, handlers up to 500 ms late",
        f"{wrong} ns off",
        "0 ns",
        held=wrong == 0,
    )
    assert wrong == 0


def bouncing(start: int) -> tuple[list[Move], list[tuple[str, list[int]]]]:
    """Return a few presses that bounce thousands of times, and each one's two trains of edges."""
    chance = random.Random(4)  # noqa: S311 - it has to be the same again
    half = BURST_EDGES // (2 * BURST_PRESSES)
    moves, trains = [], []
    for press in range(BURST_PRESSES):
        at, side = start + press * 450 * MS + chance.randrange(MS), ("right", "left")[press % 2]
        moves.append(Move(at, side, 100 * MS, ("left", "right")[press % 2]))
        # Within 30 ms, an odd press of edges each time: the contact ends the other way.
        for first, others in ((at, half), (at + 100 * MS, half - 2)):
            trains.append((side, sorted((first, *(first + offset for offset in chance.sample(range(1, 30 * MS), others))))))
    return moves, trains


def test_a_burst_of_thousands_of_edges_charges_to_the_nanosecond(busy_cores: int, tmp_path: Path, figures: Figures) -> None:
    board, ahead = MockBoard(load_board("full")), 0
    with assembled(settings(tmp_path), Clocks(now=lambda: time.monotonic_ns() + ahead), board.factory) as loop:
        moves, trains = bouncing(time.monotonic_ns())
        # All of it lies in the past before the loop comes to look: a handler that slept through five presses.
        ahead = 4 * NS
        for button, train in trains:
            board.bounce(button, train)
        begun = time.monotonic_ns()
        with playing(loop):
            pass
        took = time.monotonic_ns() - begun
        wrong = error(loop._clock, moves)
    edges = sum(len(train) for _, train in trains)
    figures.add(f"charging: a burst of {edges:,} edges, {busy_cores} cores busy", f"{wrong} ns off", "0 ns", held=wrong == 0)
    figures.add("        the loop had taken it in after", ms(took))
    assert wrong == 0
