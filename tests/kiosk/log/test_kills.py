"""SIGKILL at random instants: every row that ``append`` returned is there afterwards, as it was written, and the chain is whole."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from tests.kiosk.log.making import tables_in

WRITER = """
import os, sys
from dataclasses import replace
from pathlib import Path
from tests.kiosk.log.making import at_table
from kiosk.log.log import open_log

log = open_log(Path(sys.argv[1]))
assert log.news is None and log.trouble is None, (log.news, log.trouble)
table = int(sys.argv[2])
while True:
    table += 1
    row = log.append(at_table(table), table, "Hall A")
    # Straight to the pipe: what is said is said, also by a process that dies.
    os.write(1, b"%d\\n" % row)
"""


def _killed(path: Path, before: int, after_rows: int) -> int:
    """Have rows written until some time after so many of them, kill the writer, and return the last row that it said was in."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(before)], stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None
        said = b""
        while said.count(b"\n") < after_rows:
            said += os.read(process.stdout.fileno(), 4096)
        process.send_signal(signal.SIGKILL)
        while more := os.read(process.stdout.fileno(), 4096):
            said += more
        assert process.wait() == -signal.SIGKILL
    return int(said.split(b"\n")[-2])


def test_after_many_kills_no_row_that_was_said_to_be_in_is_lost_and_the_log_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "station.db"
    chance = random.Random(11)  # noqa: S311 - how long each writer lives
    there = 0
    for _ in range(15):
        said = _killed(path, there, chance.randrange(1, 60))
        tables = tables_in(path)
        # The one that was on its way when the kill came may be in as well.
        assert said <= len(tables) <= said + 1
        assert tables == list(range(1, len(tables) + 1))
        there = len(tables)
    assert there > 15
