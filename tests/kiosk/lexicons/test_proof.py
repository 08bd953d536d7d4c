"""A list is proven by a process of its own, which tells what it found and of which file."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.lexicons.proof import prove
from kiosk.lexicons.stamp import stamp
from lexicon.errors import Damaged, Unreadable
from lexicon.practice import PRACTICE


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(PRACTICE, tmp_path / "list.dawg"))


def test_a_sound_list_is_proven(copy: Path) -> None:
    prove(str(copy), stamp(copy))


def test_one_changed_bit_is_found_and_the_file_named(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    content[-1] ^= 1
    copy.write_bytes(content)
    with pytest.raises(Damaged, match=r"list\.dawg: expected"):
        prove(str(copy), stamp(copy))


def test_a_file_that_is_gone_cannot_be_read(copy: Path) -> None:
    opened = stamp(copy)
    copy.unlink()
    with pytest.raises(Unreadable, match="expected a lexicon file"):
        prove(str(copy), opened)


def test_a_sound_file_that_is_not_the_one_that_was_opened_is_not_taken_for_it(copy: Path) -> None:
    opened = stamp(copy)
    Path(shutil.copy(PRACTICE, copy.with_name("new.dawg"))).rename(copy)
    with pytest.raises(Damaged, match="found it changed"):
        prove(str(copy), opened)


def test_a_list_that_takes_too_long_is_given_up(copy: Path) -> None:
    with pytest.raises(Damaged, match=r"within 0\.001 s"):
        prove(str(copy), stamp(copy), longest_s=0.001)


def test_a_reader_that_dies_is_told_with_its_code(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "no number")
    with pytest.raises(Unreadable, match="its reader ended by code 1"):
        prove(str(copy), stamp(copy))


def test_the_process_that_asks_keeps_none_of_the_memory_it_takes() -> None:
    asking = (
        "import resource, sys; from kiosk.lexicons.proof import prove; from kiosk.lexicons.stamp import stamp\n"
        "most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "before = most(); prove(sys.argv[1], stamp(sys.argv[1])); print(most() - before)"
    )
    grown = subprocess.run([sys.executable, "-c", asking, PRACTICE], capture_output=True, text=True, check=True).stdout
    assert int(grown) < 4_000


def test_a_reader_started_by_a_program_that_blocks_signals_can_still_be_ended(tmp_path: Path) -> None:
    blocking = (
        "import os, signal, subprocess, sys; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM}); "
        "import kiosk.lexicons.proof as proof; proof.Lexicon.open = lambda path: os.kill(os.getpid(), signal.SIGTERM); proof.main(sys.argv[1])"
    )
    ended = subprocess.run([sys.executable, "-c", blocking, str(tmp_path)], check=False, timeout=60)
    assert ended.returncode == -signal.SIGTERM
