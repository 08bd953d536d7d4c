"""Events a second through the real ``tileclock replay``. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_replay.py -s -p no:xdist``.

A script of 300,000 events is written to a file, and the command reads it as anybody's: a process of its own, JSON in, faces out. What the process takes to
start (the script of one line) is measured apart and taken off. The rate counts events, not the shows between them. On a machine that does other work, look at the CPU time.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.figures import Figures

S = 1_000_000_000
EVENTS = 300_000
MUST = 100_000
STARTS = 7
Said = tuple[int, dict[str, Any]]


def other(side: str) -> str:
    return "left" if side == "right" else "right"


def turn_taken(chance: random.Random, now: int, side: str) -> Iterator[Said]:
    """Yield one turn of ``side``, which runs at ``now`` (ns): mostly a press, at times a hold, a stop or a challenge before it."""
    kind = chance.randrange(20)
    if kind < 3:
        yield now, {"do": "hold"}
        now += chance.randrange(2 * S, 14 * S)
        if kind == 0:
            yield now, {"do": "release"}
    elif kind == 3:
        yield now, {"do": "neutralise", "reason": "director"}
        yield now + 90 * S, {"do": "resume", "side": side}
        now += 100 * S
    elif kind == 4:
        acceptable = chance.random() < 0.5
        yield now, {"do": "challenge"}
        yield now + 45 * S, {"do": "verdict", "acceptable": acceptable}
        yield now + 60 * S, {"do": "resume", "side": other(side) if acceptable else side}
        if acceptable:
            return
        now += 80 * S
    elif kind == 5:
        yield now, {"do": "show"}
    yield now, {"do": "press", "side": side}


def game(chance: random.Random, start: int) -> Iterator[Said]:
    """Yield one game as it is played: 24 to 34 turns of about 40 s, out play, recount."""
    yield start, {"do": "new_game", "rulebook": "naspa-2017"}
    now, side = start + 5 * S, "left"
    yield now, {"do": "press", "side": other(side)}
    for _ in range(chance.randrange(24, 35)):
        for now, said in turn_taken(chance, now + chance.randrange(15 * S, 75 * S), side):  # noqa: B020 - time continues from the turn's end
            yield now, said
        side = other(side)
    yield now + 30 * S, {"do": "out_play"}
    yield now + 60 * S, {"do": "show"}
    yield now + 90 * S, {"do": "window", "name": "recount"}


def evening(events: int) -> Iterator[Said]:
    chance, now, count = random.Random(1), 0, 0  # noqa: S311 - it has to be the same again
    while True:
        for now, said in game(chance, now):  # noqa: B020 - time continues from the turn's end
            yield now, said
            count += said["do"] != "show"
            if count == events:
                return
        now += 600 * S


def one_long_game(events: int) -> Iterator[Said]:
    """Yield a single game of so many events: a turn every 9,999,999 ns keeps it inside the overtime limit."""
    yield 0, {"do": "new_game", "rulebook": "naspa-2017"}
    for number in range(1, events):
        yield number * 9_999_999, {"do": "press", "side": ("left", "right")[number % 2]}
        if number % 1000 == 0:
            yield number * 9_999_999, {"do": "show"}


def write(path: Path, script: Iterable[Said]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for now, said in script:
            file.write(json.dumps({"t": f"{now // S}.{now % S:09d}", **said}) + "\n")
            count += 1
    return count


def replayed(path: Path) -> tuple[float, float]:
    """Run the command on a script; return the seconds it took and those of CPU."""
    command = [str(Path(sys.executable).parent / "tileclock"), "replay", "--strict", str(path)]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.perf_counter() - begun
    assert process.returncode == 0
    return took, used.ru_utime + used.ru_stime


@pytest.fixture(scope="module")
def start_up(tmp_path_factory: pytest.TempPathFactory, figures: Figures) -> tuple[float, float]:
    path = tmp_path_factory.mktemp("start") / "one-line.jsonl"
    write(path, [(0, {"do": "new_game", "rulebook": "naspa-2017"})])
    runs = [replayed(path) for _ in range(STARTS)]
    wall, cpu = min(wall for wall, _ in runs), min(cpu for _, cpu in runs)
    figures.add("replay: start-up of the process, best of 7", f"{wall:.2f} s ({cpu:.2f} s CPU)")
    return wall, cpu


@pytest.mark.parametrize(("name", "script"), [("evening of games", evening), ("one long game", one_long_game)])
def test_replay_folds_a_hundred_thousand_events_a_second(
    name: str, script: Any, start_up: tuple[float, float], tmp_path: Path, figures: Figures
) -> None:
    path = tmp_path / "script.jsonl"
    lines = write(path, script(EVENTS))
    runs = [replayed(path) for _ in range(3)]
    wall, cpu = min(wall for wall, _ in runs), min(cpu for _, cpu in runs)
    rate, cpu_rate = EVENTS / (wall - start_up[0]), EVENTS / (cpu - start_up[1])
    figures.add(f"replay: {name}, {EVENTS:,} events in {lines:,} lines", f"{rate:,.0f}/s", f"{MUST:,}/s", held=rate >= MUST)
    figures.add("        the same by CPU time, start-up taken off", f"{cpu_rate:,.0f}/s", f"{MUST:,}/s", held=cpu_rate >= MUST)
