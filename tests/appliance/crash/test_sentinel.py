"""The sentinel: a real process is killed, and when that was is known to the ns, however busy the machine is; a program that ends in order takes it along."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from appliance.crash.record import CrashRecord, FoundCrash, read_record

PROGRAM = """
import sys, time
from pathlib import Path
from appliance.crash.record import CrashRecord
record = CrashRecord(Path(sys.argv[1]))
record.settle()
record.watch()
print(record._sentinel._pid, flush=True)
time.sleep(1000)
"""
PATIENCE_S = 60


def _until_asleep(pid: int) -> None:
    """Wait until the sentinel sleeps in the pipe, and its second thread has seen that and ended."""
    limit = time.monotonic() + PATIENCE_S
    while "pipe_read" not in Path(f"/proc/{pid}/wchan").read_text() or len(list(Path(f"/proc/{pid}/task").iterdir())) > 1:
        assert time.monotonic() < limit
        time.sleep(0.01)


def _gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("to_all", [None, signal.SIGTERM, signal.SIGABRT, signal.SIGINT, signal.SIGHUP])
def test_the_end_of_a_killed_program_is_known_and_no_other_signal_ends_the_sentinel(tmp_path: Path, to_all: signal.Signals | None) -> None:
    path = tmp_path / "a.crash"
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
    assert program.stdout is not None
    sentinel = int(program.stdout.readline())
    _until_asleep(sentinel)
    if to_all is not None:
        os.kill(sentinel, to_all)
    before = time.monotonic_ns()
    program.kill()
    program.wait()
    after = time.monotonic_ns()
    found = read_record(path, PATIENCE_S)
    assert found is not None
    assert found.end is not None
    assert found.end.at is None or before <= found.end.at <= after
    assert before <= found.end.noticed
    if Path("/proc/self/schedstat").exists() and to_all is None:
        assert found.end.at is not None
    program.stdout.close()


def test_a_program_that_ends_in_order_leaves_neither_record_nor_sentinel(tmp_path: Path) -> None:
    record = CrashRecord(tmp_path / "a.crash")
    record.settle()
    record.watch()
    sentinel = record._sentinel
    assert sentinel is not None
    record.close(keep=False)
    assert _gone(sentinel._pid)  # type: ignore[attr-defined]  # the real one's
    assert list(tmp_path.iterdir()) == []


def test_a_sentinel_that_was_killed_too_leaves_the_rest_and_no_end(tmp_path: Path) -> None:
    path = tmp_path / "a.crash"
    record = CrashRecord(path)
    record.settle()
    record.note(b"note")
    record.watch()
    sentinel = record._sentinel
    assert sentinel is not None
    os.kill(sentinel._pid, signal.SIGKILL)  # type: ignore[attr-defined]  # the real one's
    record.close(keep=True)
    assert read_record(path) == FoundCrash(b"note", (), None)
