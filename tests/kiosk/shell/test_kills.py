"""SIGKILL between the challenged player's key and the verdict: no row is lost, and no verdict was ever shown that is not in the log."""

import random
import subprocess
import sys
import threading
from pathlib import Path

from game.challenge_log.entry import Kind
from game.challenge_log.reading import reading, verify
from tests.examples import examples
from tests.kiosk.shell.rig import entries_in

KILLS = examples(20)
LATEST_S = 0.025
"""From the key on: the words' quantum, the commit and the picture take less."""


def killed(folder: Path, chance: random.Random) -> list[str]:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "tests.kiosk.shell.killed", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as station:
        assert station.stdout is not None
        said: list[str] = []
        challenges = chance.randrange(1, 4)
        for line in station.stdout:
            said.append(line.strip())
            if said.count("key") == challenges:
                break
        threading.Event().wait(chance.uniform(0, LATEST_S))
        station.kill()
        said += [line.strip() for line in station.stdout]
    return said


def test_kills_at_random_instants_around_the_commit_lose_nothing_that_was_shown(tmp_path: Path) -> None:
    chance = random.Random(4)  # noqa: S311 - the instants are random enough
    shown = 0
    for kill in range(KILLS):
        before = len(entries_in(tmp_path / "station.db")) if kill else 0
        said = killed(tmp_path, chance)
        with reading(tmp_path / "station.db") as connection:
            assert verify(connection).fault is None
        entries = entries_in(tmp_path / "station.db")
        verdicts = [line.split() for line in said if line.startswith("shown")]
        for _, row, table in verdicts:
            entry = entries[int(row) - 1]
            assert (entry.kind, entry.table, entry.acceptable) == (Kind.LOOKUP, int(table), True)
        written = sum(entry.kind is Kind.LOOKUP for entry in entries[before:])
        # A row may be there whose verdict nobody saw any more: the other way round never.
        assert len(verdicts) <= written <= len(verdicts) + 1
        shown += len(verdicts)
    assert shown > KILLS // 2
