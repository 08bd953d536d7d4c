"""A build that is killed, interrupted or finds no room: the old file stays, and nothing half-made takes its name."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.lexicon.cli.program import TILELEXICON, made_up, text_of

OLD = b"the old edition"


@contextmanager
def _reading(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A build that has begun to read its list, and waits for more of it."""
    (folder / "club.dawg").write_bytes(OLD)
    os.mkfifo(folder / "words.txt")
    command = [*TILELEXICON, "build", "words.txt", "-o", "club.dawg", "--name", "Club list"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # Opening waits until the build opens the other end.
        with (folder / "words.txt").open("wb", buffering=0) as text:
            text.write(b"TILE\nCLOCK\n")
            yield process
        process.kill()


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """A child started where interrupts are ignored would ignore them too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _left(folder: Path) -> list[str]:
    assert (folder / "club.dawg").read_bytes() == OLD
    return sorted({path.name for path in folder.iterdir()} - {"club.dawg", "words.txt"})


def test_killed_it_leaves_the_old_file_and_a_part_at_most(tmp_path: Path) -> None:
    with _reading(tmp_path) as process:
        process.kill()
        assert process.wait() == -signal.SIGKILL
    left = _left(tmp_path)
    assert len(left) == 1
    assert left[0].endswith(".part")


def test_interrupted_it_leaves_the_old_file_alone_and_ends_with_130(tmp_path: Path) -> None:
    with _reading(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        assert process.communicate() == (b"", b"")
        assert process.returncode == 130
    assert _left(tmp_path) == []


def test_asked_to_stop_it_leaves_the_old_file_alone_and_nothing_else(tmp_path: Path) -> None:
    with _reading(tmp_path) as process:
        process.send_signal(signal.SIGTERM)
        process.communicate()
        assert process.returncode == 128 + signal.SIGTERM
    assert _left(tmp_path) == []


def _without_room(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # A file may grow to two blocks, of 512 or 1,024 bytes as the shell counts.
    command = ["sh", "-c", 'ulimit -f 2 && exec "$@"', "sh", *TILELEXICON, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_without_room_it_says_so_and_leaves_the_old_file_alone(tmp_path: Path) -> None:
    text_of(tmp_path, *made_up(5000))
    (tmp_path / "club.dawg").write_bytes(OLD)
    done = _without_room(tmp_path, "build", "words.txt", "-o", "club.dawg", "--name", "Club list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tilelexicon: club.dawg: expected to write the file, found file too large.")
    assert _left(tmp_path) == []


def test_without_room_a_conversion_leaves_none_of_its_files(tmp_path: Path) -> None:
    text_of(tmp_path, *made_up(5000))
    (tmp_path / "club.dawg").write_bytes(OLD)
    for kind in ("text", "kwg", "zyzzyva", "quackle"):
        done = _without_room(tmp_path, "convert", "words.txt", "club.dawg", "--to", kind)
        assert (done.returncode, done.stdout) == (2, "")
        assert "file too large" in done.stderr
        assert _left(tmp_path) == []
