"""One writer a file: a second program on the same one is turned away, and the lock goes with whoever held it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.errors import InUse
from appliance.records.files import only_writer
from tests.errors import with_fields

HOLDER = """
import sys
from pathlib import Path
from appliance.records.files import only_writer
with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_program_is_told_which_process_holds_the_file(tmp_path: Path) -> None:
    process = holder(tmp_path / "journal.db")
    with pytest.raises(InUse, check=with_fields(found=re.compile(str(process.pid)))), only_writer(tmp_path / "journal.db"):
        pass
    process.communicate()


def test_the_lock_is_gone_with_a_program_that_was_killed(tmp_path: Path) -> None:
    process = holder(tmp_path / "journal.db")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with only_writer(tmp_path / "journal.db"):
        assert (tmp_path / "journal.db-lock").read_text() == f"{os.getpid()}\n"


def test_where_no_lock_can_be_made_the_program_goes_on(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with only_writer(in_the_way / "journal.db"):
        assert in_the_way.read_text() == ""


def test_whoever_is_turned_away_reads_what_the_program_itself_would_say(tmp_path: Path) -> None:
    process = holder(tmp_path / "log.db")
    with pytest.raises(InUse) as caught, only_writer(tmp_path / "log.db", "a log of our own", "Close the other one"):
        pass
    process.communicate()
    where, expected = f"{tmp_path / 'log.db'}", "a log of our own"
    assert str(caught.value) == f"{where}: expected {expected}, found that it is in use by process {process.pid}. Close the other one."
