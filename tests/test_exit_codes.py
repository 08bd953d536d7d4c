"""The guarded command line, by real processes: one table of exit codes that holds for every program.

0, 1  done, and what the verb answers   130  interrupted      141  the output has no reader
2     bad input, or a full output       143  ended
"""

import array
import fcntl
import os
import shutil
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click
import pytest
from click.testing import CliRunner, Result
from msgspec import Struct

from faults.errors import TileclockError
from faults.guard import Guarded
from lexicon.errors import Unreadable
from lexicon.practice import PRACTICE
from tests.cells import each_cell
from tests.firmware.shell.processes import TILECLOCK
from tests.kiosk.shell.programs import TILEKIOSK
from tests.lexicon.cli.program import TILELEXICON

PATIENCE_S = 120.0
SCRIPT = '{"t": "0", "do": "new_game", "edition": 5, "rulebook": "club"}\n{"t": "1", "do": "show"}\n'
FULL = "expected to write to standard output, found no space left on device. Send it somewhere else."


class Program(Struct, frozen=True, dict=True):
    name: str
    command: tuple[str, ...]
    printing: str
    no: str
    bad: str
    reading: str


CLOCK = Program(
    "tileclock",
    TILECLOCK,
    "replay script.jsonl",
    "journal verify --journal damaged.db",
    "replay none.jsonl",
    "replay -",
)
STATION = Program("tilekiosk", TILEKIOSK, "config", "log verify --log damaged.db", "config --settings none.toml", "config pin")
LEXICON = Program(
    "tilelexicon",
    tuple(TILELEXICON),
    "words practice.dawg",
    "judge practice.dawg NOTAWORD",
    "info none.dawg",
    "build /dev/stdin -o new.dawg --name New",
)
ALL = pytest.mark.parametrize("program", [CLOCK, STATION, LEXICON], ids=lambda program: program.name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "script.jsonl").write_text(SCRIPT, encoding="ascii")
    (tmp_path / "damaged.db").write_text("no database", encoding="ascii")
    # By its lock it was a file of record once: it is damaged, and not somebody else's.
    (tmp_path / "damaged.db-lock").touch()
    # Verbs are split at blanks, and the checkout's path may have some.
    shutil.copyfile(PRACTICE, tmp_path / "practice.dawg")
    return tmp_path


def _ended(folder: Path, program: Program, verb: str, output: int | IO[bytes] = subprocess.DEVNULL, buffer: str = "") -> tuple[int, str]:
    environment = {**os.environ, "PYTHONUNBUFFERED": buffer}
    done = subprocess.run(
        [*program.command, *verb.split()],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stderr


@ALL
def test_an_answer_is_0_or_1_and_bad_input_is_2_with_a_sentence(folder: Path, program: Program) -> None:
    assert _ended(folder, program, "--version") == (0, "")
    assert _ended(folder, program, program.no) == (1, "")
    code, said = _ended(folder, program, program.bad)
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"{program.name}: ")
    assert "expected" in said
    assert _ended(folder, program, "--no-such-option")[0] == 2


@ALL
def test_a_full_output_is_2_with_a_sentence_and_one_without_a_reader_is_141_and_quiet(folder: Path, program: Program) -> None:
    # Unbuffered output fails at the first line, not at the end.
    for buffer in ("", "1"):
        with Path("/dev/full").open("wb") as full:
            assert _ended(folder, program, program.printing, full, buffer) == (2, f"{program.name}: {FULL}\n")
        with _unread() as pipe:
            assert _ended(folder, program, program.printing, pipe, buffer) == (141, "")


@ALL
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_verb_quietly_with_its_own_code(folder: Path, program: Program, number: signal.Signals, code: int) -> None:
    command = [*program.command, *program.reading.split()]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"/")
        process.stdin.flush()
        _until_read(process.stdin)
        process.send_signal(number)
        # Not by ``communicate``, which would close its standard input first.
        assert process.wait(PATIENCE_S) == code
        assert process.communicate() == (b"", b"")


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """A shell starts what runs in the background deaf to SIGINT, and so would be what the tests start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def _unread() -> Iterator[int]:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


def _until_read(pipe: IO[bytes]) -> None:
    """Wait until nothing is left in the pipe: the process is in its verb, and reads."""
    until = time.monotonic() + PATIENCE_S
    left = array.array("i", [1])
    while left[0]:
        assert time.monotonic() < until
        time.sleep(0.02)
        fcntl.ioctl(pipe, termios.FIONREAD, left)


def _group() -> None:
    """Do nothing: what is tested is how a verb of the group ends."""


def _guarded() -> click.Group:
    return click.group(cls=Guarded, program="tileprogram")(_group)


def _ended_in_process(group: click.Group, error: BaseException) -> Result:
    @group.command()
    def verb() -> None:
        raise error

    return CliRunner().invoke(group, ["verb"])


def test_what_a_program_refuses_and_no_memory_are_a_sentence() -> None:
    for cell in each_cell(
        [
            (TileclockError(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
            (Unreadable(expected="A", found="B", remedy="Do C"), "expected A, found B. Do C."),
            (TileclockError(expected="A", found="B\nline 1", where="a\x1b[2J\udcff"), "a\\x1b[2J\\udcff: expected A, found B\nline 1."),
            (MemoryError(), "expected enough memory, found too little. Close other programs, or use a larger machine."),
        ]
    ):
        with cell as (error, reported):
            done = _ended_in_process(_guarded(), error)
            assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"tileprogram: {reported}\n")


def test_an_interruption_ends_quietly() -> None:
    done = _ended_in_process(_guarded(), KeyboardInterrupt())
    assert (done.exit_code, done.output) == (130, "")


@pytest.mark.parametrize("error", [ValueError("ours"), FileNotFoundError(2, "No such file", "ours"), OSError("ours")])
def test_a_fault_of_the_program_is_not_hidden(error: Exception) -> None:
    assert _ended_in_process(_guarded(), error).exception is error
