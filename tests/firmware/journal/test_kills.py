"""The kill test, as in the benchmark, with fewer kills."""

import re
import subprocess
import sys
from pathlib import Path

KILLS = Path(__file__).parents[2] / "benchmarks" / "kills.py"


def test_after_twenty_kills_at_random_instants_no_durable_row_is_lost_and_every_journal_is_whole() -> None:
    done = subprocess.run([sys.executable, KILLS, "20"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = re.match(r"20 kills, (\d+) rows said to be durable, (\d+) there, none lost", done.stdout)
    assert found is not None
    assert 0 < int(found[1]) <= int(found[2])
