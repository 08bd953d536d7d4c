"""The kill tests, as in the benchmarks, with fewer kills."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.some import some

pytestmark = pytest.mark.waits(14)

KILLS = Path(__file__).parents[2] / "benchmarks" / "kills.py"
CLOCK_KILLS = KILLS.with_name("clock_kills.py")


def test_after_twenty_kills_at_random_instants_no_durable_row_is_lost_and_every_journal_is_whole() -> None:
    done = subprocess.run([sys.executable, KILLS, "20"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = some(re.match(r"20 kills, (\d+) rows said to be durable, (\d+) there, none lost", done.stdout))
    assert 0 < int(found[1]) <= int(found[2])


def test_after_kills_of_a_whole_clock_no_less_is_stated_than_is_missing_and_no_row_is_lost() -> None:
    done = subprocess.run([sys.executable, CLOCK_KILLS, "12", "--at-once", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Above the figures stands what the clocks logged: late marks, on a busy machine.
    found = re.search(r"(?m)^12 kills, (\d+) while a clock ran: .*; (\d+) exact", done.stdout)
    assert found is not None, done.stdout
    # On a machine that keeps its programs waiting for seconds some are not; what is stated covers it then.
    assert int(found[1]) > 0
    assert int(found[2]) > 0
