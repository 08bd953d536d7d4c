"""Standard output that is closed, whose reader goes early, or whose encoding cannot say a name."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.lexicon.cli.program import CLUB, TILELEXICON, lexicon_of, made_up, run


def test_a_reader_may_take_the_first_words_and_go(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "large.dawg", *made_up(20_000))
    with subprocess.Popen([*TILELEXICON, "words", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == f"{made_up(20_000)[0]}\n".encode()
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


def test_closed_streams_leave_the_exit_code(club: Path) -> None:
    script = 'exec "$@" >&- 2>&-'
    codes = [
        subprocess.run(["sh", "-c", script, "sh", *TILELEXICON, "judge", club, *play], check=False).returncode
        for play in (["TILE"], ["TILE", "NOTAWORD"], [])
    ]
    assert codes == [0, 1, 2]


def test_words_are_utf_8_and_names_are_escaped_where_the_terminal_is_not(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "ñ.dawg", "AÑO", alphabet="spanish", name="Año")
    assert run("words", path, PYTHONIOENCODING="latin-1").stdout == "AÑO\n".encode()
    done = run("info", path, PYTHONIOENCODING="koi8-r")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"name                  A\\xf1o\n")


@pytest.mark.parametrize("name", [b"\xff\xfe.dawg", b"a\nb.dawg", b"\x1b[2J.dawg", b"-o.dawg"])
def test_any_path_can_be_used_and_moves_no_cursor(tmp_path: Path, name: bytes) -> None:
    text = tmp_path / "words.txt"
    text.write_text("\n".join(CLUB), encoding="ascii")
    path = os.fsencode(tmp_path) + b"/" + name
    for arguments in (
        ("build", text, "-o", path, "--name", "Odd"),
        ("info", path),
        ("verify", path, "--expect", "0" * 8),
        ("convert", path, path + b".txt", "--to", "text"),
        ("info", path + b".none"),
        ("build", path, "-o", path + b"2", "--name", "Odd"),
    ):
        done = run(*arguments)
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
    assert Path(os.fsdecode(path)).stat().st_size > 0
