import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.crash.record import CrashRecord, FoundCrash, LastEnd, crash_folder, read_record
from appliance.errors import NoCrashFolder
from appliance.records.files import UNFINISHED, beside
from tests.cells import each_cell
from tests.errors import with_fields
from tests.processes import ended
from tests.some import some


def test_the_services_own_folder_comes_first_then_the_sessions_then_the_shared_one_and_where_none_is_each_has_its_reason(
    tmp_path: Path,
) -> None:
    places = {name: tmp_path / name for name in ("run", "session", "shared")}
    for place in places.values():
        place.mkdir()
    both = {"RUNTIME_DIRECTORY": f"{places['run']}:/run/more", "XDG_RUNTIME_DIR": str(places["session"])}
    assert crash_folder("clock", both, places["shared"]) == places["run"] / "crash"
    assert crash_folder("clock", {"XDG_RUNTIME_DIR": both["XDG_RUNTIME_DIR"]}, places["shared"]) == places["session"] / "clock"
    own = crash_folder("clock", {}, places["shared"])
    assert own == places["shared"] / f"clock-{os.geteuid()}"
    assert own.stat().st_mode & 0o777 == 0o700
    assert crash_folder("clock", {}, places["shared"]) == own
    gone = tmp_path / "gone"
    with pytest.raises(NoCrashFolder) as found:
        crash_folder("clock", {"RUNTIME_DIRECTORY": str(gone), "XDG_RUNTIME_DIR": "not/absolute"}, gone)
    assert str(found.value).count("no such file or directory") == 2
    assert "expected an absolute path" in str(found.value)


def test_what_is_no_folder_of_this_user_alone_is_not_used(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / f"clock-{os.geteuid()}", tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)

    def _open_to_others() -> None:
        folder.mkdir()
        folder.chmod(0o777)

    for make, unmake in (
        (_open_to_others, folder.rmdir),
        (lambda: folder.symlink_to(elsewhere), folder.unlink),
        (folder.touch, folder.unlink),
    ):
        make()
        with pytest.raises(NoCrashFolder, check=with_fields(found=re.compile("not a private folder of this user"))):
            crash_folder("clock", {}, tmp_path)
        unmake()


class _Nobody:
    def __init__(self, record: int, offset: int) -> None:
        self.at = (record, offset)

    def close(self) -> None:
        pass


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.crash"


def _left(path: Path, notes: list[bytes], entries: list[tuple[bytes, bool]]) -> None:
    record = CrashRecord(path, _Nobody)
    record.settle()
    for note in notes:
        record.note(note)
    for entry, afresh in entries:
        record.append(entry, afresh=afresh)
    record.close(keep=True)


def test_what_was_noted_is_found_and_nothing_of_an_earlier_generation(path: Path) -> None:
    _left(path, [b"one", b"two", b"three"], [(b"a longer entry than the next", True), (b"b", False), (b"c", True), (b"d" * 9000, False)])
    assert read_record(path) == FoundCrash(b"three", (b"c", b"d" * 9000), None)
    _left(path, [], [(b"same length", True), (b"and another", False), (b"other text!", True)])
    assert b"and another" in path.read_bytes()
    assert read_record(path) == FoundCrash(None, (b"other text!",), None)


def test_an_earlier_record_stays_until_the_new_one_has_taken_over_what_was_of_worth(path: Path) -> None:
    _left(path, [b"old"], [])
    record = CrashRecord(path, _Nobody)
    record.note(b"new")
    assert read_record(path) == FoundCrash(b"old", (), None)
    record.settle()
    record.close(keep=True)
    assert read_record(path) == FoundCrash(b"new", (), None)


def test_a_record_is_left_alone_while_its_program_lives_and_gone_when_that_ends_in_order(path: Path) -> None:
    record = CrashRecord(path, _Nobody)
    record.settle()
    record.close(keep=False)
    assert list(path.parent.iterdir()) == []
    assert read_record(path) is None
    # While it lives, it is left alone.
    record = CrashRecord(path, _Nobody)
    record.settle()
    assert read_record(path, locked_s=0.01) is None
    record.close(keep=True)
    assert read_record(path) is not None
    record = CrashRecord(path, _Nobody)
    with pytest.raises(OSError, match="too long"):
        record.note(bytes(2000))
    record.close(keep=False)
    assert not beside(path, UNFINISHED).exists()


