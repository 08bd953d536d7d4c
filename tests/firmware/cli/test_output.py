"""Standard output that takes no more, or whose reader has gone: a sentence, or a quiet end, by the real program."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.firmware.shell.processes import TILECLOCK

BEGIN = '{"t": "0", "do": "new_game", "rulebook": "club"}\n{"t": "1", "do": "show"}\n'
VERBS = [
    "--help",
    "--version",
    "config",
    "rulebooks",
    "rulebooks show club",
    "run --help",
    "journal --help",
    "pinout",
    "replay script.jsonl",
]


def _ended(folder: Path, verb: str, output: int, unbuffered: str) -> tuple[int, str]:
    (folder / "script.jsonl").write_text(BEGIN, encoding="utf-8")
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        [str(TILECLOCK), *verb.split()],
        cwd=folder,
        env=environment,
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=30,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_full_output_is_a_sentence_and_a_closed_pipe_ends_quietly(tmp_path: Path, verb: str, unbuffered: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        code, said = _ended(tmp_path, verb, full, unbuffered)
        assert (code, said) == (
            2,
            "tileclock: expected to write to standard output, found: No space left on device. Send it somewhere else.\n",
        )
        assert _ended(tmp_path, verb, writer, unbuffered) == (0, "")
    finally:
        os.close(full)
        os.close(writer)
