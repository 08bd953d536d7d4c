"""A list is proven by a process of its own, which tells what it found and of which bytes."""

import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from kiosk.lexicons.proof import prove
from lexicon.errors import Damaged, Replaced, Unreadable
from lexicon.practice import PRACTICE
from tests.errors import with_fields
from tests.kiosk.lexicons.files import cut, made
from tests.processes import PATIENCE_S, ended, until


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(PRACTICE, tmp_path / "list.dawg"))


def hashed(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def test_one_changed_bit_is_found_and_the_file_named(copy: Path) -> None:
    flipped(copy)
    with pytest.raises(Damaged, check=with_fields(where=str(copy), expected=re.compile("^the SHA-256 of the units to be "))):
        prove(str(copy), hashed(copy))


def test_a_file_that_is_gone_cannot_be_read(copy: Path) -> None:
    opened = hashed(copy)
    copy.unlink()
    with pytest.raises(Unreadable, check=with_fields(expected="a lexicon file")):
        prove(str(copy), opened)


def another(path: Path) -> None:
    made(path.with_name("new.dawg"), ("AA",)).rename(path)


@pytest.mark.parametrize("changed", [another, flipped, cut], ids=["another sound list", "one bit", "cut"])
def test_what_is_not_byte_for_byte_what_was_opened_proves_nothing_of_it_whatever_else_it_is(
    copy: Path, changed: Callable[[Path], None]
) -> None:
    opened = hashed(copy)
    changed(copy)
    with pytest.raises(
        Replaced, check=with_fields(where=str(copy), expected=re.compile("^a file that stays as it is "), found="it changed")
    ):
        prove(str(copy), opened)


def test_the_same_bytes_in_another_file_are_proven_as_well(copy: Path) -> None:
    opened = hashed(copy)
    Path(shutil.copy(PRACTICE, copy.with_name("new.dawg"))).rename(copy)
    prove(str(copy), opened)


def test_a_list_that_takes_too_long_is_given_up_and_not_called_damaged(copy: Path) -> None:
    with pytest.raises(
        Unreadable, check=with_fields(where=str(copy), expected="to read it whole within 0.001 s", found="that it takes longer")
    ):
        prove(str(copy), hashed(copy), longest_s=0.001)


def test_a_proof_leaves_no_descriptor_open_given_up_or_not(copy: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(Unreadable):
            prove(str(copy), hashed(copy), longest_s=0.001)
    prove(str(copy), hashed(copy))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


SLOW = """
import os, runpy, signal, sys
import lexicon
lexicon.Lexicon.open = lambda path, copied: (open(path, "w").write(str(os.getpid())), signal.pause())
sys.argv = sys.argv[3:]
runpy.run_module("kiosk.lexicons.proof", run_name="__main__")
"""
"""A reader that writes its number into the file, and then reads for ever; called with Python's own arguments."""

STATION = "import sys; from kiosk.lexicons.proof import prove; sys.executable = sys.argv.pop(1); prove(*sys.argv[1:], '')"


def test_a_reader_ends_at_once_with_the_station_though_that_was_killed(tmp_path: Path) -> None:
    reader, asked = tmp_path / "reader", tmp_path / "asked"
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW)
    # By a shell: the path of this Python may have blanks, and be too long for a first line.
    reader.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(slow))} "$@"\n')
    reader.chmod(0o700)
    asked.touch()
    with subprocess.Popen([sys.executable, "-c", STATION, reader, asked]) as station:
        until(lambda: asked.read_text() != "")
        child = Path("/proc", asked.read_text())
        assert not ended(child)
        station.kill()
        station.wait(PATIENCE_S)
        until(lambda: ended(child))


def test_where_no_process_can_be_started_it_is_a_sentence(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(copy))
    with pytest.raises(Unreadable, check=with_fields(expected="to start a process that reads it", found="permission denied")):
        prove(str(copy), hashed(copy))


def test_the_process_that_asks_keeps_none_of_the_memory_it_takes() -> None:
    asking = (
        "import resource, sys; from kiosk.lexicons.proof import prove\n"
        "most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "before = most(); prove(*sys.argv[1:]); print(most() - before)"
    )
    grown = subprocess.run(
        [sys.executable, "-c", asking, PRACTICE, hashed(Path(PRACTICE))], capture_output=True, text=True, check=True
    ).stdout
    assert int(grown) < 4_000


def test_a_reader_started_by_a_program_that_blocks_signals_can_still_be_ended(tmp_path: Path) -> None:
    blocking = (
        "import os, signal, subprocess, sys; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM}); "
        "import kiosk.lexicons.proof as proof; proof.Lexicon.open = lambda path, copied: os.kill(os.getpid(), signal.SIGTERM); proof.main(sys.argv[1])"
    )
    ended = subprocess.run([sys.executable, "-c", blocking, str(tmp_path)], check=False, timeout=60)
    assert ended.returncode == -signal.SIGTERM