def test_a_write_that_was_cut_off_at_any_byte_leaves_what_was_there_before(path: Path) -> None:
    _left(path, [b"first", b"second note"], [(b"first", True), (b"second entry", False)])
    whole = path.read_bytes()
    # The second note stands in the first slot.
    assert whole[512 + 16 : 512 + 27] == b"second note"
    for cut in range(27):
        path.write_bytes(whole[: 512 + cut] + bytes(27 - cut) + whole[512 + 27 :])
        path.chmod(0o600)
        assert read_record(path) == FoundCrash(b"first", (b"first", b"second entry"), None)
    for cut in range(1, 29):
        path.write_bytes(whole[:-cut])
        assert read_record(path) == FoundCrash(b"second note", (b"first",), None)


def test_garbage_is_nothing_and_an_end_is_believed_only_whole(path: Path) -> None:
    for cell in each_cell(range(20)):
        with cell as seed:
            chance = random.Random(seed)  # noqa: S311 - no secret
            path.write_bytes(b"TCLKCR01" * (seed % 2) + chance.randbytes(chance.randrange(20_000)))
            path.chmod(0o600)
            found = read_record(path)
            assert found in (None, FoundCrash(None, (), None))
    # An end is believed only whole.
    _left(path, [], [])
    full = (1 << 64) - 1
    for words, end in (
        ((5, 7, 5 ^ full, 7 ^ full), LastEnd(5, 7)),
        ((0, 7, full, 7 ^ full), LastEnd(None, 7)),
        ((5, 7, 5 ^ full, 0), None),
        ((9, 7, 9 ^ full, 7 ^ full), None),
        ((0, 0, full, full), None),
    ):
        with path.open("r+b") as file:
            file.seek(64)
            file.write(b"".join(word.to_bytes(8, "little") for word in words))
        assert read_record(path) == FoundCrash(None, (), end)


def _forged(path: Path, forge: Callable[[Path], object]) -> None:
    _left(path, [b"note"], [])
    forge(path)


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a fifo": lambda path: os.mkfifo(path, 0o600),
    "a folder": lambda path: path.mkdir(0o700),
    "a link": lambda path: _forged(path.with_name("b.crash"), path.symlink_to),
    "open to others": lambda path: _forged(path, lambda path: path.chmod(0o620)),
    "another's": lambda path: _forged(path, lambda path: os.chown(path, 12345, -1)),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_another_user_may_have_put_there_is_not_believed(path: Path, kind: str) -> None:
    if kind == "another's" and os.geteuid() != 0:
        pytest.skip("only root gives files away")
    FOREIGN[kind](path)
    assert read_record(path) is None


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


@pytest.mark.parametrize("to_all", [None, signal.SIGTERM, signal.SIGABRT, signal.SIGINT, signal.SIGHUP])
def test_the_end_of_a_killed_program_is_known_and_no_other_signal_ends_the_sentinel(tmp_path: Path, to_all: signal.Signals | None) -> None:
    path = tmp_path / "a.crash"
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert program.stdout is not None
    sentinel = int(program.stdout.readline())
    _until_asleep(sentinel)
    if to_all is not None:
        os.kill(sentinel, to_all)
    before = time.monotonic_ns()
    program.kill()
    program.wait()
    after = time.monotonic_ns()
    found = some(read_record(path, PATIENCE_S))
    assert found.end is not None
    # The sentinel's clock and the kernel's counts are read within 0.2 ms of each other.
    assert found.end.at is None or before <= found.end.at <= after + 200_000
    assert before <= found.end.noticed
    if Path("/proc/self/schedstat").exists() and to_all is None:
        assert found.end.at is not None
    program.stdout.close()


def test_a_program_that_ends_in_order_leaves_no_sentinel_and_one_whose_sentinel_was_killed_no_end(tmp_path: Path) -> None:
    record = CrashRecord(tmp_path / "a.crash")
    record.settle()
    record.watch()
    sentinel = some(record._sentinel)
    record.close(keep=False)
    assert ended(Path(f"/proc/{sentinel._pid}"))  # type: ignore[attr-defined]  # the real one's
    assert list(tmp_path.iterdir()) == []
    # A sentinel that was killed too leaves the rest and no end.
    path = tmp_path / "a.crash"
    record = CrashRecord(path)
    record.settle()
    record.note(b"note")
    record.watch()
    sentinel = some(record._sentinel)
    os.kill(sentinel._pid, signal.SIGKILL)  # type: ignore[attr-defined]  # the real one's
    record.close(keep=True)
    assert read_record(path) == FoundCrash(b"note", (), None)
