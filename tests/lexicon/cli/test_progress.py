"""The progress bar, on a real terminal; and none where there is no terminal."""

import os
import pty
import subprocess
from pathlib import Path

from tests.lexicon.cli.program import CLUB, TILELEXICON, made_up, run, text_of


def _until(master: int, sign: bytes) -> None:
    """Read what the terminal is told until ``sign`` is among it."""
    seen = b""
    while sign not in seen:
        seen += os.read(master, 1000)


def _rest(master: int) -> bytes:
    """What else the terminal is told before everybody has left it."""
    seen = b""
    try:
        while read := os.read(master, 1000):
            seen += read
    except OSError:  # Linux says so when the last one has left
        return seen
    return seen


def test_a_terminal_sees_how_much_was_read_and_standard_output_only_the_figures(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "words.txt")
    master, terminal = pty.openpty()
    command = [*TILELEXICON, "build", "words.txt", "-o", "club.dawg", "--name", "Club list"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        with (tmp_path / "words.txt").open("wb", buffering=0) as text:
            # More than is read at a time.
            text.write(1000 * "".join(f"{word}\n" for word in made_up(500)).encode())
            _until(master, b"reading")
        # The bar is taken away and the cursor given back.
        assert _rest(master).endswith((b"\x1b[2K", b"\x1b[?25h", b"\n"))
        output, _ = process.communicate()
    os.close(master)
    assert process.returncode == 0
    assert output.startswith(b"name ")
    assert b"\x1b" not in output


def test_without_a_terminal_there_is_no_bar(tmp_path: Path) -> None:
    done = run("build", text_of(tmp_path, *CLUB), "-o", tmp_path / "club.dawg", "--name", "Club list", FORCE_COLOR="1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
